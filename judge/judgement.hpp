// judgement.hpp - the verdict of every element of a case, folded into what a report needs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/enclosure.hpp"
#include "core/format.hpp"
#include "core/moments.hpp"
#include "core/tensor.hpp"
#include "judge/budget.hpp"
#include "judge/rounded_set.hpp"
#include "judge/special.hpp"
#include "judge/verdict.hpp"

namespace attest {

enum class OutputTensor : unsigned char { o, lse, dq, dk, dv };

[[nodiscard]] std::string_view name_of(OutputTensor tensor);

// Are its rows keys, and its heads key heads?
[[nodiscard]] constexpr bool has_key_rows(OutputTensor tensor) {
  return tensor == OutputTensor::dk || tensor == OutputTensor::dv;
}

// One element, with everything that a failing report prints.
struct ElementJudgement {
  OutputTensor tensor = OutputTensor::o;
  Index b = 0;
  Index h = 0;  // of the tensor: a key head for dk and dv
  Index i = 0;  // row of the tensor: a key for dk and dv
  Index k = 0;  // column; 0 for lse
  Verdict verdict = Verdict::accept;
  std::uint64_t bits = 0;  // observed
  Format format = Format::f32;
  double observed = 0;
  OutputClass exact_class = OutputClass::finite;
  Enclosure exact;
  Budget budget;
  double error = 0;    // largest |observed - x| over the enclosure, upward; 0 for special values
  double ratio = 0;    // error / budget; infinity for a wrong class; 0 where the class decides
  std::string reason;  // one sentence when it is not accepted
  // Of a tensor's worst element only:
  RowMoments row;       // of o and lse: the row it stands in
  int oracle_bits = 0;  // the working precision that its enclosure came from
  // Judged by replay: `exact` holds the acceptable values, from the least to the largest, and the
  // budget says how far from their middle the value before the store may lie.
  bool replayed = false;
};

struct TensorJudgement {
  Index judged = 0;
  Index accepted = 0;
  Index rejected = 0;
  Index undecided = 0;
  Index unbounded = 0;  // of the judged: no finite budget exists
  double worst_ratio = 0;
  double signed_error_sum = 0;  // of (observed - middle) / budget over bounded finite elements
  Index bounded = 0;            // how many went into that sum
  std::optional<ElementJudgement> worst;  // rejected before undecided before accepted, then ratio
  // Of a replay only:
  Index left = 0;        // elements that it leaves to the budget
  Index single = 0;      // of the judged: there is one acceptable value
  double width_sum = 0;  // of how far the value before the store may lie from the middle, over the
                         // budget that knows no schedule and has no store

  [[nodiscard]] double signed_mean() const {
    return bounded == 0 ? 0 : signed_error_sum / static_cast<double>(bounded);
  }
  // Takes one element in; it becomes the worst if it is.
  void count(const ElementJudgement& element, const RowMoments& row, int oracle_bits);
  // Likewise of a replay; `free_budget` is the one that knows no schedule, without its store.
  void count_replayed(const ElementJudgement& element, const RowMoments& row, double free_budget);
  // The same of an accepted element that has nothing to show beyond the one in `worst`.
  // Requires: there is one.
  void count_acceptable(bool is_single);
  // As if the elements of `other` had been counted here.
  void add(const TensorJudgement& other);
};

// Told of each element that is judged, with its budget's terms.
using ElementWitness = std::function<void(const ElementJudgement&)>;

// An element of O or LSE that only a narrower enclosure, or exact arithmetic, can decide: its
// budget is sharp.
struct OpenElement {
  bool of_lse = false;
  std::size_t at = 0;  // an element of O, or a row's LSE: an index into Answer's
  double observed = 0;
  double budget = 0;
};

struct Judgement {
  TensorJudgement o;
  TensorJudgement lse;
  TensorJudgement dq;
  TensorJudgement dk;
  TensorJudgement dv;
  std::vector<std::size_t> undecided_rows;  // of o and lse: indices into Answer's rows, ascending
  std::vector<OpenElement> open;            // of o and lse: undecided, though their rows are sharp
  std::vector<std::string> assumed;         // numerics fields taken at their worst

  [[nodiscard]] std::array<const TensorJudgement*, 5> tensors() const {
    return {&o, &lse, &dq, &dk, &dv};  // in the order of OutputTensor
  }
  [[nodiscard]] TensorJudgement& of(OutputTensor tensor);
  [[nodiscard]] Verdict verdict() const;
  [[nodiscard]] Index judged() const;
  // Likewise, of another run of the same problem; what is open in either is open.
  void add(const Judgement& other);
  // The one to show: the worse verdict, then the larger ratio. Nothing if nothing was judged.
  [[nodiscard]] const ElementJudgement* worst() const;
};

// What a class or a declaration has decided.
void apply_class(ElementJudgement& element, const ClassVerdict& decided);

// Judges the element's observed value by its class, then as a number; fills verdict, error, ratio
// and reason. `format` is the declared one: it may be narrower than the one that the buffer holds.
void judge_value(ElementJudgement& element, Format format, bool saturates, bool overflows);

// Accepts what a store may have kept of a value from lo to hi; half of that distance is the
// element's budget.
void judge_between(ElementJudgement& element, double lo, double hi, const StoreRule& store);
// The same of a value within the element's budget of `centre`.
void judge_replayed(ElementJudgement& element, double centre, const StoreRule& store);

}  // namespace attest
