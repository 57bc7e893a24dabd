#include "oracle/enclose_in_binary64.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include <cblas.h>

#include "oracle/enclose_forward.hpp"
#include "oracle/mask.hpp"
#include "oracle/query_block.hpp"
#include "oracle/wide_head.hpp"

namespace attest {
namespace {

// Rows of one head that go through blocks together, and those that do not.
struct Rows {
  std::vector<BlockRow> blocked;
  std::vector<std::size_t> others;
};

Rows sort_rows(const QueryHead& task) {
  Rows rows;
  for (Index i = 0; i < task.problem.n_q; ++i) {
    const KeyRange live = live_range(task.problem, task.b, i);
    const bool finite = task.head.finite && task.queries.finite[static_cast<std::size_t>(i)] != 0;
    if (finite && live.first < live.end) {
      rows.blocked.push_back({i, live});
    } else {
      rows.others.push_back(row_index(task.problem, task.b, task.h, i));
    }
  }
  return rows;
}

// Blocks of one query head, shared out among threads; rows never meet, so their order is free.
void work_blocks(const QueryHead& task, const std::vector<BlockRow>& rows, int threads,
                 std::vector<std::size_t>& others) {
  const std::size_t count = (rows.size() + kBlockRows - 1) / kBlockRows;
  std::vector<std::vector<std::size_t>> refused(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    QueryBlock block(task);
    for (std::size_t n = next++; n < count; n = next++) {
      const std::size_t first = n * kBlockRows;
      const std::size_t size = std::min<std::size_t>(kBlockRows, rows.size() - first);
      refused[n] = block.work(std::span(rows).subspan(first, size));
    }
  };
  std::vector<std::jthread> workers;
  for (int n = 1; n < threads && static_cast<std::size_t>(n) < count; ++n)
    workers.emplace_back(work);
  work();
  workers.clear();
  for (const auto& rows_of_block : refused) {
    others.insert(others.end(), rows_of_block.begin(), rows_of_block.end());
  }
}

}  // namespace

Answer enclose_in_binary64(const Problem& p, const Inputs& inputs, int threads) {
  // Products of two binary64 round, and their magnitudes have no binary32.
  if (p.in == Format::f64) return enclose_forward(p, inputs);
  openblas_set_num_threads(1);  // the threads are ours
  Answer answer(p);
  answer.least.resize(answer.elements.size());
  std::vector<std::size_t> others;
  const Index group = p.heads_q / p.heads_k;
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h_k = 0; h_k < p.heads_k; ++h_k) {
      const WideHead head = read_wide_head(p, inputs, b, h_k);
      for (Index h = h_k * group; h < (h_k + 1) * group; ++h) {
        const WideQueries queries = read_wide_queries(p, inputs, b, h);
        const QueryHead task{p, queries, head, b, h, answer};
        Rows rows = sort_rows(task);
        work_blocks(task, rows.blocked, threads, rows.others);
        others.insert(others.end(), rows.others.begin(), rows.others.end());
      }
    }
  }
  work_rows(p, inputs, others, kFirstPrecision, answer);
  return answer;
}

}  // namespace attest
