// judge_forward.hpp - O and LSE of one case against the oracle's answer: a verdict per element,
// folded into what a report needs.
//
// The judge knows neither kernel nor oracle: it takes bits, enclosures, moments and declarations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/answer.hpp"
#include "core/numerics.hpp"
#include "core/problem.hpp"
#include "core/semantics.hpp"
#include "core/tensor.hpp"
#include "judge/budget.hpp"
#include "judge/verdict.hpp"

namespace attest {

enum class OutputTensor : unsigned char { o, lse };

[[nodiscard]] std::string_view name_of(OutputTensor tensor);

// Which rows to judge: those with a live key, or those whose value is a matter of declaration
// (dead rows and rows at or beyond lq).
enum class Rows : unsigned char { live, declared };

// One element, with everything that a failing report prints.
struct ElementJudgement {
  OutputTensor tensor = OutputTensor::o;
  Index b = 0;
  Index h = 0;
  Index i = 0;
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
  RowMoments row;       // the row it stands in
  int oracle_bits = 0;  // the working precision that its enclosure came from
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

  [[nodiscard]] double signed_mean() const {
    return bounded == 0 ? 0 : signed_error_sum / static_cast<double>(bounded);
  }
};

struct ForwardJudgement {
  TensorJudgement o;
  TensorJudgement lse;
  std::vector<std::size_t> undecided_rows;  // indices into Answer's rows, ascending
  std::vector<std::string> assumed;         // numerics fields taken at their worst

  [[nodiscard]] Verdict verdict() const;
  [[nodiscard]] Index judged() const { return o.judged + lse.judged; }
  // The one to show: the worse verdict, then the larger ratio. Nothing if nothing was judged.
  [[nodiscard]] const ElementJudgement* worst() const;
};

// Requires: o is [batch, heads_q, n_q, d_v] in problem.out; lse [batch, heads_q, n_q, 1].
[[nodiscard]] ForwardJudgement judge_forward(const Problem& problem, const Answer& answer,
                                             const Numerics& numerics, const Semantics& semantics,
                                             ConstTensorView o, ConstTensorView lse, Rows rows);

}  // namespace attest
