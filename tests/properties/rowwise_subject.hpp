// rowwise_subject.hpp - a subject for tests of the laws: each row on its own, in binary64, rounded
// once; healthy, or wrong in one chosen way that a single law must notice.
//
// It declares binary32 arithmetic, which its own errors are far below.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "core/subject.hpp"

namespace attest {

enum class Wrong {
  nothing,
  temperature,     // gaps to the maximum are 5 % too wide: a row with one key is right
  sum_of_ones,     // off only where every live V is 1
  dead_row,        // NaN in rows without a live key
  dead_nan,        // the same, but declared: not wrong
  unseen_bytes,    // adds 0 times a V that no row sees
  unseen_queries,  // adds 0 times a query beyond the length
  other_rows_key,  // the last bit of LSE follows a key that only other rows see
  other_rows_nan,  // adds 0 times a key that only other rows see
  spreads_nan,     // the same, but declared: not wrong
  lonely_key,      // O is off where the band has width one
  beyond_length,   // declares rows beyond the length untouched and writes there
  crash_on_ones,   // crashes where every V is 1
  unrounded_p,     // declares P in the inputs' format, and keeps it wide
  keeps_ones,      // leaves an element of O alone where it holds a 1
  dense_q,         // reads Q as if it lay densely
  neighbour_head,  // the last bit of LSE follows the first query of the first head
  few_rows,        // O is off where there are one or two queries
  long_buffer,     // O is off where n_k is above 30, however few are live
  first_scale,     // takes the scale of the first call, up to d_qk = 256
  large_heads,     // O is off where d_qk is above 256
  told,            // takes another temperature in one of its configurations

  // Of the backward:
  d_of_stored_o,   // declares D of an O in binary32, and takes the stored one
  d_of_exact_o,    // declares D of the stored O, and takes an exact one where dO begins positive
  d_is_off,        // D is too large by 1/2
  nan_unwritten,   // leaves a dQ alone where it is NaN
  leftovers,       // where a group's dO is all 0, dV holds a 1
  clamps_dout,     // a dO beyond 4 counts as 4
  falling_v,       // dQ is off where V's first column falls from the first live key to the last
  quiet_head,      // passes over a group whose first head has no dO, but a Q
  blank_key,       // takes a row of K that is all 0 for padding
  blank_head,      // does so in the first of several heads of a group
  dead_gradient,   // dK of a key that no row sees is 1
  unseen_dout,     // adds 0 times the dO of a query beyond the length
  other_rows_dq,   // adds 0 times a key that only other rows see to dQ
  schedule_bit,    // the last bit of dK follows the schedule
  atomic_dq,       // that of dQ does, declared: not wrong
  few_rows_dv,     // dV is off where there are one or two queries
  long_buffer_dk,  // dK is off where n_k is above 30, however few are live
  first_scale_dq,  // the backward takes the scale of its first call, up to d_qk = 256
  large_heads_dq,  // dQ is off where d_qk is above 256
  told_d,          // in one of its configurations D is too large by 1/2
};

class RowwiseSubject final : public Subject {
 public:
  explicit RowwiseSubject(Wrong wrong = Wrong::nothing) : wrong_(wrong) {}

  [[nodiscard]] std::string name() const override { return "rowwise"; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem&, Unit) const override {
    return std::nullopt;
  }
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override;
  [[nodiscard]] Semantics semantics() const override;
  // Two, of which only the second is ever wrong; of a subject with another fault none.
  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit unit) const override;
  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override;
  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override;

 private:
  struct RowAt {
    Index b;
    Index h;
    Index i;
  };
  // What a run in this configuration is.
  [[nodiscard]] RowwiseSubject configured(const std::string& configuration) const;
  // The scale of the first call where it is wrong to keep it.
  [[nodiscard]] float scale_of(const Problem& p, Wrong wrong) const;
  void attend(const Problem& p, const ForwardInputs& in, const ForwardOutputs& out,
              const RowAt& at) const;
  void store_dead(const Problem& p, const ForwardOutputs& out, const RowAt& at) const;
  [[nodiscard]] double leak(const Problem& p, const ForwardInputs& in, const RowAt& at) const;

  Wrong wrong_;
  mutable std::atomic<float> scale_ = 0;  // of the first call
};

}  // namespace attest
