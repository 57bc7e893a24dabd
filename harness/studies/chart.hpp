// chart.hpp - small line charts as SVG, all axes logarithmic.
//
// Written by hand so that a study needs no other program, and with one decimal a coordinate so that
// its bytes do not depend on a library's last bit.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace attest {

struct Series {
  std::string label;
  std::string colour;
  bool dashed = false;
  std::vector<std::pair<double, double>> points = {};  // x, y > 0; others are left out
};

struct Panel {
  std::string title;
  double low, high;                           // of y: powers of ten
  std::optional<double> mark = std::nullopt;  // a line across
  std::vector<Series> series = {};
};

struct Chart {
  std::string title;
  std::string x_label;
  double left, right;  // of x: powers of two
  int columns;         // panels stand in rows of so many; they share one legend, the first's
  std::vector<Panel> panels = {};
};

[[nodiscard]] std::string svg_of(const Chart& chart);

}  // namespace attest
