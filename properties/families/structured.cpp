// F24: values with the structure of trained models, where Gaussians have none: a column in which
// every q and k is large, rows of rank one, q = k = v, or one value throughout. Wrong results have
// been reported that no Gaussian input shows.
#include "properties/families/families.hpp"
#include "properties/families/values.hpp"

namespace attest {
namespace {

enum class Structure : std::uint8_t { massive_column, rank_one, aliased, constant };

constexpr double kMassive = 12;

double value_at(Structure structure, std::uint64_t seed, Coordinates at) {
  switch (structure) {
    case Structure::massive_column:
      return at.column == 1 && at.tensor != kTensorV ? kMassive + small_integer(seed, at, 16) / 16.0
                                                     : gaussian(seed, at);
    case Structure::rank_one: {
      const Coordinates row{kDrawOfRow, at.b, at.h, at.row, at.tensor};
      return eight_bits(gaussian(seed, row) *
                        gaussian(seed, {kDrawOfColumn, at.b, at.h, 0, at.column}));
    }
    case Structure::aliased: at.tensor = kTensorQ; return 1.5 * gaussian(seed, at);
    case Structure::constant: return 1 + case_bits(seed, 1) % 64 / 64.0;
  }
  return 0;
}

void fill(const Problem&, std::uint64_t seed, Inputs& inputs) {
  const auto structure = static_cast<Structure>(case_bits(seed, 0) % 4);
  const auto value = [=](const Coordinates& at) { return value_at(structure, seed, at); };
  fill_tensor(inputs.q, kTensorQ, value);
  fill_tensor(inputs.k, kTensorK, value);
  fill_tensor(inputs.v, kTensorV, value);
}

}  // namespace

Family structured_family() {
  return {"F24",
          "massive columns, rank one, q = k = v, constants",
          "what Gaussian values never show",
          0.4,
          0.15,
          keep_problem,
          fill};
}

}  // namespace attest
