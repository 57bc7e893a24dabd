#include "oracle/enclose_forward.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/contract.hpp"
#include "oracle/classes.hpp"
#include "oracle/moments.hpp"
#include "oracle/operands.hpp"
#include "oracle/solve_row.hpp"

namespace attest {
namespace {

// exp(-9) is above 2^-14: a weight that large is normal in every 16-bit format, divided by the row
// sum or not, and no kernel rounds it to 0. Below, 0 * inf may be a correct kernel's NaN.
constexpr double kSafeGap = 9;
// Finite values that stay below this in sum cannot meet an infinity as one of the other sign, even
// under weights a few times too large.
constexpr double kSafeSum = 0x1p124;

struct RowPlace {
  Index b;
  Index h;
  Index i;
};

RowPlace place_of(const Problem& problem, std::size_t row) {
  const auto r = static_cast<Index>(row);
  const Index heads = r / problem.n_q;
  return {heads / problem.heads_q, heads % problem.heads_q, r % problem.n_q};
}

// Narrows what stands there, or takes the place of nothing.
void put(Enclosure& slot, Enclosure fresh, bool refining) {
  if (refining) fresh = {std::max(slot.lo, fresh.lo), std::min(slot.hi, fresh.hi)};
  ATTEST_EXPECTS(fresh.lo <= fresh.hi);  // two enclosures of one number meet
  slot = fresh;
}

// Works rows and writes them into an answer. Keeps the key head of the last row: rows come by head.
class RowWorker {
 public:
  RowWorker(const Problem& problem, const Inputs& inputs, Precision precision, bool refining,
            Answer& answer)
      : problem_(problem),
        inputs_(inputs),
        precision_(precision),
        refining_(refining),
        answer_(answer) {}

  void work(std::size_t row) {
    const RowPlace at = place_of(problem_, row);
    const KeyHead& head = head_of(at);
    const QueryRow query = read_query_row(problem_, inputs_, at.b, at.h, at.i);
    const RowClass row_class = classify_row(problem_, head, query, at.b, at.i);
    answer_.lse_class[row] = row_class.lse;
    std::vector<Index> columns;  // those whose output is a number
    for (Index k = 0; k < problem_.d_v; ++k) {
      const OutputClass output = classify_output(row_class, head, k);
      answer_.o_class[element(row, k)] = output;
      if (output == OutputClass::finite) columns.push_back(k);
    }
    if (row_class.lse == OutputClass::finite) {
      work_numbers(row, head, query, row_class, columns);
    } else if (!row_class.live.empty()) {
      RowMoments& moments = answer_.rows[row];
      moments.live_keys = static_cast<Index>(row_class.live.size());
      moments.first_live = row_class.live.front();
      moments.last_live = row_class.live.back();
    }
  }

 private:
  [[nodiscard]] std::size_t element(std::size_t row, Index k) const {
    return row * static_cast<std::size_t>(problem_.d_v) + static_cast<std::size_t>(k);
  }

  const KeyHead& head_of(const RowPlace& at) {
    const Index h_k = at.h / (problem_.heads_q / problem_.heads_k);
    if (!head_ || head_b_ != at.b || head_h_ != h_k) {
      head_ = read_key_head(problem_, inputs_, at.b, h_k);
      head_b_ = at.b;
      head_h_ = h_k;
    }
    return *head_;
  }

