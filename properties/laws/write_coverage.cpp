// write_coverage: outputs have the same bits whatever stood in them before, so each element that
// the subject owes is written, and from nothing but inputs; and no byte around them changes. Before
// the case's own run they held NaN, here they hold 1. A backward starts from the O and LSE at hand.
#include <vector>

#include "properties/laws/difference.hpp"
#include "properties/laws/laid_out_tensor.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/placed_call.hpp"
#include "properties/laws/promised_rows.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kGuard = 5;  // a subnormal in every format

void fill_with_ones(Tensor& tensor) {
  const std::uint64_t one = round_to_bits(tensor.format(), 1);
  const auto width = static_cast<std::size_t>(bytes_of(tensor.format()));
  for (std::size_t at = 0; at < tensor.bytes().size(); at += width) {
    std::memcpy(tensor.bytes().data() + at, &one, width);
  }
}

// Rows that are to be written at all.
RowFilter owed_rows(const LawContext& c) {
  const Problem& p = c.problem;
  const bool untouched = c.subject.semantics().beyond_lengths == BeyondLengths::untouched;
  return [&p, untouched, promised = promised_rows(c, Schedule::same)](const NamedOutput& output,
                                                                      Index b, Index row) {
    const Index length = output.by_keys ? p.live_keys(b) : p.live_queries(b);
    return promised(output, b, row) && !(untouched && row >= length);
  };
}

}  // namespace

LawOutcome check_write_coverage(const LawContext& c) {
  std::array<Tensor, kPlaces> tensors = tensors_before(c);
  std::vector<LaidOutTensor> guarded;
  std::array<TensorView, kPlaces> views;
  guarded.reserve(kPlaces);
  bool any = false;
  for (std::size_t n = 0; n < kPlaces; ++n) {
    const bool written = is_written(static_cast<Place>(n), c.problem.pass);
    if (written) fill_with_ones(tensors[n]);
    any = any || (written && !tensors[n].bytes().empty());
    guarded.emplace_back(tensors[n], Layout::dense, kGuard);
    views[n] = guarded.back().view();
  }
  if (!any) return not_applicable();
  const std::string run = "with 1 in the outputs before the run";
  const RunOutcome outcome = placed_call(c, views);
  if (outcome.kind != RunOutcome::Kind::ran) return troubled(outcome, run);
  std::array<Tensor, kPlaces> after;
  for (std::size_t n = 0; n < kPlaces; ++n) {
    if (!guarded[n].guards_stand()) {
      return rejected("bytes around " + std::string(name_of(static_cast<Place>(n))) +
                      " were written");
    }
    after[n] = guarded[n].dense();
  }
  const std::string where = first_difference(c.outputs, outputs_of(std::move(after)), owed_rows(c));
  return where.empty() ? LawOutcome{} : rejected(where + " " + run);
}

}  // namespace attest
