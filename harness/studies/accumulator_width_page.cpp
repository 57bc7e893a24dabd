// How the study of accumulators is told: as a page, a table and a plot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/studies/accumulator_width.hpp"
#include "harness/studies/chart.hpp"

namespace attest {
namespace {

using Points = std::vector<AccumulatorPoint>;

constexpr AccumulatedData kData[] = {AccumulatedData::equal_v_100, AccumulatedData::equal_v_1,
                                     AccumulatedData::gaussian};
constexpr Format kFormatsHere[] = {Format::f16, Format::bf16};

std::string accumulator(bool wide) { return wide ? "f32" : "f16"; }

// The points of one line, by length.
Points line_of(const Points& points, AccumulatedData data, Format format, bool wide) {
  Points line;
  std::ranges::copy_if(points, std::back_inserter(line), [&](const AccumulatorPoint& p) {
    return p.data == data && p.format == format && p.wide == wide;
  });
  return line;
}

std::string verdicts(const Points& line) {
  const auto first = std::ranges::find(line, Verdict::reject, &AccumulatorPoint::verdict);
  if (first == line.end()) return "accepted at every length";
  const bool to_the_end = std::all_of(
      first, line.end(), [](const auto& point) { return point.verdict == Verdict::reject; });
  return fmt::format("rejected from {} keys{}", first->keys,
                     to_the_end ? " on" : ", not at every length after");
}

double largest_ratio(const Points& line) {
  return std::ranges::max(line, {}, &AccumulatorPoint::ratio).ratio;
}

std::string verdict_table(const Points& points) {
  std::string text =
      "| data | format | accumulator | verdict on O | largest error/budget |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const AccumulatedData data : kData) {
    for (const Format format : kFormatsHere) {
      for (const bool wide : {true, false}) {
        const Points line = line_of(points, data, format, wide);
        text +=
            fmt::format("| {} | {} | {} | {} | {:.3f} |\n", name_of(data), shape_of(format).name,
                        accumulator(wide), verdicts(line), largest_ratio(line));
      }
    }
  }
  return text;
}

// Of what an error is a share in the plot.
double size_of(AccumulatedData data) { return data == AccumulatedData::equal_v_100 ? 100 : 1; }

Panel panel_of(const Points& points, AccumulatedData data, bool ratio) {
  Panel panel{fmt::format("{}: {}", name_of(data), ratio ? "error / budget" : "error / |V|"),
              ratio ? 1e-4 : 1e-7, ratio ? 1e3 : 1.0};
  if (ratio) panel.mark = 1;
  for (const bool wide : {true, false}) {
    for (const Format format : kFormatsHere) {
      Series series{
          fmt::format("{} data, {} accumulator", shape_of(format).name, accumulator(wide)),
          wide ? "#0072b2" : "#d55e00", format == Format::bf16};
      for (const AccumulatorPoint& p : line_of(points, data, format, wide)) {
        series.points.emplace_back(static_cast<double>(p.keys),
                                   ratio ? p.ratio : p.error / size_of(data));
      }
      panel.series.push_back(std::move(series));
    }
  }
  return panel;
}

}  // namespace

std::string accumulator_csv(const Points& points) {
  std::string text = "data,format,accumulator,keys,judged,rejected,error,ratio,verdict\n";
  for (const AccumulatorPoint& p : points) {
    const std::string_view verdict = p.verdict == Verdict::accept   ? "accept"
                                     : p.verdict == Verdict::reject ? "reject"
                                                                    : "undecided";
    text += fmt::format("\"{}\",{},{},{},{},{},{:.4e},{:.4e},{}\n", name_of(p.data),
                        shape_of(p.format).name, accumulator(p.wide), p.keys, p.judged, p.rejected,
                        p.error, p.ratio, verdict);
  }
  return text;
}

std::string accumulator_plot(const Points& points) {
  const auto [least, most] = std::ranges::minmax(points, {}, &AccumulatorPoint::keys);
  Chart chart{"Error of O against length, summed in binary32 and in FP16", "keys",
              static_cast<double>(least.keys), static_cast<double>(most.keys), 3};
  for (const bool ratio : {false, true}) {
    for (const AccumulatedData data : kData) chart.panels.push_back(panel_of(points, data, ratio));
  }
  return svg_of(chart);
}

std::string accumulator_page(const Points& points) {
  const auto gaussian = [&](Format format, bool wide) {
    return largest_ratio(line_of(points, AccumulatedData::gaussian, format, wide));
  };
  return fmt::format(
      "# Accumulator width\n\n"
      "**Question.** A kernel that sums P V in FP16 instead of binary32 is wrong in a way that no "
      "single product\nshows. From which length on does a budget see it, and on which data never?"
      "\n\n"
      "**Command.** `attest study accumulator-width` writes this page, [data.csv](data.csv) and "
      "[plot.svg](plot.svg) anew.\n\n"
      "**Method.** Two kernels, equal but for the accumulator, add key by key: `plain`, and "
      "`canary/m23-f16-accumulator`, which\ndeclares binary32 and rounds the running sum to FP16 "
      "after every addition. Both run on rows of 16 to 8,192 keys, in\nf16 and bf16; the judge "
      "compares O with the oracle's enclosure, under the same budget for both. Equal scores: q = "
      "0,\none row, one column, so that O = V exactly. Gaussian: eight rows, d_qk = 32, d_v = 8, "
      "seed 1.\n\n"
      "![error against length](plot.svg)\n\n"
      "## What it says\n\n{}\n"
      "- **V = 100**: the sum of n keys is 100 n, FP16 ends at 65,504. Before it overflows, an "
      "addition of 100 is rounded to the\n  spacing of the sum, always the same way for a while: "
      "errors add up instead of cancelling.\n"
      "- **V = 1**: every addition is exact up to 2,048. There the spacing becomes 2, 2,048 + 1 "
      "rounds back to 2,048, and the sum\n  stands still: O = 2,048 / n. No key is lost at 2,048 "
      "keys and half of them at 4,096.\n"
      "- **binary32** stays far below its budget on all of it.\n\n"
      "## What budgets do not see\n\n"
      "On Gaussian data the same fault passes at every length: an FP16 accumulator reaches {:.3f} "
      "of the budget in f16 and {:.3f} in\nbf16, where binary32 reaches {:.3f} and {:.3f}. V of "
      "mean zero keeps the running sum small, so its roundings are small,\nof both signs, and "
      "cancel; the budget grows with the sum of the weighted |v|, which does not cancel, because "
      "P is\nrounded to 16 bits and each of its roundings may err either way. A budget that knows "
      "no "
      "schedule has to allow for that.\nA suite of Gaussian cases alone would call this kernel "
      "healthy. What rejects it is data of one sign on long rows\n(families F5 and F22 among "
      "others), which is why such data are drawn in every run.\n",
      verdict_table(points), gaussian(Format::f16, false), gaussian(Format::bf16, false),
      gaussian(Format::f16, true), gaussian(Format::bf16, true));
}

}  // namespace attest
