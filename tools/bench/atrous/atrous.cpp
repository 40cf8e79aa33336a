// `lacuna bench atrous`: every schedule of both à-trous filters, on half-float images in device memory, timed
// with timestamps. Speed is measured only here, never in a test.

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "graph/files/file_name.h"
#include "graph/lists.h"
#include "graph/parallel.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "graph/schedule/stencil/schedule_words.h"
#include "tools/bench/atrous/figures.h"
#include "tools/bench/atrous/filters.h"
#include "tools/bench/images.h"
#include "tools/bench/study.h"

namespace lacuna {
namespace {

constexpr size_t contenderCount = 4;  // number of schedules that are measured again beside `auto`
// Schedules that exist only by name, but which the paper measures.
constexpr const char* papersWords[] = {"permuted-local", "tiled-local", "tiled-unstaged", "tiled-padded"};
constexpr Extent checkedSize{67, 41};  // of cases that a plain loop also computes
// Its relative error: halves are rounded in each level, and a deviation's rounding counts twice as much as a
// variance's.
constexpr double mostAtrousError = 6e-3;

// All forms of a filter give the same bits, except those with mirrored subimages, where pixels outside have
// their full weight.
double allowedError(const std::string& schedule) {
  return schedule.find("mirrored") != std::string::npos ? 0.1 : 0.0;
}

test::GuidedInput inputOf(const BenchImages& images) {
  const auto halves = [&](const char* name) {
    return pictureOf(floatsOf(*images.pixels.at(fmt::format("i-memory:{}:image.output", name))),
                     images.extent, 4);
  };
  const std::vector<std::byte>& depth = *images.pixels.at("i-memory:depth:image.output");
  return {halves("colour"), halves("normal"),
          pictureOf({reinterpret_cast<const float*>(depth.data()), depth.size() / sizeof(float)},
                    images.extent, 1)};
}

ResultTable atrousTable() {
  ResultTable table{"atrous", "", "", firstColumns("schedule", "/schedule")};
  table.names = 3;
  table.columns.insert(table.columns.end(), {{"ms", 10, "/ms", "{:.4f}", 1.0, Mark::measured},
                                             {"speedup", 8, "/speedup", "{:.2f}"},
                                             {"x floor", 8, "/timesFloor", "{:.2f}"},
                                             {"GB/s", 8, "/bytesPerSecond", "{:.0f}", 1e-9},
                                             {"| passes", -8, "/passTimes"}});
  return table;
}

ResultTable atrousSummary() {
  ResultTable table{"atrous-fastest", "The fastest and what auto takes, again, in alternating rounds", "",
                    firstColumns("fastest", "/best")};
  table.names = 3;
  table.columns.insert(table.columns.end(), {{"ms", 10, "/bestMs", "{:.4f}", 1.0, Mark::measured},
                                             {"speedup", 8, "/bestSpeedup", "{:.2f}"},
                                             {"  auto", -34, "/autoLabel"},
                                             {"auto ms", 10, "/autoMs", "{:.4f}", 1.0, Mark::measured},
                                             {"speedup", 8, "/autoSpeedup", "{:.2f}"},
                                             {"x floor", 8, "/autoToFloor", "{:.2f}"},
                                             {"x best", 8, "/autoToBest", "{:.2f}"}});
  return table;
}

std::string passTimes(const Json& row, const std::string& prefix) {
  std::string times = "|";
  for (const Json& pass : row.at("passes"))
    if (pass.at("name").get<std::string>().starts_with(prefix))
      times += fmt::format(" {:.4f}", msOf(&pass));
  return times;
}

// Each family's fastest schedule, level by level, and the slowest level to the first: figure 9 of Dolp,
// Hanika, Dachsbacher 2024.
ResultTable levelsTable(const Json& rows) {
  ResultTable table{"atrous-levels",
                    "The fastest of each family, by level, and the slowest level to the first", "",
                    firstColumns("schedule", "/schedule")};
  table.names = 3;
  table.columns.insert(table.columns.end(),
                       {{"slowest", 8, "/slowest", "{:.2f}"}, {"| levels", -8, "/levels"}});
  std::map<std::tuple<std::string, uint32_t, std::string>, Json> best;
  for (const Json& row : rows) {
    if (row.contains("ms")) {
      const uint32_t pixels = row.at("width").get<uint32_t>() * row.at("height").get<uint32_t>();
      Json& known = best[{row.at("filter"), pixels, row.at("family")}];
      known = known.is_null() || row.at("ms") < known.at("ms") ? row : known;
    }
  }
  for (auto& [key, row] : best) {
    double first = 0.0, slowest = 0.0;
    for (const Json& pass : row.at("passes")) {
      if (pass.at("name").get<std::string>().starts_with("level")) {
        first = first == 0.0 ? msOf(&pass) : first;
        slowest = std::max(slowest, msOf(&pass));
      }
    }
    setRatio(row, "slowest", slowest, first);
    row["levels"] = passTimes(row, "level");
    table.rows.push_back(std::move(row));
  }
  return table;
}

// What the filters share.
struct AtrousStudy {
  Lab& lab;
  double copyBytesPerSecond;
  std::optional<BenchImages> images = {};
  ResultTable summary = atrousSummary();
};

// A filter on images of one size.
class AtrousSubject : public StudySubject {
 public:
  AtrousSubject(AtrousStudy& all, const AtrousFilter& filter) : AtrousSubject(all, filter, *all.images) {}

