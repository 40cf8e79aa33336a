// `lacuna bench device`: what the device itself can do, by micro-benchmarks: the ceilings that other
// benchmarks are held against.

#include <fmt/format.h>

#include <filesystem>

#include "graph/files/file_name.h"
#include "tools/bench/device/ceilings.h"
#include "tools/bench/device/experiments.h"
#include "tools/bench/lab.h"
#include "tools/shell/text_file.h"

namespace lacuna {
namespace {

std::string print(const DeviceCeilings& ceilings) {
  std::string text;
  const auto add = [&](const char* name, double value, const char* unit) {
    text += value > 0.0 ? fmt::format("  {}: {}\n", name, print(ChartFigure{name, value, unit})) : "";
  };
  add("copy", ceilings.copyBytesPerSecond, "byte/s");
  add("f32 multiply-adds", ceilings.f32PerSecond, "op/s");
  add("products of f16 matrices, f32 sums", ceilings.tensorF32PerSecond, "op/s");
  add("products of f16 matrices, f16 sums", ceilings.tensorF16PerSecond, "op/s");
  return text.empty() ? "" : "\nceilings\n" + text;
}

Json toJson(const DeviceCeilings& ceilings) {
  return {{"copyBytesPerSecond", ceilings.copyBytesPerSecond},
          {"f32PerSecond", ceilings.f32PerSecond},
          {"tensorF32PerSecond", ceilings.tensorF32PerSecond},
          {"tensorF16PerSecond", ceilings.tensorF16PerSecond}};
}

// Throws FileError where the folder can't be made.
void makePlotFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw FileError(fmt::format("--plots {}: the folder can't be made: {}", folder, error.message()));
  }
}

std::vector<DeviceChart> measureCharts(const BenchArguments& arguments, DeviceBench& bench,
                                       const Report& report) {
  std::vector<DeviceChart> charts;
  for (const DeviceExperiment& experiment : deviceExperiments()) {
    if (!isAsked(arguments.parts, experiment.name)) {
      continue;
    }
    charts.push_back(arguments.kept ? keptOrMeasured(bench, experiment) : measureChart(bench, experiment));
    report.print(print(charts.back()));
    if (!arguments.plots.empty()) {
      const std::filesystem::path path =
          std::filesystem::path(arguments.plots) / (charts.back().name + ".svg");
      writeTextFile(path.string(), plot(charts.back()));
    }
  }
  return charts;
}

}  // namespace

int runBenchDevice(const BenchArguments& arguments) {
  if (!arguments.plots.empty()) {
    makePlotFolder(arguments.plots);
  }
  Lab lab(arguments);
  DeviceBench bench(lab.device,
                    {arguments.runs, arguments.limitSeconds, arguments.preheatMs, arguments.quick},
                    lab.modules);
  lab.report.print(lab.report.printDevice() +
                   fmt::format("medians of up to {} runs by timestamps\n", arguments.runs));
  const std::vector<DeviceChart> charts = measureCharts(arguments, bench, lab.report);
  const DeviceCeilings ceilings = ceilingsOf(charts);
  lab.report.print(print(ceilings));
  Json& json = lab.report.json;
  json["ceilings"] = toJson(ceilings);
  json["charts"] = Json::array();
  for (const DeviceChart& chart : charts) {
    json["charts"].push_back(toJson(chart));
  }
  return lab.report.finish();
}

}  // namespace lacuna
