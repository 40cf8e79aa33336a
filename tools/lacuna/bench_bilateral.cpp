// `lacuna bench bilateral`: the steps of Larsson 2015 at its sizes and radii, in colour and grey, per channel
// in 8 bit. Beside them a sequential filter on one thread of this machine, and the study's own figures
// (tables 6.4 to 6.6).

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "graph/compile/kernel_schedule.h"
#include "graph/median.h"
#include "graph/run/session.h"
#include "graph/shader/compile.h"
#include "tools/lacuna/bench_measure.h"
#include "tools/lacuna/bench_write.h"
#include "tools/lacuna/benches.h"
#include "tools/lacuna/sequential_bilateral.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// Seconds of the study, by size and radius: sequential, and the fastest of its versions on a GeForce GTX 760.
struct Study {
  Extent size;
  int radius;
  double sequential, fastest;
};
constexpr Study study[] = {
    {{512, 512}, 1, 0.062, 0.00180024},   {{512, 512}, 3, 0.344, 0.00892978},
    {{512, 512}, 5, 0.828, 0.0214979},    {{512, 512}, 7, 1.516, 0.0394262},
    {{512, 512}, 9, 2.391, 0.0601966},    {{512, 512}, 11, 3.438, 0.0871645},
    {{512, 512}, 13, 4.625, 0.118996},    {{512, 512}, 15, 6.0, 0.156193},
    {{1920, 1080}, 1, 0.532, 0.0140122},  {{1920, 1080}, 3, 2.75, 0.0707598},
    {{1920, 1080}, 5, 6.75, 0.170991},    {{1920, 1080}, 7, 12.392, 0.314089},
    {{1920, 1080}, 9, 19.704, 0.496465},  {{1920, 1080}, 11, 28.643, 0.724649},
    {{1920, 1080}, 13, 39.19, 0.984764},  {{1920, 1080}, 15, 51.285, 1.29131},
    {{5522, 3651}, 1, 5.172, 0.13292},    {{5522, 3651}, 3, 26.909, 0.665448},
    {{5522, 3651}, 5, 66.348, 1.60866},   {{5522, 3651}, 7, 122.353, 2.9652},
    {{5522, 3651}, 9, 195.406, 4.74923},  {{5522, 3651}, 11, 285.037, 6.92436},
    {{5522, 3651}, 13, 391.468, 9.51281}, {{5522, 3651}, 15, 514.588, 12.5168},
};

const Study* studyOf(Extent size, int radius) {
  const auto* found = std::find_if(std::begin(study), std::end(study),
                                   [&](const Study& s) { return s.size == size && s.radius == radius; });
  return found == std::end(study) ? nullptr : found;
}

struct Task {
  Extent size;
  Channels channels = Channels::rgb;
  int radius = 1;
  BilateralSigmas sigmas() const { return {radius / 2.0 + 1.0, 30.0}; }
};

struct Row {
  std::string schedule;
  double ms = 0.0;
  std::string refused;  // why the device can't run it
};

class BilateralBench {
 public:
  BilateralBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments), device_(device), modules_(moduleSearchPath(arguments.modules)) {}

  // What --schedule names, else each variant as it is by default.
  std::vector<std::string> schedules(const Task& task) const {
    if (!arguments_.schedules.empty()) {
      return arguments_.schedules;
    }
    std::vector<std::string> names;
    const LoadedGraph loaded = load(task);
    for (const Node& node : loaded.graph.nodes) {
      for (const VariantDescription* variant : variantsOf(loaded.graph, node)) {
        names.push_back(print(allKernelSchedules(*variant).front()));
      }
    }
    return names;
  }

  Row measure(const Task& task, const std::string& schedule) {
    Row row{schedule, 0.0, {}};
    const auto session = open(task, row);
    if (session == nullptr) {
      return row;
    }
    const BenchEffort effort{arguments_.runs, arguments_.limitSeconds, arguments_.preheatMs};
    heat([&] { return filterMs(*session); }, effort.preheatMs);
    std::vector<double> ms;
    BenchRuns runs(effort);
    while (runs.next()) {
      ms.push_back(filterMs(*session));
    }
    row.ms = median(ms);
    return row;
  }

 private:
  LoadedGraph load(const Task& task) const {
    const std::string text = fmt::format(
        "lacuna:1\nmodule:i-memory:in\nmodule:bilateral:01\nmodule:o-memory:out\n"
        "connect:i-memory:in:output:bilateral:01:input\nconnect:bilateral:01:output:o-memory:out:input\n"
        "param:bilateral:01:radius:{}\nparam:bilateral:01:sigma_space:{}\nparam:bilateral:01:sigma_range:{}"
        "\n",
        task.radius, task.sigmas().space, task.sigmas().range);
    LoadOptions options;
    options.modulePath = modules_;
    ValueType& type = options.memory["i-memory:in"];
    type.channels = task.channels;
    type.format = Format::u8;
    type.extent = task.size;
    type.colour = ColourTag::rec709;
    LoadedGraph loaded = loadGraphText(text, "bilateral", options);
    if (!loaded.ok()) {
      throw FileError(loaded.diagnostics.render());
    }
    return loaded;
  }

  // Null where the device can't run it.
  std::unique_ptr<Session> open(const Task& task, Row& row) {
    LoadedGraph loaded = load(task);
    LayoutOptions layout;
    layout.device = modelOf(device_.info());
    layout.schedules["bilateral:01"] = row.schedule;
    Schedule schedule = compile(std::move(loaded.graph), layout, loaded.diagnostics);
    if (!loaded.ok()) {
      row.refused = loaded.diagnostics.sorted().front().message;
      return nullptr;
    }
    row.schedule = schedule.choices.front().schedule;
    auto session =
        std::make_unique<Session>(device_, std::move(schedule), modules_, ShaderCache::defaultFolder());
    for (const Pass& pass : session->schedule().passes) {
      if (pass.kind == PassKind::upload) {
        const auto& resource =
            session->schedule().resources[static_cast<size_t>(pass.accesses.front().resource)];
        fillWithNoise(session->uploadMemory(
            session->schedule().graph.values[static_cast<size_t>(resource.value)].name));
      }
    }
    return session;
  }

  static double filterMs(Session& session) {
    const vk::Timings timings = session.time(0, true);
    const std::vector<Pass>& passes = session.schedule().passes;
    for (size_t i = 0; i < passes.size(); ++i) {
      if (passes[i].name == "bilateral:01:filter") {
        return timings.passMs[i];
      }
    }
    throw std::logic_error("the module has no pass that filters");
  }

  const BenchArguments& arguments_;
  vk::Device& device_;
  std::vector<std::string> modules_;
};

