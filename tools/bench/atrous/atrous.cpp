// `lacuna bench atrous`: every schedule of both à-trous filters, on half-float images in device memory, timed
// with timestamps. Speed is measured here and never in a test.

#include <fmt/format.h>

#include <algorithm>

#include "graph/files/file_name.h"
#include "graph/schedule/stencil/schedule_words.h"
#include "tools/bench/atrous/beside.h"
#include "tools/bench/atrous/tables.h"
#include "tools/bench/check.h"
#include "tools/bench/measure.h"
#include "tools/bench/report.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

constexpr size_t contenderCount = 4;  // that are measured again beside `auto`

std::vector<const BenchFilter*> chosenFilters(const std::vector<std::string>& asked) {
  std::vector<const BenchFilter*> chosen;
  for (const BenchFilter& filter : benchFilters()) {
    if (isAsked(asked, filter.name)) {
      chosen.push_back(&filter);
    }
  }
  return chosen;
}

// A name that means nothing for a filter is a mistake, unless another filter knows it.
std::string unknownSchedule(const std::vector<const BenchFilter*>& filters,
                            const std::vector<std::string>& asked) {
  for (const std::string& name : asked) {
    const auto known = [&](const BenchFilter* filter) {
      return !schedulesNamed(name, filter->synthesis).empty();
    };
    if (std::none_of(filters.begin(), filters.end(), known)) {
      return name;
    }
  }
  return {};
}

// All forms of a filter give the same bits, but where subimages are mirrored: what lies outside then has its
// full weight.
double allowedError(const std::string& schedule) {
  return schedule.find("mirrored") != std::string::npos ? 0.1 : 0.0;
}

Json about(const BenchFilter& filter, Extent size) {
  return {{"filter", filter.name}, {"width", size.width}, {"height", size.height}};
}

class AtrousBench {
 public:
  AtrousBench(const BenchArguments& arguments, BenchDevice& device)
      : arguments_(arguments),
        device_(device),
        effort_{arguments.runs, arguments.limitSeconds, arguments.preheatMs},
        bandwidth_(device.bandwidth()),
        report_(arguments, device.info()) {
    report_.json["copyBytesPerSecond"] = bandwidth_;
    report_.json["rows"] = Json::array();
    report_.json["summary"] = Json::array();
  }

  int run(const std::vector<const BenchFilter*>& filters, const std::vector<Extent>& sizes,
          const std::vector<Json>& figures) {
    report_.print(report_.printDevice() + atrousHead(report_.json));
    for (const Extent size : sizes) {
      const BenchImages images(size);
      for (const BenchFilter* filter : filters) {
        measureFilter(*filter, images);
      }
    }
    if (!report_.json.at("summary").empty()) {
      report_.print(atrousLevels(report_.json.at("rows")) + atrousSummary(report_.json.at("summary")));
    }
    report_.json["beside"] = placeBeside(figures, report_.json);
    report_.print(atrousBeside(report_.json.at("beside")));
    return report_.finish();
  }

 private:
  // --quick: of each family the synthesis that pays in its layout, on images and on buffers.
  std::vector<std::string> namesOf(const BenchFilter& filter, Extent size) {
    if (!arguments_.quick) {
      return schedulesOf(filter, arguments_.schedules);
    }
    std::vector<std::string> names;
    for (const std::string& family : scheduleFamilies()) {
      for (const char* storage : {"/image", "/buffer"}) {
        if (const std::string name = device_.nameOf(filter, size, family + storage); !name.empty()) {
          names.push_back(name);
        }
      }
    }
    return schedulesOf(filter, names);
  }

  void measureFilter(const BenchFilter& filter, const BenchImages& images) {
    const std::vector<std::string> names = namesOf(filter, images.extent());
    device_.prepare(filter, images.extent(), names);
    expected_ = {};
    Json rows = Json::array();
    double baselineMs = 0.0;
    for (const std::string& name : names) {
      rows.push_back(measured(filter, images, name));
      Json& row = rows.back();
      baselineMs = name == baselineOf(filter) && row.contains("ms") ? msOf(&row) : baselineMs;
      if (row.contains("ms")) {
        setRatio(row, "speedup", baselineMs, msOf(&row));
      }
      report_.print(print(atrousColumns(), row, 3));
    }
    summarise(filter, images, rows);
    for (Json& row : rows) {
      report_.json["rows"].push_back(std::move(row));
    }
  }

