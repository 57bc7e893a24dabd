#include "harness/studies/chart.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/contract.hpp"

namespace attest {
namespace {

constexpr double kWidth = 300, kHeight = 190;                       // of a panel's axes
constexpr double kLeft = 58, kTop = 34, kRight = 12, kBottom = 34;  // around them
constexpr double kHead = 56;                                        // title and legend

struct Place {
  double x, y;
};

// Where a panel's axes begin, upper left.
Place corner_of(const Chart& chart, std::size_t number) {
  const auto columns = static_cast<std::size_t>(chart.columns);
  const auto column = static_cast<double>(number % columns);
  const auto row = static_cast<double>(number / columns);
  return {kLeft + column * (kLeft + kWidth + kRight),
          kHead + kTop + row * (kTop + kHeight + kBottom)};
}

class Drawing {
 public:
  Drawing(const Chart& chart, const Panel& panel, Place corner)
      : chart_(chart), panel_(panel), corner_(corner) {}

  [[nodiscard]] std::string text() const {
    std::string svg = fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
        "stroke=\"#888\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n",
        corner_.x, corner_.y, kWidth, kHeight, corner_.x, corner_.y - 8, panel_.title);
    svg += grid();
    if (panel_.mark) {
      svg += line(chart_.left, *panel_.mark, chart_.right, *panel_.mark, "#000", "4 3");
    }
    for (const Series& series : panel_.series) svg += path(series);
    return svg;
  }

 private:
  [[nodiscard]] double x_of(double x) const {
    return corner_.x + kWidth * std::log2(x / chart_.left) / std::log2(chart_.right / chart_.left);
  }
  [[nodiscard]] double y_of(double y) const {
    return corner_.y + kHeight * std::log10(panel_.high / y) / std::log10(panel_.high / panel_.low);
  }

  [[nodiscard]] std::string line(double x1, double y1, double x2, double y2, const char* colour,
                                 const char* dashes) const {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-dasharray=\"{}\"/>\n",
        x_of(x1), y_of(y1), x_of(x2), y_of(y2), colour, dashes);
  }

  [[nodiscard]] std::string grid() const {
    std::string svg;
    for (double x = chart_.left; x <= chart_.right; x *= 4) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.0f}</text>\n",
                         x_of(x), corner_.y + kHeight + 14, x);
    }
    for (double y = panel_.low; y < panel_.high * 1.5; y *= 10) {
      svg += line(chart_.left, y, chart_.right, y, "#ddd", "none");
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.0e}</text>\n",
                         corner_.x - 5, y_of(y) + 4, y);
    }
    return svg;
  }

  // What lies outside the axes is drawn on their edge; what has no logarithm, not at all.
  [[nodiscard]] std::string path(const Series& series) const {
    std::string points, dots;
    for (const auto& [x, y] : series.points) {
      if (!(y > 0)) continue;
      const double inside = std::fmin(std::fmax(y, panel_.low), panel_.high);
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x_of(x), y_of(inside));
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n", x_of(x),
                          y_of(inside), series.colour);
    }
    if (points.empty()) return {};
    return fmt::format(
               "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" "
               "stroke-dasharray=\"{}\"/>\n",
               points, series.colour, series.dashed ? "5 3" : "none") +
           dots;
  }

  const Chart& chart_;
  const Panel& panel_;
  Place corner_;
};

std::string legend(const Chart& chart) {
  std::string svg;
  double x = kLeft;
  for (const Series& series : chart.panels.front().series) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"42.0\" x2=\"{:.1f}\" y2=\"42.0\" stroke=\"{}\" "
        "stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n<text x=\"{:.1f}\" y=\"46.0\">{}</text>\n",
        x, x + 28, series.colour, series.dashed ? "5 3" : "none", x + 34, series.label);
    x += 230;
  }
  return svg;
}

}  // namespace

std::string svg_of(const Chart& chart) {
  ATTEST_EXPECTS(!chart.panels.empty() && chart.columns > 0);
  const auto rows =
      static_cast<double>((chart.panels.size() - 1) / static_cast<std::size_t>(chart.columns) + 1);
  const double width = chart.columns * (kLeft + kWidth + kRight);
  const double height = kHead + rows * (kTop + kHeight + kBottom) + 12;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2:.1f}\" y=\"22.0\" font-size=\"15\" font-weight=\"bold\">{3}</text>\n",
      width, height, kLeft, chart.title);
  svg += legend(chart);
  for (std::size_t n = 0; n < chart.panels.size(); ++n) {
    svg += Drawing(chart, chart.panels[n], corner_of(chart, n)).text();
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     width / 2, height - 6, chart.x_label);
  return svg + "</svg>\n";
}

}  // namespace attest
