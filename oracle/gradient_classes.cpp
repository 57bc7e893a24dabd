#include "oracle/gradient_classes.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/mask.hpp"
#include "oracle/upward.hpp"

namespace attest {
namespace {

// nan before undefined before finite.
OutputClass worse(OutputClass a, OutputClass b) {
  if (a == OutputClass::nan || b == OutputClass::nan) return OutputClass::nan;
  if (a == OutputClass::undefined || b == OutputClass::undefined) return OutputClass::undefined;
  return OutputClass::finite;
}

OutputClass class_of(const Specials& specials) {
  if (specials.nan) return OutputClass::nan;
  return specials.infinite ? OutputClass::undefined : OutputClass::finite;
}

OutputClass class_of(double x) {
  Specials specials;
  specials.add(x);
  return class_of(specials);
}

// What a subject stored is no input of the problem: its NaN is not an exact one.
OutputClass class_of_stored(bool finite) {
  return finite ? OutputClass::finite : OutputClass::undefined;
}

RowPart part_of(const HeadTask& task, const GradientQuery& row, Index i) {
  RowPart part;
  if (i >= task.problem.live_queries(task.b)) {
    part.p = part.ds = OutputClass::beyond;
    return part;
  }
  OutputClass p = class_of(row.q_specials);
  OutputClass ds = worse(class_of(row.dout_specials), class_of(row.glse));
  part.live = live_range(task.problem, task.b, i);
  for (Index j = part.live.first; j < part.live.end && !task.head.finite; ++j) {
    p = worse(p, class_of(task.head.k_specials[static_cast<std::size_t>(j)]));
    ds = worse(ds, class_of(task.head.v_specials[static_cast<std::size_t>(j)]));
  }
  if (part.live.first == part.live.end) {
    part.p = part.ds = OutputClass::dead;
    return part;
  }
  if (task.stored) {
    p = worse(p, class_of_stored(std::isfinite(row.lse)));
    if (!task.d_from_p) ds = worse(ds, class_of_stored(!row.o_specials.any()));
  }
  part.p = p;
  part.ds = worse(p, ds);
  return part;
}

void resize(GradientAnswer& gradient, const Extents& extents) {
  const auto size = static_cast<std::size_t>(volume(extents));
  gradient.classes.resize(size);
  gradient.values.resize(size);
}

void settle(GradientAnswer& gradient, std::size_t element, OutputClass value) {
  gradient.classes[element] = value;
  if (value != OutputClass::finite) gradient.values[element] = {};
}

}  // namespace

std::size_t HeadTask::row_of(std::size_t r) const {
  const Index group = problem.heads_q / problem.heads_k;
  return static_cast<std::size_t>((b * problem.heads_q + h_k * group) * problem.n_q) + r;
}

std::size_t HeadTask::key_of(Index j) const {
  return static_cast<std::size_t>((b * problem.heads_k + h_k) * problem.n_k + j);
}

HeadTask read_head_task(const Problem& problem, const Inputs& inputs,
                        const std::optional<StoredForward>& stored, Index b, Index h_k) {
  HeadTask task{problem,
                b,
                h_k,
                stored.has_value(),
                stored && stored->d_from_p,
                read_gradient_head(problem, inputs, b, h_k),
                {},
                {}};
  const Index group = problem.heads_q / problem.heads_k;
  for (Index h = h_k * group; h < (h_k + 1) * group; ++h) {
    for (Index i = 0; i < problem.n_q; ++i) {
      task.rows.push_back(read_gradient_query(problem, inputs, stored, b, h, i));
      task.parts.push_back(part_of(task, task.rows.back(), i));
    }
  }
  return task;
}

BackwardAnswer empty_answer(const Problem& problem) {
  BackwardAnswer answer;
  resize(answer.dq, problem.q_extents());
  resize(answer.dk, problem.k_extents());
  resize(answer.dv, problem.v_extents());
  answer.rows.resize(static_cast<std::size_t>(volume(problem.lse_extents())));
  return answer;
}

void forget_score_gradients(BackwardRow& row) {
  row.d = {-kInfinity, kInfinity};
  row.sum_abs_dout_o = kInfinity;
  for (Pair& pair : row.pairs) {
    pair.abs_dp = pair.abs_dp_less_d = pair.g = pair.g_floor = kInfinity;
  }
}

void settle_classes(const HeadTask& task, BackwardAnswer& answer) {
  const Problem& p = task.problem;
  const auto d_qk = static_cast<std::size_t>(p.d_qk);
  const auto d_v = static_cast<std::size_t>(p.d_v);
  const auto keys = static_cast<std::size_t>(p.n_k);
  std::vector<Index> seen(keys + 1);  // rises and falls of the number of rows that see a key
  std::vector<OutputClass> dk(keys, OutputClass::finite);
  std::vector<OutputClass> dv(keys * d_v, OutputClass::finite);
  for (std::size_t r = 0; r < task.rows.size(); ++r) {
    const RowPart& part = task.parts[r];
    for (std::size_t c = 0; c < d_qk; ++c) settle(answer.dq, task.row_of(r) * d_qk + c, part.ds);
    const auto first = static_cast<std::size_t>(part.live.first);
    const auto end = static_cast<std::size_t>(part.live.end);
    ++seen[first];
    --seen[end];
    if (part.ds == OutputClass::finite) continue;  // then P is, too
    for (std::size_t j = first; j < end; ++j) {
      dk[j] = worse(dk[j], part.ds);
      if (part.p == OutputClass::finite && !task.rows[r].dout_specials.any()) continue;
      for (std::size_t c = 0; c < d_v; ++c) {
        OutputClass& element = dv[j * d_v + c];
        element = worse(worse(element, part.p), class_of(task.rows[r].dout[c]));
      }
    }
  }
  Index rows_that_see = 0;
  for (std::size_t j = 0; j < keys; ++j) {
    rows_that_see += seen[j];
    const bool beyond = static_cast<Index>(j) >= p.live_keys(task.b);
    const OutputClass unseen = beyond ? OutputClass::beyond : OutputClass::dead;
    const std::size_t key = task.key_of(static_cast<Index>(j));
    for (std::size_t c = 0; c < d_qk; ++c) {
      settle(answer.dk, key * d_qk + c, rows_that_see != 0 ? dk[j] : unseen);
    }
    for (std::size_t c = 0; c < d_v; ++c) {
      settle(answer.dv, key * d_v + c, rows_that_see != 0 ? dv[j * d_v + c] : unseen);
    }
  }
}

}  // namespace attest
