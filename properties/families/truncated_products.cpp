// F18: one product of a score is 64, all others lie just below 2^-24 of it, with one sign. A matrix
// unit that aligns its terms to the largest cuts most of each away, always in the same direction,
// where one that rounds a chain errs both ways: what a unit's Gamma allows is used here. P V is
// built likewise, of one large V in 64 keys of equal score.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr double kLarge = 8;
constexpr double kQuery = 0x1p-8;
constexpr double kKey = 0x1.fcp-11;  // 64 * 2^-24 * 0.992 with kQuery
constexpr std::uint32_t kPeriod = 64;

double row_factor(std::uint64_t seed, const Coordinates& at) {
  const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
  return (1 + small_integer(seed, row, 8) / 8.0) *
         (small_integer(seed, {kDrawOfRow, at.b, at.h, at.row, 1}, 2) == 0 ? 1 : -1);
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    return row_factor(seed, at) * (at.column == 0 ? kLarge : kQuery);
  });
  fill_tensor(inputs.k, kTensorK,
              [](const Coordinates& at) { return at.column == 0 ? kLarge : kKey; });
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    const Coordinates column{kDrawOfColumn, at.b, at.h, 0, at.column};
    const double sign = small_integer(seed, column, 2) == 0 ? 1 : -1;
    return sign * (at.row % kPeriod == 0 ? 256 : 0x1.fcp-17);
  });
}

}  // namespace

Family truncated_products_family() {
  return {"F18",
          "one large product, many just below its last place",
          "truncation by matrix units",
          0.3,
          0.3,
          keep_problem,
          fill};
}

}  // namespace attest
