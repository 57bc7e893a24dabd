// F20: every value of V names its place: entry, head, key and column, as an integer below 256. A
// row of Q has one nonzero column, by whose sign in K half of the keys win, and O is the mean of
// their names: whatever reads another head, entry, key or column returns another number.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kNames = 256;  // integers that bf16 holds
constexpr std::uint32_t kColumns = 4;
constexpr double kHeight = 96;  // at 128, a score in bf16 may be off by a factor of e

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  fill_tensor(inputs.q, kTensorQ, [=](const Coordinates& at) {
    const Coordinates row{kDrawOfRow, at.b, at.h, at.row, 0};
    return static_cast<std::uint32_t>(small_integer(seed, row, kColumns)) == at.column ? kHeight
                                                                                       : 0.0;
  });
  fill_tensor(inputs.k, kTensorK,
              [=](const Coordinates& at) { return small_integer(seed, at, 2) == 0 ? 1.0 : -1.0; });
  const std::uint32_t start = case_bits(seed, 0);
  fill_tensor(inputs.v, kTensorV, [=](const Coordinates& at) {
    const std::uint32_t place = start + at.row + 5 * at.column + 67 * at.h + 101 * at.b;
    return static_cast<double>(place % kNames);
  });
}

}  // namespace

Family named_places_family() {
  return {"F20",
          "V names its place",
          "indices of keys, heads, entries and columns",
          0.3,
          0.1,
          keep_problem,
          fill};
}

}  // namespace attest
