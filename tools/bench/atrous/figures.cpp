#include "tools/bench/atrous/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "graph/config/json_text.h"
#include "graph/files/file_name.h"
#include "tools/bench/places.h"

namespace lacuna {
namespace {

// Milliseconds of each level of a schedule, and of the pass after them, 0 if there is none.
struct Levels {
  std::vector<double> ms;
  double upward = 0.0;
  double all = 0.0;

  double first() const { return ms.front(); }
  double last() const { return ms.back(); }  // in permuted layouts the one that restores
  double lastBefore() const { return ms.size() > 1 ? ms[ms.size() - 2] : ms.back(); }
};

// Of the fastest schedule of a family on pictures of this size; no levels if none was measured. `form`: the
// end of its name.
Levels levelsOf(const Json& rows, const std::string& filter, const Json& size, const std::string& family,
                const std::string& form) {
  const Json* best = fastest(rows, [&](const Json& row) {
    return row.at("filter") == filter && row.at("size") == size && row.at("family") == family &&
           row.at("schedule").get<std::string>().ends_with(form);
  });
  Levels levels;
  if (best != nullptr) {
    levels.all = msOf(best);
    for (const Json& pass : best->at("passes")) {
      const std::string name = pass.at("name");
      if (name.starts_with("level"))
        levels.ms.push_back(msOf(&pass));
      levels.upward = name == "synthesis" ? msOf(&pass) : levels.upward;
    }
  }
  return levels;
}

// What our schedules give for a figure of the paper, by its name in studies.json; 0 if not all were measured.
double ourFigure(const std::string& name, const Levels& baseline, const Levels& tiled,
                 const Levels& unstaged) {
  if (baseline.ms.empty() || tiled.ms.empty() || (name == "unstaged" && unstaged.ms.empty()))
    return 0.0;
  return name == "level"               ? tiled.first()
         : name == "restoring"         ? tiled.last()
         : name == "first-speedup"     ? baseline.first() / tiled.first()
         : name == "later-speedup"     ? baseline.lastBefore() / tiled.lastBefore()
         : name == "restoring-speedup" ? baseline.last() / tiled.last()
         : name == "unstaged"          ? unstaged.first() / tiled.first()
         : name == "upward"            ? tiled.upward
         : name == "upward-baseline"   ? baseline.upward
                                       : baseline.all / tiled.all;
}

Json figureOf(const Json& set, const Json& entry) {
  Json figure;
  for (const char* key : {"filter", "width", "height"})
    figure[key] = entry.at(key);
  for (const char* key : {"source", "driver", "date", "device"})
    figure[key] = set.at(key).get<std::string>();
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

Json placeBeside(const Json& figures, const std::string& device, const Json& rows) {
  Json placed = Json::array();
  for (const Json& figure : figures) {
    const Json* row = figure.at("device") == device ? rowFor(figure, rows) : nullptr;
    if (row == nullptr)
      continue;
    Json both = figure;
    both["schedule"] = row->at("schedule");
    both["ourMs"] = row->at("ms");
    both["ratio"] = msOf(row) / msOf(&figure);
    const Json* earlier = figureLike(placed, figure, {"filter", "width", "height", "like", "source"});
    if (earlier == nullptr)
      placed.push_back(std::move(both));
    else if (figure.at("ms") < earlier->at("ms"))
      placed[static_cast<size_t>(earlier - &placed.front())] = std::move(both);
  }
  return placed;
}

}  // namespace

std::vector<Column> firstColumns(const char* name, const char* value) {
  return {{"filter", -7, "/filter"}, {"size", -10, "/size"}, {name, -32, value}};
}

ResultTable paperTable(const Json& rows) {
  const Json& paper = study("atrous");
  ResultTable table{"atrous-paper",
                    "Beside Dolp, Hanika, Dachsbacher 2024, section 4.2: 1920x1080 on a " +
                        paper.at("device").get<std::string>(),
                    "",
                    {{"filter", -7, "/filter"},
                     {"size", -10, "/size"},
                     {"figure", -58, "/what"},
                     {"ours", 9, "/ours", "{:.4f}", 1.0, Mark::measured},
                     {"paper's", 9, "/paper", "{:.2f}"}}};
  table.names = 3;
  std::vector<Json> sizes;
  for (const Json& row : rows)
    if (std::find(sizes.begin(), sizes.end(), row.at("size")) == sizes.end())
      sizes.push_back(row.at("size"));
  for (const Json& size : sizes) {
    for (const Json& figure : paper.at("figures")) {
      const std::string filter = figure.at("filter");
      const auto levels = [&](const char* family) {
        return levelsOf(rows, filter, size, family, filter == "eaw" ? "/pass" : "");
      };
      const double ours =
          ourFigure(figure.at("name"), levels("baseline"), levels("tiled"), levels("tiled-unstaged"));
      if (ours > 0.0) {
        table.rows.push_back({{"filter", filter},
                              {"size", size},
                              {"name", figure.at("name")},
                              {"what", figure.at("what")},
                              {"ours", ours},
                              {"paper", figure.at("value")}});
      }
    }
  }
  return table;
}

Json readBeside(const std::vector<std::string>& paths) {
  Json figures = Json::array();
  for (const std::string& path : paths) {
    std::ifstream file(path);
    if (!file)
      throw FileError(fmt::format("{}: can't be read", path));
    try {
      const Json content = readOrderedJson(std::string{std::istreambuf_iterator<char>(file), {}});
      for (const Json& set : content.at("sets"))
        for (const Json& entry : set.at("figures"))
          figures.push_back(figureOf(set, entry));
    } catch (const Json::exception& error) {
      throw FileError(fmt::format("{}: no file of figures: {} (tools/bench/README.md says what is expected)",
                                  path, error.what()));
    }
  }
  return figures;
}

ResultTable besideTable(const Json& figures, const std::string& device, const Json& rows) {
  ResultTable table{"atrous-beside", "", "", firstColumns("theirs", "/variant")};
  table.names = 3;
  table.columns.insert(table.columns.end(), {{"ms", 10, "/ms", "{:.4f}", 1.0, Mark::measured},
                                             {"  ours", -34, "/label"},
                                             {"our ms", 10, "/ourMs", "{:.4f}", 1.0, Mark::measured},
                                             {"ratio", 8, "/ratio", "{:.2f}"}});
  table.rows = placeBeside(figures, device, rows);
  for (Json& row : table.rows) {
    row["size"] = fmt::format("{}x{}", row.at("width").get<int>(), row.at("height").get<int>());
    row["label"] = "  " + row.at("schedule").get<std::string>();
    const std::string source =
        fmt::format("{} ({}, {})", row.at("source").get<std::string>(), row.at("driver").get<std::string>(),
                    row.at("date").get<std::string>());
    if (table.title.find(source) == std::string::npos)
      table.title += (table.title.empty() ? "Beside " : "; ") + source;
  }
  return table;
}

}  // namespace lacuna
