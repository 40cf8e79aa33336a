// `lacuna bench atrous`: every schedule of both à-trous filters, on half-float images in device memory, timed
// with timestamps. Speed is measured here and never in a test.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/files/file_name.h"
#include "graph/schedule/stencil/schedule_words.h"
#include "tools/bench/benches.h"
#include "tools/bench/beside.h"
#include "tools/bench/measure.h"
#include "tools/bench/write.h"
#include "tools/lacuna/shell/messages.h"

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

class AtrousBench {
 public:
  AtrousBench(const BenchArguments& arguments, BenchDevice& device) : arguments_(arguments), device_(device) {
    effort_ = {arguments.runs, arguments.limitSeconds, arguments.preheatMs};
    report_.device = device.info().name;
    report_.driver = device.info().driver;
    report_.date = benchDate();
    report_.runs = arguments.runs;
    report_.bandwidth = device.bandwidth();
  }

  const BenchReport& run(const std::vector<const BenchFilter*>& filters, const std::vector<Extent>& sizes) {
    tell(printHead(report_));
    for (const Extent size : sizes) {
      const BenchImages images(size);
      for (const BenchFilter* filter : filters) {
        measureFilter(*filter, images);
      }
    }
    if (!report_.summaries.empty()) {
      tell(printLevels(report_));
      tell(print(report_.summaries));
    }
    return report_;
  }

 private:
  void tell(const std::string& text) const {
    if (!arguments_.json) {
      fmt::print("{}", text);
      std::fflush(stdout);
    }
  }

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
    const size_t first = report_.rows.size();
    double baselineMs = 0.0;
    for (const std::string& name : names) {
      BenchRow row;
      row.filter = filter.name;
      row.size = images.extent();
      row.schedule = name;
      if (const auto chain = device_.open(filter, images, name, row.refused)) {
        measure(*chain, effort_, row);
        row.floorMs = chain->floorBytes() / report_.bandwidth * 1e3;
        baselineMs = name == baselineOf(filter) ? row.ms : baselineMs;
        row.baselineMs = baselineMs;
      }
      tell(print(row));
      report_.rows.push_back(std::move(row));
    }
    summarise(filter, images, {report_.rows.begin() + static_cast<ptrdiff_t>(first), report_.rows.end()});
  }

  // The baseline, the fastest few and what `auto` takes.
  std::vector<std::string> contenders(const BenchFilter& filter, std::vector<BenchRow> rows,
                                      const std::string& automatic) const {
    std::erase_if(rows, [](const BenchRow& row) { return !row.refused.empty(); });
    std::sort(rows.begin(), rows.end(), [](const BenchRow& a, const BenchRow& b) { return a.ms < b.ms; });
    std::vector<std::string> names = {baselineOf(filter), automatic};
    for (size_t i = 0; i < std::min(contenderCount, rows.size()); ++i) {
      names.push_back(rows[i].schedule);
    }
    std::sort(names.begin() + 1, names.end());
    names.erase(std::unique(names.begin() + 1, names.end()), names.end());
    names.erase(std::remove(names.begin() + 1, names.end(), names.front()), names.end());
    return names;
  }

  void summarise(const BenchFilter& filter, const BenchImages& images, const std::vector<BenchRow>& rows) {
    BenchSummary summary;
    summary.filter = filter.name;
    summary.size = images.extent();
    summary.automatic = device_.nameOf(filter, images.extent(), "auto");
    std::vector<std::unique_ptr<BenchChain>> chains;
    for (const std::string& name : contenders(filter, rows, summary.automatic)) {
      std::string refused;
      if (auto chain = device_.open(filter, images, name, refused)) {
        summary.contenders.emplace_back(name, 0.0);
        chains.push_back(std::move(chain));
      }
    }
    if (chains.empty()) {
      return;
    }
    const std::vector<double> medians = measureInRounds(chains, effort_);
    for (size_t i = 0; i < chains.size(); ++i) {
      auto& [name, ms] = summary.contenders[i];
      ms = medians[i];
      summary.baselineMs = name == baselineOf(filter) ? ms : summary.baselineMs;
      if (name == summary.automatic) {
        summary.automaticMs = ms;
        summary.floorMs = chains[i]->floorBytes() / report_.bandwidth * 1e3;
      }
    }
    std::sort(summary.contenders.begin(), summary.contenders.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    report_.summaries.push_back(std::move(summary));
  }

  const BenchArguments& arguments_;
  BenchDevice& device_;
  BenchEffort effort_;
  BenchReport report_;
};

}  // namespace

int runBenchAtrous(const BenchArguments& arguments) {
  std::vector<Extent> sizes = arguments.sizes;
  const auto filters = chosenFilters(arguments.filters);
  if (const std::string name = unknownSchedule(filters, arguments.schedules); !name.empty()) {
    printError(fmt::format("--schedule {}: no schedule is called so; {}", name, scheduleHint(name)));
    return exitUsage;
  }
  std::vector<BesideFigure> figures;
  try {
    figures = readBeside(arguments.beside);
  } catch (const FileError& error) {
    printError(fmt::format("--beside {}", error.what()));
    return exitUsage;
  }
  BenchDevice device(arguments.device, moduleSearchPath(arguments.modules));
  if (sizes.empty()) {
    sizes = {{1920, 1080}};
    if (!device.info().isCpu()) {
      sizes.insert(sizes.end(), {{3840, 2160}, {7680, 4320}});
    }
  }
  AtrousBench bench(arguments, device);
  const BenchReport& report = bench.run(filters, sizes);
  const std::vector<BesideLine> beside = placeBeside(figures, report);
  if (!arguments.json) {
    fmt::print("{}", print(beside));
  }
  writeReport(arguments, toJson(report, beside));
  return exitOk;
}

}  // namespace lacuna
