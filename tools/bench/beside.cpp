#include "tools/bench/beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "graph/files/file_name.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

BesideFigure figureOf(const Json& set, const Json& entry) {
  BesideFigure figure;
  figure.device = set.at("device");
  figure.driver = set.at("driver");
  figure.date = set.at("date");
  figure.source = set.at("source");
  figure.filter = entry.at("filter");
  figure.size = {entry.at("width"), entry.at("height")};
  figure.variant = entry.at("variant");
  figure.like = entry.value("like", "");
  figure.ms = entry.at("ms");
  return figure;
}

// "rows4@8x16/image/gathered" -> "rows4/image/gathered"
std::string withoutWorkgroup(std::string schedule) {
  const size_t at = schedule.find('@');
  return at == std::string::npos ? schedule : schedule.erase(at, schedule.find('/', at) - at);
}

bool sameWork(const BesideFigure& a, const BesideFigure& b) {
  return a.filter == b.filter && a.size.width == b.size.width && a.size.height == b.size.height &&
         a.like == b.like && a.source == b.source;
}

const BenchRow* rowFor(const BesideFigure& figure, const BenchReport& report) {
  const BenchRow* best = nullptr;
  const BenchRow* same = nullptr;
  for (const BenchRow& row : report.rows) {
    if (row.filter != figure.filter || row.size.width != figure.size.width ||
        row.size.height != figure.size.height || !row.refused.empty()) {
      continue;
    }
    best = best == nullptr || row.ms < best->ms ? &row : best;
    if (withoutWorkgroup(row.schedule) == figure.like && (same == nullptr || row.ms < same->ms)) {
      same = &row;
    }
  }
  return same != nullptr ? same : best;
}

}  // namespace

std::vector<BesideFigure> readBeside(const std::vector<std::string>& paths) {
  std::vector<BesideFigure> figures;
  for (const std::string& path : paths) {
    std::ifstream file(path);
    if (!file) {
      throw FileError(fmt::format("{}: can't be read", path));
    }
    try {
      const Json content = Json::parse(file);
      for (const Json& set : content.at("sets")) {
        for (const Json& entry : set.at("figures")) {
          figures.push_back(figureOf(set, entry));
        }
      }
    } catch (const Json::exception& error) {
      throw FileError(fmt::format("{}: no file of figures: {} (tools/bench/README.md says what is expected)",
                                  path, error.what()));
    }
  }
  return figures;
}

std::vector<BesideLine> placeBeside(const std::vector<BesideFigure>& figures, const BenchReport& report) {
  std::vector<BesideLine> lines;
  for (const BesideFigure& figure : figures) {
    const BenchRow* row = figure.device == report.device ? rowFor(figure, report) : nullptr;
    if (row == nullptr) {
      continue;
    }
    const auto earlier = std::find_if(lines.begin(), lines.end(),
                                      [&](const BesideLine& line) { return sameWork(line.figure, figure); });
    if (earlier == lines.end()) {
      lines.push_back({figure, row->schedule, row->ms});
    } else if (figure.ms < earlier->figure.ms) {
      earlier->figure = figure;
    }
  }
  return lines;
}

}  // namespace lacuna