  ResultTable table() override { return atrousTable(); }

  std::vector<StudyCandidate> candidates() override {
    const std::vector<std::string> schedules = names();
    prepare(schedules);
    std::vector<StudyCandidate> found;
    for (const std::string& name : schedules) {
      found.push_back(
          {{name}, [this](const std::string& schedule, Json& row) { return open(schedule, row); }});
    }
    return found;
  }

  void compare(ResultTable& table, size_t first) override {
    Json& row = table.rows[first];
    if (row.contains("ms")) {
      derive(row, table.facts);
      baselineMs_ = row.at("schedule") == filter_.baseline() ? msOf(&row) : baselineMs_;
      setRatio(row, "speedup", baselineMs_, msOf(&row));
      row["passTimes"] = passTimes(row, "");
      measured_.push_back(row);
    }
  }

  // The baseline, the fastest few and `auto`'s choice.
  std::vector<ResultTable> finish(ResultTable&) override {
    Json& rows = measured_;
    std::sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) { return a.at("ms") < b.at("ms"); });
    const std::string automatic = nameOf("auto");
    std::vector<std::string> names = {filter_.baseline(), automatic};
    for (size_t i = 0; i < std::min(contenderCount, rows.size()); ++i)
      if (std::find(names.begin(), names.end(), rows[i].at("schedule")) == names.end())
        names.push_back(rows[i].at("schedule"));
    names.erase(std::unique(names.begin(), names.end()), names.end());
    double floorMs = 0.0;
    RoundsOptions rounds;
    rounds.rounds = all_.lab.effort.runs;
    rounds.seconds = all_.lab.effort.seconds * static_cast<double>(names.size());
    rounds.hopeless = HUGE_VAL;
    Json unopened = Json::array();
    const auto ranked = timeTogether(
        names,
        [&](const std::string& name, Json& row) {
          auto chain = open(name, row);
          floorMs = chain != nullptr && name == automatic ? row.at("floorMs").get<double>() : floorMs;
          return chain;
        },
        all_.lab.effort.preheatMs / static_cast<double>(names.size()), rounds, unopened);
    if (ranked.empty())
      return {};
    const auto msNamed = [&](const std::string& name) {
      const auto* found = findNamed(ranked, name);
      return found == nullptr ? 0.0 : found->ms;
    };
    Json summary = {{"filter", filter_.name}};
    summary.update({{"size", rows.front().at("size")},
                    {"width", rows.front().at("width")},
                    {"height", rows.front().at("height")},
                    {"best", ranked.front().name},
                    {"bestMs", ranked.front().ms},
                    {"auto", automatic},
                    {"autoLabel", "  " + automatic},
                    {"autoMs", msNamed(automatic)},
                    {"floorMs", floorMs}});
    setRatio(summary, "autoToBest", msNamed(automatic), ranked.front().ms);
    setRatio(summary, "autoToFloor", msNamed(automatic), floorMs);
    setRatio(summary, "bestSpeedup", msNamed(filter_.baseline()), ranked.front().ms);
    setRatio(summary, "autoSpeedup", msNamed(filter_.baseline()), msNamed(automatic));
    for (const auto& [name, ms] : ranked)
      summary["rounds"].push_back({{"schedule", name}, {"ms", ms}});
    all_.summary.rows.push_back(std::move(summary));
    return {};
  }

 private:
  AtrousSubject(AtrousStudy& all, const AtrousFilter& filter, const BenchImages& images)
      : StudySubject("schedule"),
        all_(all),
        filter_(filter),
        images_(images),
        graph_(all.lab.graphOf(filter.text, images.types)) {}

  // A small picture is compared with a plain loop's; the first result that agrees is the reference of the
  // others.
  std::unique_ptr<BenchChain> open(const std::string& schedule, Json& row) {
    row = {{"filter", filter_.name},        {"size", print(images_.extent)},
           {"width", images_.extent.width}, {"height", images_.extent.height},
           {"schedule", schedule},          {"family", schedule.substr(0, schedule.find_first_of("@/"))}};
    auto chain = chainOf(schedule, row);
    if (chain == nullptr || (!expected_.isThere() && !agreesWithReference(schedule, row)) ||
        !isRight(row, expected_.errorOf(chain->compute()), allowedError(schedule)))
      return nullptr;
    row["floorMs"] = chain->floorBytes() / all_.copyBytesPerSecond * 1e3;
    return chain;
  }

  std::unique_ptr<BenchChain> chainOf(const std::string& schedule, Json& row) const {
    return openChain(
        all_.lab, graph_, {{filter_.chain, schedule}}, filter_.chain, row,
        {.change = [this](FrameGraph made) { return replaceUploads(std::move(made), images_.pixels); },
         .fuses = false});
  }

