// F15: rows without a live key, by every road that leads there, and the one-row and one-key
// problems beside them. 0/0 and -inf - (-inf) wait on each road.
#include <algorithm>

#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr Index kMostRows = 64;

Problem with_empty_lengths(Problem p, std::uint64_t seed) {
  p.batch = std::max(p.batch, Index{2});
  p.lq.assign(p.batch, p.n_q);
  p.lk.assign(p.batch, p.n_k);
  p.lk[case_bits(seed, 1) % p.batch] = 0;
  p.lq[case_bits(seed, 2) % p.batch] = case_bits(seed, 3) % (p.n_q + 1);
  return p;
}

Problem with_causal(Problem p, Align align) {
  p.left = kUnlimited;
  p.right = 0;
  p.align = align;
  p.lq.clear();
  p.lk.clear();
  return p;
}

Problem adapt(Problem p, std::uint64_t seed) {
  const Index extra = 1 + case_bits(seed, 4) % 6;
  switch (case_bits(seed, 0) % 7) {
    case 0:  // the first rows end before the first key
      p.left = kUnlimited;
      p.right = -extra;
      p.align = Align::top_left;
      return p;
    case 1:  // a window that closes before it opens: all rows
      p.left = -extra;
      p.right = extra - 1;
      return p;
    case 2: return with_empty_lengths(p, seed);
    case 3:  // one query
      p.n_q = 1;
      return with_causal(p, Align::top_left);
    case 4:  // one key
      p.n_q = std::clamp(p.n_q, Index{2}, kMostRows);
      p.n_k = 1;
      return with_causal(p, Align::bottom_right);
    case 5:  // more queries than keys
      p.n_k = std::clamp(p.n_k, Index{1}, kMostRows);
      p.n_q = p.n_k + extra;
      return with_causal(p, Align::bottom_right);
    default:  // no key at all
      p.n_k = 0;
      p.lk.clear();
      return p;
  }
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_gaussian(inputs.k, kTensorK, seed);
  fill_gaussian(inputs.v, kTensorV, seed);
}

}  // namespace

Family dead_rows_family() {
  Family family = {
      "F15", "rows without a live key", "0/0, -inf - (-inf), LSE of nothing", 0, 0.02, adapt, fill};
  family.work = 2;
  return family;
}

}  // namespace attest