  void work_numbers(std::size_t row, const KeyHead& head, const QueryRow& query,
                    const RowClass& row_class, const std::vector<Index>& columns) {
    const double scale = problem_.scale;
    const PairMagnitudes magnitudes = measure(head, query, scale, row_class.weighted);
    const RowTask task{head, query, scale, row_class.weighted, magnitudes.abs_dot, columns};
    const RowNumbers numbers = solve_row(task, precision_);
    const std::vector<LiveKey> keys = bound_live_keys(head, row_class, magnitudes, numbers);

    RowMoments moments = measure_row(keys);
    moments.argmax = row_class.weighted[numbers.argmax];
    moments.keys_near_max = numbers.keys_near_max;
    moments.max_score = answer_.rows[row].max_score;
    moments.sum_exp = answer_.rows[row].sum_exp;
    put(moments.max_score, numbers.max_score, refining_);
    put(moments.sum_exp, numbers.sum_exp, refining_);
    answer_.rows[row] = moments;
    answer_.bits[row] = numbers.bits;
    put(answer_.lse[row], numbers.lse, refining_);
    open_infinities(row, head, keys);
    const auto elements = measure_elements(head, keys, columns, numbers.centre);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t e = element(row, columns[c]);
      put(answer_.o[e], numbers.o[c], refining_);
      answer_.elements[e] = elements[c];
    }
  }

  // A live infinity of V shows as itself only where no kernel can lose its weight, and no sum of
  // the finite values can overflow against it.
  void open_infinities(std::size_t row, const KeyHead& head, const std::vector<LiveKey>& keys) {
    if (head.v_finite) return;
    const double log_sum = std::log(answer_.rows[row].sum_exp.hi);
    for (Index k = 0; k < problem_.d_v; ++k) {
      OutputClass& output = answer_.o_class[element(row, k)];
      if (output != OutputClass::plus_inf && output != OutputClass::minus_inf) continue;
      bool lost = false;
      double finite = 0;
      for (const LiveKey& key : keys) {
        const double v = std::fabs(head.v_row(key.j)[k]);
        if (std::isinf(v)) lost = lost || key.factors[kGap] + log_sum > kSafeGap;
        if (std::isfinite(v)) finite += v;
      }
      lost = lost || finite >= kSafeSum;
      if (lost) output = OutputClass::undefined;
    }
  }

  const Problem& problem_;
  const Inputs& inputs_;
  Precision precision_;
  bool refining_;
  Answer& answer_;
  std::optional<KeyHead> head_;
  Index head_b_ = 0;
  Index head_h_ = 0;
};

void check_inputs(const Problem& problem, const Inputs& inputs) {
  ATTEST_EXPECTS(inputs.q.format() == problem.in && inputs.q.extents() == problem.q_extents());
  ATTEST_EXPECTS(inputs.k.format() == problem.in && inputs.k.extents() == problem.k_extents());
  ATTEST_EXPECTS(inputs.v.format() == problem.in && inputs.v.extents() == problem.v_extents());
}

void work_each(const Problem& problem, const Inputs& inputs, std::span<const std::size_t> rows,
               Precision precision, bool refining, Answer& answer) {
  check_inputs(problem, inputs);
  RowWorker worker(problem, inputs, precision, refining, answer);
  for (const std::size_t row : rows) {
    ATTEST_EXPECTS(row < answer.rows.size());
    worker.work(row);
  }
}

}  // namespace

Answer enclose_forward(const Problem& problem, const Inputs& inputs, Precision precision) {
  check_inputs(problem, inputs);
  Answer answer(problem);
  RowWorker worker(problem, inputs, precision, false, answer);
  for (std::size_t row = 0; row < answer.rows.size(); ++row) worker.work(row);
  return answer;
}

void work_rows(const Problem& problem, const Inputs& inputs, std::span<const std::size_t> rows,
               Precision precision, Answer& answer) {
  work_each(problem, inputs, rows, precision, false, answer);
}

void refine_rows(const Problem& problem, const Inputs& inputs, std::span<const std::size_t> rows,
                 Precision precision, Answer& answer) {
  work_each(problem, inputs, rows, precision, true, answer);
}

std::optional<Precision> rung_above(const Answer& answer) {
  const auto any = [&](int bits) {
    return std::ranges::find(answer.bits, bits) != answer.bits.end();
  };
  if (any(kLooseBits)) return kFirstPrecision;
  return next_precision(any(kDoubledBits) ? kFirstPrecision : kFirstMultiprecision);
}

}  // namespace attest
