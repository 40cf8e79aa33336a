#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tools/bench/device/chart.h"

namespace lacuna {
namespace {

// Pixels.
constexpr double plotWidth = 880, plotHeight = 420;
constexpr double leftMargin = 64, rightMargin = 184, topMargin = 44,
                 bottomMargin = 52;  // the legend is on the right
constexpr double legendLine = 16;
// Told apart by those who see fewer colours, too (Okabe, Ito 2008).
constexpr const char* strokes[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return out;
}

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

// 1, 2 or 5 times a power of ten, so that about six of them cover the range.
double niceStep(double range) {
  const double power = std::pow(10.0, std::floor(std::log10(range / 6.0)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (range / (step * power) <= 7.0) {
      return step * power;
    }
  }
  return 10.0 * power;
}

// Where values lie along an axis: y from 0, x from the least value, bytes by their logarithms.
class PlotAxis {
 public:
  PlotAxis(double least, double most, double from, double to, bool isOfBytes)
      : isOfBytes_(isOfBytes), least_(along(least)), most_(along(most)), from_(from), to_(to) {
    most_ = most_ > least_ ? most_ : least_ + 1.0;
  }

  double at(double value) const { return from_ + (along(value) - least_) / (most_ - least_) * (to_ - from_); }

  std::vector<double> ticks() const {
    std::vector<double> values;
    const double step = isOfBytes_ ? std::ceil((most_ - least_) / 10.0) : niceStep(most_ - least_);
    for (double tick = std::ceil(least_ / step) * step; tick <= most_ + 1e-9 * step; tick += step) {
      values.push_back(isOfBytes_ ? std::exp2(tick) : tick);
    }
    return values;
  }

 private:
  double along(double value) const { return isOfBytes_ ? std::log2(value) : value; }
  bool isOfBytes_;
  double least_, most_, from_, to_;
};

struct PlotAxes {
  PlotAxis x, y;
};

PlotAxes axesOf(const DeviceChart& chart) {
  double leastX = HUGE_VAL, mostX = -HUGE_VAL, mostY = 0.0;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      leastX = std::min(leastX, point.x);
      mostX = std::max(mostX, point.x);
      mostY = std::max(mostY, point.y);
    }
  }
  return {{leastX, mostX, leftMargin, plotWidth - rightMargin, chart.x == "byte"},
          {0.0, 1.05 * mostY, plotHeight - bottomMargin, topMargin, false}};
}

std::string gridOf(const DeviceChart& chart, const PlotAxes& axes) {
  std::string text = "<g stroke=\"#ddd\">\n";
  std::string words;
  for (const double x : axes.x.ticks()) {
    text += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n", axes.x.at(x),
                        topMargin, plotHeight - bottomMargin);
    words += textAt(axes.x.at(x), plotHeight - bottomMargin + 18, "middle",
                    chart.x == "byte" ? printBytes(x) : fmt::format("{:g}", x));
  }
  for (const double y : axes.y.ticks()) {
    text += fmt::format("<line x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>\n", axes.y.at(y),
                        leftMargin, plotWidth - rightMargin);
    words += textAt(leftMargin - 6, axes.y.at(y) + 4, "end", fmt::format("{:g}", y));
  }
  return text + "</g>\n" + words;
}

const char* dashesOf(const ChartSeries& series) {
  return series.isModel ? " stroke-dasharray=\"5 4\"" : "";
}

std::string curveOf(const ChartSeries& series, const PlotAxes& axes, const char* stroke) {
  std::string line, marks;
  for (const ChartPoint& point : series.points) {
    const double x = axes.x.at(point.x), y = axes.y.at(point.y);
    line += fmt::format("{:.1f},{:.1f} ", x, y);
    marks += series.isModel ? "" : fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n", x, y);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"{}/>\n<g fill=\"{}\">\n{}</g>\n",
                     line, stroke, dashesOf(series), stroke, marks);
}

std::string legendOf(const DeviceChart& chart) {
  std::string text;
  const double x = plotWidth - rightMargin + 10;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const double y = topMargin + legendLine * static_cast<double>(s + 1);
    text += fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", x,
        x + 20, y - 4, y - 4, strokes[s % std::size(strokes)], dashesOf(chart.series[s]));
    text += textAt(x + 26, y, "start", chart.series[s].name);
  }
  return text;
}

}  // namespace

std::string plot(const DeviceChart& chart) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      plotWidth, plotHeight);
  text += textAt(plotWidth / 2, 20, "middle", chart.title);
  if (!chart.refused.empty()) {
    return text + textAt(plotWidth / 2, plotHeight / 2, "middle", chart.refused) + "</svg>\n";
  }
  const PlotAxes axes = axesOf(chart);
  text += gridOf(chart, axes);
  for (size_t s = 0; s < chart.series.size(); ++s) {
    text += curveOf(chart.series[s], axes, strokes[s % std::size(strokes)]);
  }
  text += legendOf(chart);
  text += textAt(leftMargin, 36, "start", chart.y);
  text += textAt(plotWidth / 2, plotHeight - 12, "middle", chart.x == "byte" ? "size" : chart.x);
  return text + "</svg>\n";
}

}  // namespace lacuna
