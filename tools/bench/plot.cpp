#include "tools/bench/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

// Pixels.
constexpr double plotWidth = 880, curvesHeight = 420;
constexpr double topMargin = 44, bottomMargin = 52, endMargin = 184;  // the legend is on the right
constexpr double curvesMargin = 64, barsMargin = 330, barHeight = 12, barGap = 6;
constexpr double legendLine = 16;
// Also distinguishable with colour blindness (Okabe, Ito 2008).
constexpr const char* strokes[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#000000", "#888888"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

// A shown column, with its value in each row that has one.
struct Series {
  const Column* column;
  std::vector<std::pair<size_t, double>> points;

  bool isModel() const { return column->mark == Mark::model; }
};

std::vector<Series> seriesOf(const ResultTable& table) {
  std::vector<Series> all;
  for (const Column& column : table.columns) {
    if (column.mark == Mark::none)
      continue;
    Series& series = all.emplace_back(Series{&column, {}});
    const Json::json_pointer at(column.value);
    for (size_t i = 0; i < table.rows.size(); ++i)
      if (table.rows[i].contains(at) && table.rows[i].at(at).is_number())
        series.points.emplace_back(i, table.rows[i].at(at).get<double>() * column.scale);
  }
  return all;
}

double mostOf(const std::vector<Series>& all) {
  double most = 0.0;
  for (const Series& series : all)
    for (const auto& [row, value] : series.points)
      most = std::max(most, value);
  return most;
}

// 1, 2 or 5 times a power of ten, so that about six of them cover the range.
double niceStep(double range) {
  const double power = std::pow(10.0, std::floor(std::log10(range / 6.0)));
  for (const double step : {1.0, 2.0, 5.0})
    if (range / (step * power) <= 7.0)
      return step * power;
  return 10.0 * power;
}

// The place of values along an axis, bytes by their logarithms.
class PlotAxis {
 public:
  PlotAxis(double least, double most, double from, double to, bool isOfBytes = false)
      : isOfBytes_(isOfBytes), least_(along(least)), most_(along(most)), from_(from), to_(to) {
    most_ = most_ > least_ ? most_ : least_ + 1.0;
  }

  double at(double value) const { return from_ + (along(value) - least_) / (most_ - least_) * (to_ - from_); }
  std::string print(double tick) const { return isOfBytes_ ? printBytes(tick) : fmt::format("{:g}", tick); }

  std::vector<double> ticks() const {
    std::vector<double> values;
    const double step = isOfBytes_ ? std::ceil((most_ - least_) / 10.0) : niceStep(most_ - least_);
    for (double tick = std::ceil(least_ / step) * step; tick <= most_ + 1e-9 * step; tick += step)
      values.push_back(isOfBytes_ ? std::exp2(tick) : tick);
    return values;
  }

 private:
  double along(double value) const { return isOfBytes_ ? std::log2(value) : value; }
  bool isOfBytes_;
  double least_, most_, from_, to_;
};

std::string lineFrom(double x1, double y1, double x2, double y2, const std::string& style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2,
                     style);
}

std::string uprights(const PlotAxis& x, double bottom) {
  std::string text;
  for (const double tick : x.ticks()) {
    text += lineFrom(x.at(tick), topMargin, x.at(tick), bottom, "stroke=\"#ddd\"") +
            textAt(x.at(tick), bottom + 18, "middle", x.print(tick));
  }
  return text;
}

const char* dashesOf(const Series& series) {
  return series.isModel() ? " stroke-dasharray=\"5 4\"" : "";
}

std::string legendOf(const std::vector<Series>& all) {
  std::string text;
  const double x = plotWidth - endMargin + 10;
  for (size_t s = 0; s < all.size(); ++s) {
    const double y = topMargin + legendLine * static_cast<double>(s + 1);
    text += lineFrom(
        x, y - 4, x + 20, y - 4,
        fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", strokes[s % std::size(strokes)], dashesOf(all[s])));
    text += textAt(x + 26, y, "start", all[s].column->title);
  }
  return text;
}

std::string curves(const ResultTable& table, const std::vector<Series>& all) {
  const Column& first = table.columns.front();
  const double bottom = curvesHeight - bottomMargin;
  std::vector<double> xs;
  for (const Json& row : table.rows)
    xs.push_back(row.at(Json::json_pointer(first.value)).get<double>() * first.scale);
  if (xs.empty())
    return {};
  const auto [least, most] = std::minmax_element(xs.begin(), xs.end());
  const PlotAxis x(*least, *most, curvesMargin, plotWidth - endMargin, first.format == "bytes");
  const PlotAxis y(0.0, 1.05 * mostOf(all), bottom, topMargin);
  std::string text = uprights(x, bottom);
  for (const double tick : y.ticks()) {
    text += lineFrom(curvesMargin, y.at(tick), plotWidth - endMargin, y.at(tick), "stroke=\"#ddd\"") +
            textAt(curvesMargin - 6, y.at(tick) + 4, "end", y.print(tick));
  }
  for (size_t s = 0; s < all.size(); ++s) {
    std::string line, marks;
    for (const auto& [row, value] : all[s].points) {
      line += fmt::format("{:.1f},{:.1f} ", x.at(xs[row]), y.at(value));
      marks += all[s].isModel() ? ""
                                : fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n",
                                              x.at(xs[row]), y.at(value));
    }
    text += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"{}/>\n<g fill=\"{}\">\n{}</g>\n",
                        line, strokes[s % std::size(strokes)], dashesOf(all[s]),
                        strokes[s % std::size(strokes)], marks);
  }
  return text + textAt(plotWidth / 2, curvesHeight - 12, "middle", table.curvesOf);
}

double heightOfBars(const ResultTable& table, const std::vector<Series>& all) {
  const double row = barGap + barHeight * static_cast<double>(all.size());
  return topMargin + bottomMargin + row * static_cast<double>(table.rows.size());
}

// A row's bars lie below each other. A refused one shows the reason.
std::string bars(const ResultTable& table, const std::vector<Series>& all) {
  const double height = heightOfBars(table, all), each = barGap + barHeight * static_cast<double>(all.size());
  const PlotAxis x(0.0, 1.05 * mostOf(all), barsMargin, plotWidth - endMargin);
  std::string text = uprights(x, height - bottomMargin);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const double middle = topMargin + each * (static_cast<double>(i) + 0.5) + 4;
    text += textAt(barsMargin - 6, middle, "end", label(table, table.rows[i]));
    text += textAt(barsMargin + 6, middle, "start", table.rows[i].value("refused", ""));
  }
  for (size_t s = 0; s < all.size(); ++s) {
    for (const auto& [row, value] : all[s].points) {
      const double y =
          topMargin + each * static_cast<double>(row) + barGap / 2 + barHeight * static_cast<double>(s);
      text += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", barsMargin, y,
          x.at(value) - barsMargin, barHeight - 1, strokes[s % std::size(strokes)]);
    }
  }
  return text;
}

}  // namespace

std::string plot(const ResultTable& table) {
  const std::vector<Series> all = seriesOf(table);
  const bool isOfCurves = !table.curvesOf.empty() || !table.refused.empty();
  const double height = isOfCurves ? curvesHeight : heightOfBars(table, all);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      plotWidth, height);
  text += textAt(plotWidth / 2, 20, "middle", table.title);
  if (!table.refused.empty())
    return text + textAt(plotWidth / 2, height / 2, "middle", table.refused) + "</svg>\n";
  text += (isOfCurves ? curves(table, all) : bars(table, all)) + legendOf(all);
  return text + textAt(curvesMargin, 36, "start", table.measures) + "</svg>\n";
}

}  // namespace lacuna
