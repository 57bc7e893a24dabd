// F2: keys repeat, so that many weights are equal and their roundings all point the same way; with
// V of one sign the errors add up instead of cancelling. Half of the cases have 1,024 equal scores
// and V near 100: the sum passes 65504, so an accumulator of V in f16 overflows.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr Index kLongRow = 1024;
constexpr double kPeriods[] = {1, 2, 4, 7};

bool is_long(std::uint64_t seed) { return case_bits(seed, 0) % 2 == 0; }

Problem adapt(Problem p, std::uint64_t seed) {
  if (!is_long(seed)) return p;
  p.n_k = kLongRow;
  p.n_q = 1 + case_bits(seed, 2) % 4;
  p.d_qk = 1 + p.d_qk % 16;
  p.d_v = 1 + p.d_v % 16;
  p.batch = 1;
  p.heads_q /= p.heads_k;
  p.heads_k = 1;
  p.left = p.right = kUnlimited;
  p.lq.clear();
  p.lk.clear();
  return p;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const auto period =
      is_long(seed) ? 1u : static_cast<std::uint32_t>(case_choice(seed, 1, kPeriods));
  const double sign = case_bits(seed, 3) % 2 == 0 ? 1 : -1;
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_tensor(inputs.k, kTensorK, [=](Coordinates at) {
    at.row %= period;
    return gaussian(seed, at);
  });
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    return is_long(seed) ? sign * (96 + 0.5 * small_integer(seed, at, 16))
                         : -1 - small_integer(seed, at, 128) / 128.0;
  });
}

}  // namespace

Family ties_family() {
  return {"F2",
          "repeated keys under V of one sign",
          "correlated roundings; a 16-bit accumulator or row sum",
          0.3,
          0.02,
          adapt,
          fill};
}

}  // namespace attest
