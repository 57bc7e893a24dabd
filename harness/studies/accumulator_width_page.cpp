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
  if (to_the_end) return fmt::format("rejected from {} keys on", first->keys);
  return fmt::format("rejected at {} of {} lengths",
                     std::ranges::count(line, Verdict::reject, &AccumulatorPoint::verdict),
                     line.size());
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

Index all_of(const Points& line, Index AccumulatorPoint::*count) {
  Index sum = 0;
  for (const AccumulatorPoint& point : line) sum += point.*count;
  return sum;
}

std::string unseen(const Points& points) {
  const auto gaussian = [&](Format format, bool wide) {
    return line_of(points, AccumulatedData::gaussian, format, wide);
  };
  const Points narrow = gaussian(Format::f16, false);
  return fmt::format(
      "On Gaussian data in bf16 an FP16 accumulator uses at most {:.2f} of the budget (binary32: "
      "{:.2f}), and {} of {} outputs\nare rejected: the fault is there and no budget shows it. In "
      "f16, where P and O are rounded eight times more finely, it\nreaches {:.2f} of the budget. "
      "There {} of {} outputs are rejected, {} of the 64 of a length at most: a verdict needs "
      "many\n"
      "elements, and any single one most likely passes.\n\n"
      "V of mean zero keeps the running sum small beside what it is made of, and so its roundings, "
      "which go both ways. The\nbudget is in proportion to the sum of the weighted |v|: each "
      "rounding of P to 16 bits may err either way, and a budget\nthat knows no schedule adds them "
      "up. What rejects the kernel for certain, in both formats, is V of one sign on long rows.\n",
      largest_ratio(gaussian(Format::bf16, false)), largest_ratio(gaussian(Format::bf16, true)),
      all_of(gaussian(Format::bf16, false), &AccumulatorPoint::rejected),
      all_of(gaussian(Format::bf16, false), &AccumulatorPoint::judged), largest_ratio(narrow),
      all_of(narrow, &AccumulatorPoint::rejected), all_of(narrow, &AccumulatorPoint::judged),
      std::ranges::max(narrow, {}, &AccumulatorPoint::rejected).rejected);
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
  return fmt::format(
      "# Accumulator width\n\n"
      "**Question.** A kernel that sums P V in FP16 instead of binary32 errs in a way that no "
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
      "- **V = 100**: the sum of n keys is 100 n. Its additions are rounded to the spacing of the "
      "sum, for long stretches all\n  the same way: errors add up instead of cancelling, and past "
      "65,504 the sum is infinite.\n"
      "- **V = 1**: every addition is exact up to 2,048. There the spacing becomes 2, 2,048 + 1 "
      "rounds back to 2,048, and the sum\n  stands still: O = 2,048 / n. No key is lost at 2,048 "
      "keys and half of them at 4,096.\n"
      "- **binary32** stays below its budget everywhere.\n\n"
      "## What budgets do not see\n\n{}",
      verdict_table(points), unseen(points));
}

}  // namespace attest