std::string times(double slow, double fast) {
  return fast > 0.0 ? fmt::format("{:.1f}", slow / fast) : "";
}

void printRow(const std::string& name, double ms, double sequentialMs) {
  fmt::print("  {:<32} {:>12.4f} {:>12}\n", name, ms, times(sequentialMs, ms));
  std::fflush(stdout);
}

Json measureTask(BilateralBench& bench, const Task& task, bool prints) {
  const int components = componentCount(task.channels);
  const double sequential = sequentialBilateralMs(task.size, components, task.radius, task.sigmas());
  Json rows = Json::array();
  if (prints) {
    fmt::print("{}x{}, {}, radius {}{:<6} {:>20} {:>12}\n", task.size.width, task.size.height,
               components == 1 ? "grey" : "colour", task.radius, "", "ms", "x sequential");
    printRow("sequential, one thread", sequential, sequential);
  }
  for (const std::string& schedule : bench.schedules(task)) {
    const Row row = bench.measure(task, schedule);
    rows.push_back({{"schedule", row.schedule}, {"ms", row.ms}, {"refused", row.refused}});
    if (prints && row.refused.empty()) {
      printRow(row.schedule, row.ms, sequential);
    } else if (prints) {
      fmt::print("  {:<32} {}\n", row.schedule, row.refused);
    }
  }
  const Study* other = components == 1 ? nullptr : studyOf(task.size, task.radius);
  if (prints && other != nullptr) {
    printRow("the study's sequential", 1e3 * other->sequential, 1e3 * other->sequential);
    printRow("the study's fastest, GTX 760", 1e3 * other->fastest, 1e3 * other->sequential);
  }
  Json json = {{"width", task.size.width}, {"height", task.size.height}, {"channels", components},
               {"radius", task.radius},    {"sequentialMs", sequential}, {"rows", rows}};
  if (other != nullptr) {
    json["study"] = {{"sequentialMs", 1e3 * other->sequential}, {"fastestMs", 1e3 * other->fastest}};
  }
  return json;
}

Json measureAll(const BenchArguments& arguments, vk::Device& device, const std::vector<Extent>& sizes) {
  BilateralBench bench(arguments, device);
  const std::vector<int> radii =
      arguments.radii.empty() ? std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15} : arguments.radii;
  Json tasks = Json::array();
  for (const Extent size : sizes) {
    for (const Channels channels : {Channels::rgb, Channels::y}) {
      for (const int radius : radii) {
        tasks.push_back(measureTask(bench, {size, channels, radius}, !arguments.json));
      }
    }
  }
  return tasks;
}

}  // namespace

int runBenchBilateral(const BenchArguments& arguments, std::vector<Extent> sizes) {
  vk::DeviceOptions options;
  options.select = arguments.device;
  vk::Device device(options);
  if (sizes.empty()) {
    sizes = {{512, 512}, {1920, 1080}, {5522, 3651}};
  }
  Json report = {{"device", device.info().name}, {"driver", device.info().driver}};
  if (!arguments.json) {
    fmt::print("{}, {}\n", device.info().name, device.info().driver);
  }
  try {
    report["filters"] = measureAll(arguments, device, sizes);
  } catch (const FileError& error) {
    fmt::print(stderr, "{}", error.what());
    return exitUsage;
  }
  writeReport(arguments, report);
  return exitOk;
}

}  // namespace lacuna
