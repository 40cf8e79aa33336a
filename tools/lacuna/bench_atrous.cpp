// `lacuna bench atrous`: every schedule of both à-trous filters, on half-float images in device memory, timed
// with timestamps. Speed is measured here and never in a test.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/run/session.h"
#include "graph/shader/compile.h"
#include "tools/lacuna/bench_images.h"
#include "tools/lacuna/benches.h"

namespace lacuna {
namespace {

struct Filter {
  std::string name;   // as --filter says it
  std::string chain;  // passes whose names start so are timed
  bool synthesis = false;
  std::string text;
};

// As in notes of the filters' first measurements: eaw with 6 levels and synthesis, the noise given; the
// guided filter's 5 levels, without packing and variance.
const std::vector<Filter>& filters() {
  static const std::vector<Filter> all = {
      {"eaw", "eaw:01:atrous", true,
       "lacuna:1\nmodule:i-memory:colour\nmodule:eaw:01\nmodule:o-memory:out\n"
       "connect:i-memory:colour:output:eaw:01:input\nconnect:eaw:01:output:o-memory:out:input\n"
       "param:eaw:01:levels:6\nparam:eaw:01:noise:0.1\n"},
      {"guided", "atrous-guided:01:levels", false,
       "lacuna:1\nmodule:i-memory:colour\nmodule:i-memory:normal\nmodule:i-memory:depth\nmodule:atrous-"
       "guided:01\n"
       "module:o-memory:out\nconnect:i-memory:colour:output:atrous-guided:01:input\n"
       "connect:i-memory:normal:output:atrous-guided:01:normal\nconnect:i-memory:depth:output:atrous-guided:"
       "01:depth\n"
       "connect:atrous-guided:01:output:o-memory:out:input\nparam:atrous-guided:01:levels:5\n"},
  };
  return all;
}

// What the device moves when it does nothing else: a pointwise pass over half-float images.
const Filter copyGraph = {"copy", "exposure:01", false,
                          "lacuna:1\nmodule:i-memory:colour\nmodule:exposure:01\nmodule:o-memory:out\n"
                          "connect:i-memory:colour:output:exposure:01:input\n"
                          "connect:exposure:01:output:o-memory:out:input\n"};

struct Row {
  std::string filter, size, schedule, refused;
  std::vector<std::pair<std::string, double>> passes;  // name after the chain's, median milliseconds
  double ms = 0.0;
  double bytes = 0.0;  // read and written by the timed passes
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

class Bench {
 public:
  explicit Bench(const BenchArguments& arguments) : arguments_(arguments), device_(deviceOptions(arguments)) {
    modules_ = moduleSearchPath(arguments.modules);
  }

  const vk::DeviceInfo& device() const { return device_.info(); }

  Row measure(const Filter& filter, Extent extent, const std::string& schedule) {
    Row row{filter.name, fmt::format("{}x{}", extent.width, extent.height), schedule, {}, {}, 0.0, 0.0};
    LoadOptions options;
    options.modulePath = modules_;
    options.memory = benchTypes(extent);
    LoadedGraph loaded = loadGraphText(filter.text, "bench.cfg", options);
    LayoutOptions layoutOptions;
    layoutOptions.device = modelOf(device_.info());
    layoutOptions.schedules[""] = schedule;
    Schedule compiled = compile(std::move(loaded.graph), layoutOptions, loaded.diagnostics);
    if (!loaded.ok()) {
      row.refused = loaded.diagnostics.sorted().front().message;
      return row;
    }
    Session session(device_, std::move(compiled), modules_, ShaderCache::defaultFolder());
    fillBenchImages(session, extent);
    heat(session);
    time(session, filter, row);
    return row;
  }

 private:
  static vk::DeviceOptions deviceOptions(const BenchArguments& arguments) {
    vk::DeviceOptions options;
    options.select = arguments.device;
    return options;
  }

  // Idle clocks lie: the GPU works before anything is timed.
  void heat(Session& session) const {
    double spent = 0.0;
    do {
      spent += std::max(session.time(0, false).totalMs, 1e-3);
    } while (spent < arguments_.preheatMs);
  }