  bool agreesWithReference(const std::string& schedule, Json& row) const {
    const BenchImages small(checkedSize);
    const auto chain = AtrousSubject(all_, filter_, small).chainOf(schedule, row);
    if (chain == nullptr)
      return false;
    const std::vector<double> expected = filter_.reference(inputOf(small)).values;
    const double error =
        relativeError(floatsOf(chain->compute()), std::vector<float>(expected.begin(), expected.end()));
    return isRight(row, error, mostAtrousError + allowedError(schedule));
  }

  FrameGraph passes(const std::string& schedule, std::string& refused) const {
    // Other chains of the module get their usual schedule; only the chain is measured.
    return all_.lab.passesOf(graph_, {{filter_.chain, schedule}}, refused, false);
  }

  // The whole name of the schedule that a shorter name or "auto" chooses; empty if it chooses none.
  std::string nameOf(const std::string& schedule) const {
    std::string refused;
    for (const FilterChoice& choice : passes(schedule, refused).choices)
      if (choice.filter == filter_.chain && refused.empty())
        return choice.schedule;
    return {};
  }

  // Compiles the shaders of all these schedules, on all cores.
  void prepare(const std::vector<std::string>& schedules) const {
    inParallel(schedules.size(), [&](size_t i) {
      std::string refused;
      FrameGraph made = passes(schedules[i], refused);
      if (refused.empty())
        shadersOf(std::move(made), all_.lab.modules, ShaderCache(ShaderCache::defaultFolder()));
    });
  }

  // The schedules of names and prefixes, each once, after the baseline. --quick: for each family the fastest
  // synthesis of its layout, on images and on buffers.
  std::vector<std::string> names() const {
    std::vector<std::string> asked = all_.lab.arguments.schedules;
    if (all_.lab.arguments.quick) {
      for (const std::string& family : scheduleFamilies()) {
        for (const char* storage : {"/image", "/buffer"})
          if (const std::string name = nameOf(family + storage); !name.empty())
            asked.push_back(name);
      }
    }
    if (asked.empty()) {
      asked.emplace_back("");
      asked.insert(asked.end(), std::begin(papersWords), std::end(papersWords));
    }
    std::vector<std::string> names = {filter_.baseline()};
    for (const std::string& prefix : asked) {
      for (const StencilSchedule& schedule : schedulesNamed(prefix, filter_.synthesis)) {
        const std::string name = print(schedule);
        if (std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(name);
      }
    }
    return names;
  }

  AtrousStudy& all_;
  const AtrousFilter& filter_;
  const BenchImages& images_;
  NodeGraph graph_;
  ExpectedPicture expected_;
  double baselineMs_ = 0.0;
  Json measured_ = Json::array();  // rows that were timed
};

}  // namespace

int runBenchAtrous(const BenchArguments& arguments) {
  std::vector<const AtrousFilter*> filters;
  for (const AtrousFilter& filter : atrousFilters())
    if (isAsked(arguments.filters, filter.name))
      filters.push_back(&filter);
  for (const std::string& name : arguments.schedules) {
    // A name that a filter doesn't know is a mistake, unless another filter knows it.
    if (std::none_of(filters.begin(), filters.end(), [&](const AtrousFilter* filter) {
          return !schedulesNamed(name, filter->synthesis).empty();
        })) {
      throw Error(ErrorKind::call,
                  fmt::format("--schedule {}: no schedule has this name; {}", name, scheduleHint(name)));
    }
  }
  Lab lab(arguments);
  if (lab.isCpu() && arguments.filters.empty())  // svgf's level takes minutes there
    std::erase_if(filters, [](const AtrousFilter* filter) { return filter->name == "svgf"; });
  AtrousStudy all{lab, lab.bandwidth()};
  lab.report.json["copyBytesPerSecond"] = all.copyBytesPerSecond;
  Study atrous{
      "atrous",
      fmt::format("medians of up to {} runs by timestamps, milliseconds; floor: what a filter must read "
                  "and write, at the {:.0f} GB/s of a copy\n",
                  lab.effort.runs, all.copyBytesPerSecond * 1e-9)};
  atrous.hasOneTable = true;
  for (const Extent size : lab.sizes({{1920, 1080}, {3840, 2160}, {7680, 4320}}, {{1920, 1080}})) {
    for (const AtrousFilter* filter : filters) {
      atrous.subjects.emplace_back([&all, size, filter, isFirst = filter == filters.front()] {
        if (isFirst)
          all.images.emplace(size);
        return std::make_unique<AtrousSubject>(all, *filter);
      });
    }
  }
  atrous.summaries = [&] {
    const Json& rows = lab.report.tables().front().rows;
    std::vector<ResultTable> tables;
    if (!all.summary.rows.empty())
      tables = {levelsTable(rows), all.summary, paperTable(rows)};
    std::erase_if(tables, [](const ResultTable& table) { return table.rows.empty(); });
    return tables;
  };
  return runStudy(lab, atrous);
}

}  // namespace lacuna
