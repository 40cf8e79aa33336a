#include "tools/bench/device/experiments.h"

#include "tools/bench/device/kept_tables.h"
#include "tools/bench/report.h"

namespace lacuna {

const std::vector<DeviceExperiment>& deviceExperiments() {
  // `clocks` comes first, because the device has rested until then.
  static const std::vector<DeviceExperiment> all = {
      {"clocks", measureClocks},         {"copy", measureCopy},
      {"latency", measureLatency},       {"banks", measureBanks},
      {"divergence", measureDivergence}, {"arithmetic", measureArithmetic},
      {"tensor", measureTensor},
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

ResultTable measureTable(DeviceBench& bench, const DeviceExperiment& experiment) {
  bench.beginTable();
  ResultTable table;
  try {
    table = experiment.measure(bench);
  } catch (const vk::DeviceError& error) {
    table.title = "not measured";
    table.refused = error.what();
  }
  table.name = experiment.name;
  table.title = table.name + ": " + table.title;
  table.facts["date"] = benchDate();
  if (table.refused.empty()) {
    KeptTables(bench.info()).write(table);
  }
  return table;
}

}  // namespace lacuna
