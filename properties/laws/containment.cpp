// containment: outputs do not change by a bit when bytes that no row sees hold something else: NaN,
// infinities, or arbitrary finite values. 0 x NaN is NaN, so masking after a load is not enough.
#include <array>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/liveness.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/promised_rows.hpp"

namespace attest {
namespace {

enum class Poison : std::uint8_t { nan, infinite, finite };

const char* name_of(Poison poison) {
  switch (poison) {
    case Poison::nan: return "NaN";
    case Poison::infinite: return "infinities";
    case Poison::finite: return "finite random values";
  }
  return "";
}

// Any finite pattern, each as likely as another.
std::uint64_t random_finite_bits(Format format, const RandomBits& random) {
  const FormatShape shape = shape_of(format);
  const std::uint64_t all = std::uint64_t{random[0]} << 32 | random[1];
  const std::uint64_t bits = shape.bits == 64 ? all : all >> (64 - shape.bits);
  const ValueClass kind = classify(format, bits);
  const bool finite = kind != ValueClass::nan && kind != ValueClass::infinite;
  return finite ? bits : bits & ~(std::uint64_t{1} << (shape.precision - 1));
}

std::uint64_t poison_for(Poison poison, Format format, const RandomBits& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (poison) {
    case Poison::nan: return round_to_bits(format, std::numeric_limits<double>::quiet_NaN());
    case Poison::infinite: return round_to_bits(format, random[0] % 2 == 0 ? infinity : -infinity);
    case Poison::finite: return random_finite_bits(format, random);
  }
  return 0;
}

// Overwrites row `row` of entry b in every head.
void poison_row(Tensor& tensor, Index b, Index row, Poison poison, std::uint64_t seed) {
  const TensorView view = tensor.view();  // without heads where there is no such tensor
  for (Index h = 0; h < view.extents[1]; ++h) {
    for (Index column = 0; column < view.extents[3]; ++column) {
      const RandomBits random = random_bits(
          seed, {kDrawOfLaw, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(h),
                 static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
      view.set_bits(b, h, row, column, poison_for(poison, tensor.format(), random));
    }
  }
}

struct UnseenRow {
  Index b;
  Index row;
};

struct Unseen {
  std::vector<UnseenRow> keys;
  std::vector<UnseenRow> queries;
};

Unseen unseen_of(const Problem& p) {
  Unseen unseen;
  for (Index b = 0; b < p.batch; ++b) {
    const Liveness liveness(p, b);
    for (Index j = 0; j < p.n_k; ++j) {
      if (liveness.unseen(j)) unseen.keys.push_back({b, j});
    }
    for (Index i = liveness.rows(); i < p.n_q; ++i) unseen.queries.push_back({b, i});
  }
  return unseen;
}

Inputs poisoned_inputs(const Inputs& inputs, const Unseen& unseen, Poison poison,
                       std::uint64_t seed) {
  Inputs changed = inputs;
  for (const auto& [b, j] : unseen.keys) {
    poison_row(changed.k, b, j, poison, seed);
    poison_row(changed.v, b, j, poison, ~seed);
  }
  for (const auto& [b, i] : unseen.queries) {
    poison_row(changed.q, b, i, poison, seed + 1);
    poison_row(changed.dout, b, i, poison, seed + 2);
    poison_row(changed.glse, b, i, poison, seed + 3);
  }
  return changed;
}

}  // namespace

LawOutcome check_containment(const LawContext& c) {
  const Unseen unseen = unseen_of(c.problem);
  if (unseen.keys.empty() && unseen.queries.empty()) return not_applicable();
  const RowFilter compared = promised_rows(c, Schedule::same);
  const std::uint64_t seed = seed_of(c.problem, c.inputs);
  for (const Poison poison : {Poison::nan, Poison::infinite, Poison::finite}) {
    const std::string run = std::string("with ") + name_of(poison) + " in unseen bytes";
    const Execution changed =
        execute(c.subject, c.problem, poisoned_inputs(c.inputs, unseen, poison, seed), c.settings);
    if (changed.outcome.kind != RunOutcome::Kind::ran) return troubled(changed.outcome, run);
    const std::string where = first_difference(c.outputs, changed.outputs, compared);
    if (!where.empty()) return rejected(where + " " + run);
  }
  return {};
}

}  // namespace attest
