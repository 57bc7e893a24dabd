#include "oracle/enclose_gradients_in_binary64.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>

#include <cblas.h>

#include "core/contract.hpp"
#include "oracle/computed_pairs.hpp"
#include "oracle/gradient_block.hpp"
#include "oracle/solve_head.hpp"

namespace attest {
namespace {

// Longer sums of magnitudes in binary32 say too little.
constexpr Index kMostTerms = Index{1} << 19;

// False where some row's P or D is not known well enough.
bool round_queries(const Answer& forward, RoundedHead& head) {
  const HeadTask& task = head.task;
  if (std::max(task.problem.n_k, static_cast<Index>(task.rows.size())) > kMostTerms) return false;
  head.norms = norms_of(task.head);
  head.queries.resize(task.rows.size());
  for (std::size_t r = 0; r < task.rows.size(); ++r) {
    if (task.parts[r].p != OutputClass::finite) continue;
    head.queries[r] = round_query(task, head.norms, forward, r);
    if (!head.queries[r]) return false;
  }
  return true;
}

// Blocks of all rows of the group, shared out among threads in their order.
void work_blocks(std::span<const RoundedQuery> rows, int threads, GradientSums& sums,
                 BackwardAnswer& answer) {
  const std::size_t size = kGradientRows;
  const std::size_t count = (rows.size() + size - 1) / size;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    GradientBlock block(sums, static_cast<Index>(std::min(size, rows.size())), answer);
    for (std::size_t n = next++; n < count; n = next++) {
      block.work(n, rows.subspan(n * size, std::min(size, rows.size() - n * size)));
    }
  };
  std::vector<std::jthread> workers;
  for (int n = 1; n < threads && static_cast<std::size_t>(n) < count; ++n)
    workers.emplace_back(work);
  work();
}

void work_head(const RoundedHead& head, int threads, BackwardAnswer& answer) {
  std::vector<RoundedQuery> loud;  // rows that add anything
  for (const std::optional<RoundedQuery>& query : head.queries) {
    if (!query) continue;
    answer.rows[head.task.row_of(query->r)] = ComputedPairs::describe(head, *query);
    if (!head.task.rows[query->r].silent()) loud.push_back(*query);
  }
  if (loud.empty()) return;
  GradientSums sums(head.task, head.norms, loud);
  work_blocks(loud, threads, sums, answer);
  sums.write_keys(answer);
}

}  // namespace

BackwardAnswer enclose_gradients_in_binary64(const Problem& problem, const Inputs& inputs,
                                             const Answer& forward,
                                             const std::optional<StoredForward>& stored,
                                             int threads) {
  ATTEST_EXPECTS(problem.pass == Pass::bwd && has_shapes_of(inputs, problem));
  // Products of two binary64 round, and their magnitudes have no binary32.
  if (problem.in == Format::f64) return enclose_backward(problem, inputs, stored);
  openblas_set_num_threads(1);  // the threads are ours
  BackwardAnswer answer = empty_answer(problem);
  const auto pairs = std::make_shared<ComputedPairs>(problem);
  for (Index b = 0; b < problem.batch; ++b) {
    for (Index h_k = 0; h_k < problem.heads_k; ++h_k) {
      RoundedHead& head = pairs->add_head(inputs, stored, b, h_k);
      if (round_queries(forward, head)) {
        work_head(head, threads, answer);
        settle_classes(head.task, answer);
      } else {
        solve_head(head.task, kFirstPrecision, answer);
        settle_classes(head.task, answer);
        pairs->drop_last();
      }
    }
  }
  answer.bits = kLooseBits;
  answer.source = pairs;
  return answer;
}

}  // namespace attest