  void time(Session& session, const Filter& filter, Row& row) const {
    const auto& passes = session.schedule().passes;
    std::vector<std::vector<double>> samples(passes.size());
    for (int run = 0; run < arguments_.runs; ++run) {
      const vk::Timings timings = session.time(0, true);
      for (size_t p = 0; p < passes.size(); ++p) {
        samples[p].push_back(timings.passMs[p]);
      }
    }
    for (size_t p = 0; p < passes.size(); ++p) {
      if (passes[p].name.starts_with(filter.chain)) {
        const double ms = median(samples[p]);
        row.passes.emplace_back(passes[p].name.substr(filter.chain.size()), ms);
        row.ms += ms;
        row.bytes += static_cast<double>(passes[p].bytesRead + passes[p].bytesWritten);
      }
    }
  }

  BenchArguments arguments_;
  vk::Device device_;
  std::vector<std::string> modules_;
};

std::vector<std::string> schedulesOf(const Filter& filter, const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string& prefix : asked.empty() ? std::vector<std::string>{""} : asked) {
    for (const StencilSchedule& schedule : schedulesNamed(prefix, filter.synthesis)) {
      const std::string name = print(schedule);
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  return names;
}

void printRow(const Row& row, double baselineMs, double floorMs) {
  if (!row.refused.empty()) {
    fmt::print("{:<7} {:<10} {:<32} refused: {}\n", row.filter, row.size, row.schedule, row.refused);
    return;
  }
  std::string passes;
  for (const auto& [name, ms] : row.passes) {
    passes += fmt::format(" {:.4f}", ms);
  }
  fmt::print("{:<7} {:<10} {:<32} {:>10.4f} {:>8} {:>8.1f} {:>8.0f} |{}\n", row.filter, row.size,
             row.schedule, row.ms, baselineMs > 0.0 ? fmt::format("{:.2f}", baselineMs / row.ms) : "-",
             row.ms / floorMs, row.bytes / row.ms * 1e-6, passes);
  std::fflush(stdout);
}

nlohmann::ordered_json toJson(const Row& row, double baselineMs, double floorMs) {
  nlohmann::ordered_json out = {{"filter", row.filter}, {"size", row.size}, {"schedule", row.schedule}};
  if (!row.refused.empty()) {
    out["refused"] = row.refused;
    return out;
  }
  out["ms"] = row.ms;
  out["bytes"] = row.bytes;
  out["floorMs"] = floorMs;
  if (baselineMs > 0.0) {
    out["speedup"] = baselineMs / row.ms;
  }
  for (const auto& [name, ms] : row.passes) {
    out["passes"].push_back({{"name", name}, {"ms", ms}});
  }
  return out;
}

}  // namespace

int runBenchAtrous(const BenchArguments& arguments, const std::vector<Extent>& sizes) {
  std::vector<Filter> chosen;
  for (const Filter& filter : filters()) {
    const auto& asked = arguments.filters;
    if (asked.empty() || std::find(asked.begin(), asked.end(), filter.name) != asked.end()) {
      chosen.push_back(filter);
    }
  }
  if (chosen.empty()) {
    fmt::print(stderr, "lacuna: no such filter: eaw, guided\n");
    return exitUsage;
  }
  Bench bench(arguments);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  if (!arguments.json) {
    fmt::print("{}, {}; median of {} runs, milliseconds\n", bench.device().name, bench.device().driver,
               arguments.runs);
    fmt::print("{:<7} {:<10} {:<32} {:>10} {:>8} {:>8} {:>8} | passes\n", "filter", "size", "schedule", "ms",
               "speedup", "x floor", "GB/s");
  }
  for (const Extent extent : sizes) {
    const Row copy = bench.measure(copyGraph, extent, "auto");
    for (const Filter& filter : chosen) {
      // The guided filter must also read its geometry, eight bytes a pixel.
      const double floorMs = filter.name == "guided" ? 1.5 * copy.ms : copy.ms;
      double baselineMs = 0.0;
      for (const std::string& schedule : schedulesOf(filter, arguments.schedules)) {
        const Row row = bench.measure(filter, extent, schedule);
        if (baselineMs == 0.0 && schedule.starts_with("baseline@16x16/image")) {
          baselineMs = row.ms;
        }
        if (arguments.json) {
          rows.push_back(toJson(row, baselineMs, floorMs));
        } else {
          printRow(row, baselineMs, floorMs);
        }
      }
    }
  }
  if (arguments.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"device", bench.device().name},
                                              {"driver", bench.device().driver},
                                              {"runs", arguments.runs},
                                              {"rows", rows}}
                           .dump(2));
  }
  return exitOk;
}

}  // namespace lacuna
