#include "tools/bench/device/experiments.h"

#include "graph/shader/compile.h"
#include "tools/bench/device/kept_charts.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

KeptCharts keptCharts(const DeviceBench& bench) {
  return {ShaderCache::defaultFolder(), bench.info()};
}

}  // namespace

const std::vector<DeviceExperiment>& deviceExperiments() {
  // Clocks first: the device has rested until then.
  static const std::vector<DeviceExperiment> all = {
      {"clocks", measureClocks},         {"copy", measureCopy, true},
      {"latency", measureLatency},       {"banks", measureBanks},
      {"divergence", measureDivergence}, {"arithmetic", measureArithmetic, true},
      {"tensor", measureTensor, true},
  };
  return all;
}

std::vector<std::string> experimentNames() {
  std::vector<std::string> names;
  for (const DeviceExperiment& experiment : deviceExperiments()) {
    names.emplace_back(experiment.name);
  }
  return names;
}

DeviceChart measureChart(DeviceBench& bench, const DeviceExperiment& experiment) {
  bench.beginChart();
  DeviceChart chart;
  try {
    chart = experiment.measure(bench);
  } catch (const vk::DeviceError& error) {
    chart.title = "not measured";
    chart.refused = error.what();
  }
  chart.name = experiment.name;
  chart.date = benchDate();
  if (chart.refused.empty()) {
    keptCharts(bench).write(chart);
  }
  return chart;
}

DeviceChart keptOrMeasured(DeviceBench& bench, const DeviceExperiment& experiment) {
  const auto kept = keptCharts(bench).read(experiment.name);
  return kept ? *kept : measureChart(bench, experiment);
}

}  // namespace lacuna
