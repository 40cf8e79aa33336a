#include "tools/bench/atrous/figures.h"

#include <algorithm>

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

}  // namespace lacuna
