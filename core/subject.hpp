// subject.hpp - the thing under test: something that computes attention and declares how.
//
// Emulated kernels, canaries, plug-ins and device programs all sit behind this interface. A subject
// sees inputs and buffers, never an enclosure, a budget or a verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/numerics.hpp"
#include "core/problem.hpp"
#include "core/semantics.hpp"
#include "core/tensor.hpp"
#include "core/traffic.hpp"
#include "core/unit.hpp"

namespace attest {

struct ForwardInputs {
  ConstTensorView q;  // [batch, heads_q, n_q, d_qk]
  ConstTensorView k;  // [batch, heads_k, n_k, d_qk]
  ConstTensorView v;  // [batch, heads_k, n_k, d_v]
};

struct ForwardOutputs {
  TensorView o;    // [batch, heads_q, n_q, d_v] in problem.out; what stands there is poison
  TensorView lse;  // [batch, heads_q, n_q, 1] in f32; likewise
};

// What a backward pass starts from: the inputs, and what the forward left.
struct BackwardInputs {
  ConstTensorView q, k, v;                             // as above
  ConstTensorView o;                                   // [batch, heads_q, n_q, d_v] in problem.out
  ConstTensorView lse;                                 // [batch, heads_q, n_q, 1] in f32
  ConstTensorView dout;                                // [batch, heads_q, n_q, d_v] in problem.in
  std::optional<ConstTensorView> glse = std::nullopt;  // [batch, heads_q, n_q, 1] in f32: glse=yes
};

struct BackwardOutputs {
  TensorView dq;  // [batch, heads_q, n_q, d_qk] in problem.out; what stands there is poison
  TensorView dk;  // [batch, heads_k, n_k, d_qk] likewise, as all that follows
  TensorView dv;  // [batch, heads_k, n_k, d_v]
};

struct RunSettings {
  Unit unit = Unit::fp32_seq;
  std::uint64_t schedule_seed = 0;  // order of whatever the machine may reorder
  int threads = 1;    // operating system threads that the run may use; their number changes no bit
  bool watch = true;  // for rules of the machine that the run breaks, where it costs time
  std::string configuration = {};  // one of Subject::configurations; empty: the subject's choice
};

// How a run ended. Wrong numbers are not an outcome: they are for the judge.
struct RunOutcome {
  enum class Kind : std::uint8_t {
    ran,
    crashed,           // a signal, an exception, an end in the middle
    broke_rules,       // of the machine that it runs on
    unsupported,       // declined only now what its capabilities cover: no verdict
    failed,            // said itself that it could not
    hung,              // no answer within its time
    out_of_bounds,     // touched memory beyond what it was given
    changed_inputs,    // wrote to what it may only read
    left_unwritten,    // an output element that it had to write
    nondeterministic,  // other bits from the same values, against its promise
    malformed_reply,   // its process answered what is no answer
  };
  Kind kind = Kind::ran;
  std::string detail;                              // for a person, empty when it ran
  std::optional<MemoryUse> memory = std::nullopt;  // where whatever ran it counts
};

// "crashed", "broke rules", "went out of bounds": what a report calls it.
[[nodiscard]] std::string_view name_of(RunOutcome::Kind kind);

// Did the run end as no run may, whatever it computed? A broken promise about values is a plain
// rejection, like a wrong number.
[[nodiscard]] bool is_misconduct(RunOutcome::Kind kind);

class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  // The one unit of a subject that is not emulated: what it runs on where nobody asks for a unit.
  [[nodiscard]] virtual std::optional<Unit> own_unit() const { return std::nullopt; }
  // Why the subject declines this problem on this unit; nothing when it must compute it. A subject
  // without a backward declines pass=bwd.
  [[nodiscard]] virtual std::optional<std::string> unsupported(const Problem& problem,
                                                               Unit unit) const = 0;
  [[nodiscard]] virtual Numerics numerics(const Problem& problem, Unit unit) const = 0;
  [[nodiscard]] virtual Semantics semantics() const = 0;

  // Other ways in which it computes this problem when it is told so, by names of its own:
  // "parts=3", "tile_k=16". And what one of them declares in place of `numerics`, which speaks of
  // the subject's own choice. Semantics are the same in all of them. Requires:
  // !unsupported(problem, unit); a name that configurations(problem, unit) has.
  [[nodiscard]] virtual std::vector<std::string> configurations(const Problem& problem,
                                                                Unit unit) const;
  [[nodiscard]] virtual Numerics numerics_in(const std::string& configuration,
                                             const Problem& problem, Unit unit) const;

  // Computes the problem. May be called from several threads at once.
  // Requires: !unsupported(problem, settings.unit); views have the problem's shapes; a
  // settings.configuration, if one is given, is one of those above.
  virtual RunOutcome run(const Problem& problem, const ForwardInputs& inputs,
                         const ForwardOutputs& outputs, const RunSettings& settings) const = 0;

  // The gradients, from an O and an LSE that its own forward computed or anybody stored. May be
  // called from several threads at once.
  // Requires: !unsupported(problem, settings.unit) and problem.pass is bwd.
  virtual RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                                  const BackwardOutputs& outputs,
                                  const RunSettings& settings) const;
};

}  // namespace attest
