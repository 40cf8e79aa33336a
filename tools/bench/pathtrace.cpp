// `lacuna bench pathtrace`: million rays a second over whole scenes, by timestamps around the kernel that
// traces. Rays are counted by the module itself (its output `rays`), in a run of its own: counting costs
// time.

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/files/file_name.h"
#include "graph/load/load.h"
#include "graph/median.h"
#include "graph/module/registry.h"
#include "graph/run/session.h"
#include "graph/shader/compile.h"
#include "tools/bench/benches.h"
#include "tools/bench/example_scene.h"
#include "tools/bench/measure.h"
#include "tools/bench/write.h"
#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A depth of paths to be measured. The rays of the first all start at the eye.
struct Depth {
  const char* name;
  int bounces;
};
constexpr Depth depths[] = {{"primary", 0}, {"direct", 1}, {"paths", 5}};

struct SceneRow {
  std::string scene;
  Extent size;
  Depth depth;
  double nearest = 0, towardsLights = 0;  // rays
  double ms = 0;
  int runs = 0;

  double millionPerSecond() const { return (nearest + towardsLights) / 1e3 / ms; }
};

std::vector<std::string> examples() {
  return {exampleScene("cornell"), exampleScene("still-life"), exampleScene("animated")};
}

class PathtraceBench {
 public:
  PathtraceBench(const BenchArguments& arguments, vk::Device& device)
      : arguments_(arguments), device_(device), modules_(moduleSearchPath(arguments.modules)) {}

  SceneRow measure(const std::string& scene, Extent size, const Depth& depth) {
    SceneRow row{scene, size, depth};
    const auto counted = open(row, "rays");
    counted->compute(0);
    count(*counted, row);
    const auto timed = open(row, "output");
    const BenchEffort effort{arguments_.runs, arguments_.limitSeconds, arguments_.preheatMs};
    preheat([&] { return time(*timed); }, effort.preheatMs);
    std::vector<double> ms;
    BenchRuns runs(effort);
    while (runs.next()) {
      ms.push_back(time(*timed));
    }
    row.ms = median(ms);
    row.runs = runs.count();
    return row;
  }

 private:
  std::unique_ptr<Session> open(const SceneRow& row, const std::string& output) {
    const std::string text = fmt::format(
        "lacuna:1\nmodule:pathtrace:01\nmodule:o-memory:01\nconnect:pathtrace:01:{}:o-memory:01:input\n"
        "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:width:{}\nparam:pathtrace:01:height:{}\n"
        "param:pathtrace:01:bounces:{}\n",
        output, fs::absolute(row.scene).string(), row.size.width, row.size.height, row.depth.bounces);
    LoadOptions options;
    options.modulePath = modules_;
    LoadedGraph loaded = loadGraphText(text, row.scene, options);
    CompileOptions layout;
    layout.device = modelOf(device_.info());
    OrderedPasses schedule;
    if (loaded.ok()) {
      schedule = passesOf(std::move(loaded.graph), layout, loaded.diagnostics);
    }
    if (!loaded.ok()) {
      throw FileError(loaded.diagnostics.render());
    }
    auto session =
        std::make_unique<Session>(device_, std::move(schedule), modules_, ShaderCache::defaultFolder());
    session->upload(0);
    return session;
  }

  static void count(Session& session, SceneRow& row) {
    const std::span<const std::byte> memory = session.downloadMemory("pathtrace:01:render.rays");
    std::vector<float> counts(memory.size() / sizeof(float));
    std::memcpy(counts.data(), memory.data(), memory.size());
    for (size_t i = 0; i + 1 < counts.size(); i += 2) {
      row.nearest += double{counts[i]};
      row.towardsLights += double{counts[i + 1]};
    }
  }

  static double time(Session& session) {
    const vk::Timings timings = session.time(0, true);
    const Table<PassId, Pass>& passes = session.schedule().passes;
    for (const PassId pass : passes.ids()) {
      if (passes[pass].name.find("render/trace") != std::string::npos) {
        return timings.passMs[pass];
      }
    }
    throw std::logic_error("the module has no pass that traces");
  }

  const BenchArguments& arguments_;
  vk::Device& device_;
  std::vector<std::string> modules_;
};

Json toJson(const SceneRow& row) {
  return {{"scene", row.scene},
          {"width", row.size.width},
          {"height", row.size.height},
          {"kind", row.depth.name},
          {"bounces", row.depth.bounces},
          {"rays", {{"nearest", row.nearest}, {"lights", row.towardsLights}}},
          {"ms", row.ms},
          {"runs", row.runs},
          {"millionPerSecond", row.millionPerSecond()}};
}

std::string print(const SceneRow& row) {
  return fmt::format("{:<24} {:>11} {:<8} {:>10.3f} {:>12.3f} {:>12.3f} {:>10.1f}\n",
                     fs::path(row.scene).stem().string(),
                     fmt::format("{}x{}", row.size.width, row.size.height), row.depth.name, row.ms,
                     row.nearest / 1e6, row.towardsLights / 1e6, row.millionPerSecond());
}

Json measureAll(const BenchArguments& arguments, vk::Device& device, const std::vector<Extent>& sizes) {
  PathtraceBench bench(arguments, device);
  Json rows = Json::array();
  if (!arguments.json) {
    fmt::print("{}; one sample a pixel; rays in millions: for the nearest surface, towards lights\n",
               device.info().name);
    fmt::print("{:<24} {:>11} {:<8} {:>10} {:>12} {:>12} {:>10}\n", "scene", "size", "kind", "ms", "nearest",
               "lights", "Mrays/s");
  }
  for (const std::string& scene : arguments.scenes.empty() ? examples() : arguments.scenes) {
    for (const Extent size : sizes) {
      for (const Depth& depth : depths) {
        const SceneRow row = bench.measure(scene, size, depth);
        rows.push_back(toJson(row));
        if (!arguments.json) {
          fmt::print("{}", print(row));
          std::fflush(stdout);
        }
      }
    }
  }
  return rows;
}

}  // namespace

int runBenchPathtrace(const BenchArguments& arguments) {
  std::vector<Extent> sizes = arguments.sizes;
  vk::DeviceOptions options;
  options.select = arguments.device;
  vk::Device device(options);
  if (sizes.empty()) {
    sizes = {device.info().isCpu() ? Extent{320, 180} : Extent{1920, 1080}};
  }
  Json report = {{"device", device.info().name}, {"driver", device.info().driver}};
  try {
    report["rows"] = measureAll(arguments, device, sizes);
  } catch (const FileError& error) {
    fmt::print(stderr, "{}", error.what());
    return exitUsage;
  }
  writeReport(arguments, report);
  return exitOk;
}

}  // namespace lacuna
