// big_offsets: outputs do not change by a bit when batch entries, or heads, lie 3 * 2^31 + 8
// elements apart, so no offset is computed in 32 bits. All tensors at once; if that fails, one at a
// time, to name the first that does it alone. A backward starts from the O and LSE at hand.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/placed_call.hpp"
#include "properties/laws/promised_rows.hpp"
#include "properties/laws/sparse_tensor.hpp"

namespace attest {
namespace {

constexpr std::size_t kEverywhere = kPlaces;

std::vector<SparseTensor> tensors_of(const LawContext& c, std::size_t apart) {
  std::array<Tensor, kPlaces> dense = tensors_before(c);
  std::vector<SparseTensor> tensors;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    tensors.emplace_back(std::move(dense[place]), apart == kEverywhere || apart == place);
  }
  return tensors;
}

// With every tensor apart, or the one at a place.
LawOutcome compare_apart(const LawContext& c, std::size_t apart) {
  const std::vector<SparseTensor> tensors = tensors_of(c, apart);
  if (std::ranges::none_of(tensors, &SparseTensor::apart)) return not_applicable();
  const std::string run =
      std::string("with entries 3 * 2^31 + 8 elements apart in ") +
      (apart == kEverywhere ? "every tensor" : std::string(name_of(static_cast<Place>(apart))));
  std::array<TensorView, kPlaces> views;
  for (std::size_t place = 0; place < kPlaces; ++place) views[place] = tensors[place].view();
  const RunOutcome outcome = placed_call(c, views);
  if (outcome.kind != RunOutcome::Kind::ran) return troubled(outcome, run);
  std::array<Tensor, kPlaces> after;
  for (std::size_t place = 0; place < kPlaces; ++place) after[place] = tensors[place].dense();
  const Outputs outputs = outputs_of(std::move(after));
  const std::string where = first_difference(c.outputs, outputs, promised_rows(c, Schedule::same));
  return where.empty() ? LawOutcome{} : rejected(where + " " + run);
}

}  // namespace

LawOutcome check_big_offsets(const LawContext& c) {
  LawOutcome everywhere = compare_apart(c, kEverywhere);
  if (everywhere.verdict == Verdict::accept) return everywhere;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    LawOutcome alone = compare_apart(c, place);
    if (alone.verdict != Verdict::accept) return alone;
  }
  return everywhere;
}

}  // namespace attest
