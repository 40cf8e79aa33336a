#include "tools/bench/atrous/beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "graph/config/json_text.h"
#include "graph/files/file_name.h"
#include "tools/bench/places.h"

namespace lacuna {
namespace {

Json figureOf(const Json& set, const Json& entry) {
  Json figure;
  for (const char* key : {"filter", "width", "height"}) {
    figure[key] = entry.at(key);
  }
  for (const char* key : {"source", "driver", "date", "device"}) {
    figure[key] = set.at(key).get<std::string>();
  }
  figure["variant"] = entry.at("variant").get<std::string>();
  figure["like"] = entry.value("like", "");
  figure["ms"] = entry.at("ms").get<double>();
  return figure;
}

// "rows4@8x16/image/gathered" -> "rows4/image/gathered"
std::string withoutWorkgroup(std::string schedule) {
  const size_t at = schedule.find('@');
  return at == std::string::npos ? schedule : schedule.erase(at, schedule.find('/', at) - at);
}

const Json* rowFor(const Json& figure, const Json& rows) {
  const auto isOfIt = [&](const Json& row) { return agree(row, figure, {"filter", "width", "height"}); };
  const Json* same = fastest(rows, [&](const Json& row) {
    return isOfIt(row) && withoutWorkgroup(row.at("schedule")) == figure.at("like");
  });
  return same != nullptr ? same : fastest(rows, isOfIt);
}

}  // namespace

Json readBeside(const std::vector<std::string>& paths) {
  Json figures = Json::array();
  for (const std::string& path : paths) {
    std::ifstream file(path);
    if (!file) {
      throw FileError(fmt::format("{}: can't be read", path));
    }
    try {
      const Json content = readOrderedJson(std::string{std::istreambuf_iterator<char>(file), {}});
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

Json placeBeside(const Json& figures, const std::string& device, const Json& rows) {
  Json placed = Json::array();
  for (const Json& figure : figures) {
    const Json* row = figure.at("device") == device ? rowFor(figure, rows) : nullptr;
    if (row == nullptr) {
      continue;
    }
    Json both = figure;
    both["schedule"] = row->at("schedule");
    both["ourMs"] = row->at("ms");
    both["ratio"] = msOf(row) / msOf(&figure);
    const Json* earlier = figureLike(placed, figure, {"filter", "width", "height", "like", "source"});
    if (earlier == nullptr) {
      placed.push_back(std::move(both));
    } else if (figure.at("ms") < earlier->at("ms")) {
      placed[static_cast<size_t>(earlier - &placed.front())] = std::move(both);
    }
  }
  return placed;
}

}  // namespace lacuna
