#include "traffic/write_cap.hpp"

#include "traffic/kernel_layout.hpp"

namespace attest {
namespace {

constexpr Index kUsualPart = 16;    // core/numerics.hpp: what an unknown part_k means
constexpr Index kPartsToSpare = 8;  // that hold no key

}  // namespace

Index forward_write_cap(const Problem& p, const Numerics& numerics) {
  ATTEST_EXPECTS(numerics.s_store == ScoreStore::none);
  const Index rows = query_rows(p);
  Index bytes = rows * (p.d_v * bytes_of(p.out) + kFloat);
  if (numerics.split && numerics.split->partial) {
    const Index parts = tiles_over(p.n_k, numerics.part_k.value_or(kUsualPart));
    bytes += parts * rows * p.d_v * bytes_of(*numerics.split->partial);
    bytes += (parts + kPartsToSpare) * rows * kFloat;
  }
  return bytes;
}

Index backward_write_cap(const Problem& p, const Numerics& numerics) {
  const Index rows = query_rows(p), width = bytes_of(p.out);
  Index bytes = rows * (p.d_qk * width + kFloat) + key_rows(p) * (p.d_qk + p.d_v) * width;
  const DqSum dq = numerics.dq_sum.value_or(DqSum{});
  if (dq.kind == DqSum::Kind::atomic) {
    bytes += rows * p.d_qk * kFloat * (1 + tiles_over(p.n_k, dq.tile));
  }
  if (numerics.group_sum && numerics.group_sum->per_head) {
    bytes +=
        p.batch * p.heads_q * p.n_k * (p.d_qk + p.d_v) * bytes_of(*numerics.group_sum->per_head);
  }
  return bytes;
}

}  // namespace attest
