// layout: outputs have the same bits wherever the elements of each tensor lie: in a slice of a
// larger one, with heads inside rows, with columns apart, or with rows backwards, drawn for each
// tensor alone, and dO as one element that all strides of 0 lead to. What lies between elements is
// NaN in what is read, and must stand in what is written. A backward starts from the O and LSE at
// hand.
#include <optional>
#include <vector>

#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laid_out_tensor.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/placed_call.hpp"
#include "properties/laws/promised_rows.hpp"

namespace attest {
namespace {

using Layouts = std::array<Layout, kPlaces>;

constexpr std::uint64_t kSubnormal = 3;  // in every format
constexpr Layout kDrawn[] = {Layout::dense, Layout::sliced, Layout::heads_inside,
                             Layout::columns_apart, Layout::rows_backwards};

Layouts drawn_layouts(const LawContext& c) {
  const std::uint64_t seed = seed_of(c.problem, c.inputs);
  Layouts layouts;
  for (std::uint32_t place = 0; place < kPlaces; ++place) {
    layouts[place] =
        kDrawn[random_bits(seed, {kDrawOfLaw, 11, place, 0, 0})[0] % std::size(kDrawn)];
  }
  return layouts;
}

std::string describe(const LawContext& c, const Layouts& layouts) {
  std::string text = "with";
  const std::array<Tensor, kPlaces> tensors = tensors_before(c);
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (tensors[place].bytes().empty() || layouts[place] == Layout::dense) continue;
    text +=
        " " + std::string(name_of(static_cast<Place>(place))) + " " + name_of(layouts[place]) + ",";
  }
  text.back() = ' ';
  return text + "among guards";
}

struct LaidOutRun {
  RunOutcome outcome;
  Outputs outputs;
  std::string overwritten;  // the tensor around which a guard fell
};

LaidOutRun run_laid_out(const LawContext& c, const Layouts& layouts,
                        const std::array<Tensor, kPlaces>& tensors) {
  std::vector<LaidOutTensor> laid_out;
  std::array<TensorView, kPlaces> views;
  laid_out.reserve(kPlaces);
  for (std::size_t place = 0; place < kPlaces; ++place) {
    const bool written = is_written(static_cast<Place>(place), c.problem.pass);
    const Format format = tensors[place].format();
    laid_out.emplace_back(tensors[place], layouts[place],
                          written ? kSubnormal : poison_bits(format));
    views[place] = laid_out.back().view();
  }
  LaidOutRun run;
  run.outcome = placed_call(c, views);
  std::array<Tensor, kPlaces> after;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    after[place] = laid_out[place].dense();
    if (!laid_out[place].guards_stand()) run.overwritten = name_of(static_cast<Place>(place));
  }
  run.outputs = outputs_of(std::move(after));
  return run;
}

LawOutcome compare(const LawContext& c, const LaidOutRun& run, const Outputs& dense,
                   const std::string& text) {
  if (run.outcome.kind != RunOutcome::Kind::ran) return troubled(run.outcome, text);
  if (!run.overwritten.empty()) {
    return rejected("what is no element of " + run.overwritten + " was written, " + text);
  }
  const std::string where = first_difference(dense, run.outputs, promised_rows(c, Schedule::same));
  return where.empty() ? LawOutcome{} : rejected(where + " " + text);
}

// dO = 1 throughout, as the backward of a sum has it, dense and as one element.
LawOutcome compare_expanded(const LawContext& c) {
  std::array<Tensor, kPlaces> tensors = tensors_before(c);
  const TensorView dout = tensors[kDout].view();
  if (tensors[kDout].size() == 0) return not_applicable();
  const std::uint64_t one = round_to_bits(dout.format, 1);
  for (Index at = 0; at < tensors[kDout].size(); ++at) {
    std::memcpy(dout.data + at * bytes_of(dout.format), &one,
                static_cast<std::size_t>(bytes_of(dout.format)));
  }
  Layouts layouts{};
  const LaidOutRun dense = run_laid_out(c, layouts, tensors);
  if (dense.outcome.kind != RunOutcome::Kind::ran) return troubled(dense.outcome, "with dO = 1");
  layouts[kDout] = Layout::expanded;
  return compare(c, run_laid_out(c, layouts, tensors), dense.outputs, "with dO = 1 expanded");
}

}  // namespace

LawOutcome check_layout(const LawContext& c) {
  if (!has_outputs(c.problem)) return not_applicable();
  const Layouts layouts = drawn_layouts(c);
  LawOutcome outcome =
      compare(c, run_laid_out(c, layouts, tensors_before(c)), c.outputs, describe(c, layouts));
  if (outcome.verdict != Verdict::accept || c.problem.pass == Pass::fwd) return outcome;
  outcome = compare_expanded(c);
  return outcome.applicable ? outcome : LawOutcome{};
}

}  // namespace attest
