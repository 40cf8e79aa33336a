// `lacuna bench device`: the device's limits, by micro-benchmarks: the ceilings for other
// benchmarks.

#include "graph/lists.h"
#include "tools/bench/device/device_bench.h"
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
  for (const DeviceExperiment& experiment : deviceExperiments())
    names.emplace_back(experiment.name);
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
  if (table.refused.empty())
    KeptTables(bench.info()).write(table);
  return table;
}

int runBenchDevice(const BenchArguments& arguments) {
  Lab lab(arguments);
  DeviceBench bench(lab);
  lab.report.print(lab.report.printDevice());
  for (const DeviceExperiment& experiment : deviceExperiments()) {
    if (isAsked(arguments.parts, experiment.name)) {
      const auto kept = arguments.kept ? KeptTables(lab.device.info()).read(experiment.name) : std::nullopt;
      lab.report.add(kept ? *kept : measureTable(bench, experiment));
    }
  }
  const std::deque<ResultTable>& tables = lab.report.tables();
  const DeviceCeilings ceilings = ceilingsOf([&](const std::string& name) {
    const ResultTable* found = findNamed(tables, name);
    return found == nullptr ? std::nullopt : std::optional(*found);
  });
  lab.report.json["ceilings"] = toJson(ceilings);
  std::string text;
  for (const Figure& figure :
       {Figure{"copy", ceilings.copyBytesPerSecond, "byte/s"},
        Figure{"f32 multiply-adds", ceilings.f32PerSecond, "op/s"},
        Figure{"products of f16 matrices, f32 sums", ceilings.tensorF32PerSecond, "op/s"},
        Figure{"products of f16 matrices, f16 sums", ceilings.tensorF16PerSecond, "op/s"}})
    text += figure.value > 0.0 ? fmt::format("  {}: {}\n", figure.name, print(figure)) : "";
  lab.report.print(text.empty() ? "" : "\nceilings\n" + text);
  return lab.report.finish();
}

}  // namespace lacuna