  // The first picture, the baseline's, is what the others must be.
  Json measured(const BenchFilter& filter, const BenchImages& images, const std::string& name) {
    Json row = about(filter, images.extent());
    row["schedule"] = name;
    row["family"] = name.substr(0, name.find_first_of("@/"));
    std::string refused;
    const auto chain = device_.open(filter, images, name, refused);
    if (chain == nullptr) {
      row["refused"] = refused;
      return row;
    }
    if (isRight(row, expected_.errorOf(chain->compute()), allowedError(name))) {
      measure(*chain, effort_, row);
      row["floorMs"] = chain->floorBytes() / bandwidth_ * 1e3;
    }
    return row;
  }

  // The baseline, the fastest few and what `auto` takes.
  static std::vector<std::string> contenders(const BenchFilter& filter, const Json& rows,
                                             const std::string& automatic) {
    std::vector<std::pair<double, std::string>> ran;
    for (const Json& row : rows) {
      if (row.contains("ms")) {
        ran.emplace_back(row.at("ms"), row.at("schedule"));
      }
    }
    std::sort(ran.begin(), ran.end());
    std::vector<std::string> names = {baselineOf(filter), automatic};
    for (size_t i = 0; i < std::min(contenderCount, ran.size()); ++i) {
      names.push_back(ran[i].second);
    }
    std::sort(names.begin() + 1, names.end());
    names.erase(std::unique(names.begin() + 1, names.end()), names.end());
    names.erase(std::remove(names.begin() + 1, names.end(), names.front()), names.end());
    return names;
  }

  void summarise(const BenchFilter& filter, const BenchImages& images, const Json& rows) {
    Json summary = about(filter, images.extent());
    const std::string automatic = device_.nameOf(filter, images.extent(), "auto");
    std::vector<std::string> names;
    std::vector<std::unique_ptr<BenchChain>> chains;
    for (const std::string& name : contenders(filter, rows, automatic)) {
      std::string refused;
      if (auto chain = device_.open(filter, images, name, refused)) {
        names.push_back(name);
        chains.push_back(std::move(chain));
      }
    }
    if (chains.empty()) {
      return;
    }
    const std::vector<double> medians = measureInRounds(chains, effort_);
    std::vector<std::pair<double, std::string>> rounds;
    double baselineMs = 0.0, automaticMs = 0.0, floorMs = 0.0;
    for (size_t i = 0; i < chains.size(); ++i) {
      rounds.emplace_back(medians[i], names[i]);
      baselineMs = names[i] == baselineOf(filter) ? medians[i] : baselineMs;
      if (names[i] == automatic) {
        automaticMs = medians[i];
        floorMs = chains[i]->floorBytes() / bandwidth_ * 1e3;
      }
    }
    std::sort(rounds.begin(), rounds.end());
    const auto& [bestMs, best] = rounds.front();
    summary["best"] = best;
    summary["bestMs"] = bestMs;
    summary["auto"] = automatic;
    summary["autoMs"] = automaticMs;
    setRatio(summary, "autoToBest", automaticMs, bestMs);
    if (baselineMs > 0.0) {
      summary["baselineMs"] = baselineMs;
      setRatio(summary, "bestSpeedup", baselineMs, bestMs);
      setRatio(summary, "autoSpeedup", baselineMs, automaticMs);
    }
    summary["floorMs"] = floorMs;
    for (const auto& [ms, name] : rounds) {
      summary["rounds"].push_back({{"schedule", name}, {"ms", ms}});
    }
    report_.json["summary"].push_back(std::move(summary));
  }

  const BenchArguments& arguments_;
  BenchDevice& device_;
  BenchEffort effort_;
  double bandwidth_;  // bytes a second
  Report report_;
  ExpectedPicture expected_;
};

}  // namespace

int runBenchAtrous(const BenchArguments& arguments) {
  const auto filters = chosenFilters(arguments.filters);
  if (const std::string name = unknownSchedule(filters, arguments.schedules); !name.empty()) {
    throw BenchMistake(
        fmt::format("lacuna: --schedule {}: no schedule is called so; {}\n", name, scheduleHint(name)));
  }
  std::vector<Json> figures;
  try {
    figures = readBeside(arguments.beside);
  } catch (const FileError& error) {
    throw BenchMistake(fmt::format("lacuna: --beside {}\n", error.what()));
  }
  BenchDevice device(arguments.device, moduleSearchPath(arguments.modules));
  std::vector<Extent> sizes = arguments.sizes;
  if (sizes.empty()) {
    sizes = {{1920, 1080}};
    if (!device.info().isCpu()) {
      sizes.insert(sizes.end(), {{3840, 2160}, {7680, 4320}});
    }
  }
  return AtrousBench(arguments, device).run(filters, sizes, figures);
}

}  // namespace lacuna
