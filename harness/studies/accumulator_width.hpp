// accumulator_width.hpp - error against length for outputs summed in binary32 and in FP16.
#pragma once

#include <string_view>
#include <vector>

#include "core/format.hpp"
#include "core/tensor.hpp"
#include "harness/studies/study.hpp"
#include "judge/verdict.hpp"

namespace attest {

// What V and the scores are.
enum class AccumulatedData : unsigned char { equal_v_100, equal_v_1, gaussian };

// One kernel on one length.
struct AccumulatorPoint {
  AccumulatedData data;
  Format format;  // of inputs and outputs
  bool wide;      // the accumulator is binary32; else FP16
  Index keys;
  Verdict verdict;  // of O
  Index judged;
  Index rejected;
  double error;  // of the element with the largest ratio: infinity where O is no number
  double ratio;  // error over budget, the largest; infinity likewise
};

[[nodiscard]] std::string_view name_of(AccumulatedData data);

// Every format and accumulator on this data and so many keys.
[[nodiscard]] std::vector<AccumulatorPoint> accumulate(AccumulatedData data, Index keys);

// README.md, data.csv and plot.svg.
[[nodiscard]] std::vector<StudyFile> make_accumulator_width();

// The same of points at hand.
[[nodiscard]] std::string accumulator_csv(const std::vector<AccumulatorPoint>& points);
[[nodiscard]] std::string accumulator_plot(const std::vector<AccumulatorPoint>& points);
[[nodiscard]] std::string accumulator_page(const std::vector<AccumulatorPoint>& points);

}  // namespace attest
