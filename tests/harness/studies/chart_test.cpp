// Goal: a chart draws each point where its logarithms say, and leaves out what has none.
#include "harness/studies/chart.hpp"

#include <gtest/gtest.h>

#include "tests/harness/report/text_lines.hpp"

namespace attest::chart_test {
namespace {

Chart one_panel(std::vector<std::pair<double, double>> points) {
  Chart chart{"title", "keys", 16, 4096, 1};
  Panel panel{"panel", 1e-4, 1};
  panel.series.push_back({"line", "#0072b2", false, std::move(points)});
  chart.panels.push_back(std::move(panel));
  return chart;
}

TEST(Chart, SpansItsAxesByLogarithms) {
  // Corners, and the middle of both axes: 256 and 0.01.
  const std::string svg = svg_of(one_panel({{16, 1e-4}, {256, 1e-2}, {4096, 1}}));
  EXPECT_TRUE(holds(svg, "points=\"58.0,280.0 208.0,185.0 358.0,90.0\"")) << svg;
}

TEST(Chart, DrawsWhatIsBeyondTheAxesOnTheirEdgeAndZerosNotAtAll) {
  const std::string svg = svg_of(one_panel({{16, 0}, {256, 1e-9}, {4096, 1e9}}));
  EXPECT_TRUE(holds(svg, "points=\"208.0,280.0 358.0,90.0\"")) << svg;
  EXPECT_FALSE(holds(svg_of(one_panel({{16, 0}})), "polyline"));
}

}  // namespace
}  // namespace attest::chart_test
