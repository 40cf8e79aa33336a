// `lacuna bench pathtrace`: million rays a second over whole scenes, by timestamps around the kernel that
// traces. Rays are counted by the module itself (its output `rays`), in a run of its own: counting costs
// time.

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "graph/compile/compile.h"
#include "graph/median.h"
#include "graph/module/registry.h"
#include "graph/run/session.h"
#include "graph/shader/compile.h"
#include "tools/bench/example_scene.h"
#include "tools/bench/lab.h"
#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// A depth of paths to be measured. The rays of the first all start at the eye.
struct Depth {
  const char* name;
  int bounces;
};
constexpr Depth depths[] = {{"primary", 0}, {"direct", 1}, {"paths", 5}};

std::vector<std::string> examples() {
  return {exampleScene("cornell"), exampleScene("still-life"), exampleScene("animated")};
}

class PathtraceBench {
 public:
  explicit PathtraceBench(Lab& lab) : lab_(lab) {}

  Json measure(const std::string& scene, Extent size, const Depth& depth) {
    Json row = {{"scene", scene},
                {"width", size.width},
                {"height", size.height},
                {"kind", depth.name},
                {"bounces", depth.bounces}};
    const auto counted = open(row, "rays");
    counted->compute(0);
    count(*counted, row);
    const auto timed = open(row, "output");
    preheat([&] { return time(*timed); }, lab_.effort.preheatMs);
    std::vector<double> ms;
    BenchRuns runs(lab_.effort);
    while (runs.next()) {
      ms.push_back(time(*timed));
    }
    row["ms"] = median(ms);
    row["runs"] = runs.count();
    const double rays = row["rays"]["nearest"].get<double>() + row["rays"]["lights"].get<double>();
    row["millionPerSecond"] = rays / 1e3 / row["ms"].get<double>();
    return row;
  }

 private:
  std::unique_ptr<Session> open(const Json& row, const std::string& output) {
    const std::string text = fmt::format(
        "lacuna:1\nmodule:pathtrace:01\nmodule:o-memory:01\nconnect:pathtrace:01:{}:o-memory:01:input\n"
        "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:width:{}\nparam:pathtrace:01:height:{}\n"
        "param:pathtrace:01:bounces:{}\n",
        output, fs::absolute(row.at("scene").get<std::string>()).string(), row.at("width").get<int>(),
        row.at("height").get<int>(), row.at("bounces").get<int>());
    LoadOptions options;
    options.modulePath = lab_.modules;
    LoadedGraph loaded = loadGraphText(text, row.at("scene").get<std::string>(), options);
    CompileOptions layout;
    layout.device = lab_.device.info().limits;
    OrderedPasses schedule;
    if (loaded.ok()) {
      schedule = passesOf(std::move(loaded.graph), layout, loaded.diagnostics);
    }
    if (!loaded.ok()) {
      throw BenchMistake(loaded.diagnostics.render());
    }
    auto session = std::make_unique<Session>(lab_.device, std::move(schedule), lab_.modules,
                                             ShaderCache::defaultFolder());
    session->upload(0);
    return session;
  }

  static void count(Session& session, Json& row) {
    const std::span<const std::byte> memory = session.downloadMemory("pathtrace:01:render.rays");
    std::vector<float> counts(memory.size() / sizeof(float));
    std::memcpy(counts.data(), memory.data(), memory.size());
    double nearest = 0.0, lights = 0.0;
    for (size_t i = 0; i + 1 < counts.size(); i += 2) {
      nearest += double{counts[i]};
      lights += double{counts[i + 1]};
    }
    row["rays"] = {{"nearest", nearest}, {"lights", lights}};
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

  Lab& lab_;
};

const std::vector<Column>& rayColumns() {
  static const std::vector<Column> columns = {
      {"scene", -24,
       [](const Json& row) { return fs::path(row.at("scene").get<std::string>()).stem().string(); }},
      {"size", 11,
       [](const Json& row) {
         return fmt::format("{}x{}", row.at("width").get<int>(), row.at("height").get<int>());
       }},
      column("kind", -8, "/kind"),
      column("ms", 10, "/ms", "{:.3f}"),
      column("nearest", 12, "/rays/nearest", "{:.3f}", 1e-6),
      column("lights", 12, "/rays/lights", "{:.3f}", 1e-6),
      column("Mrays/s", 10, "/millionPerSecond", "{:.1f}")};
  return columns;
}

}  // namespace

int runBenchPathtrace(const BenchArguments& arguments) {
  Lab lab(arguments);
  std::vector<Extent> sizes = arguments.sizes;
  if (sizes.empty()) {
    sizes = {lab.device.info().isCpu() ? Extent{320, 180} : Extent{1920, 1080}};
  }
  PathtraceBench bench(lab);
  Json& rows = lab.report.json["rows"] = Json::array();
  lab.report.print(lab.report.printDevice() +
                   "one sample a pixel; rays in millions: for the nearest surface, towards lights\n" +
                   printTitles(rayColumns()));
  for (const std::string& scene : arguments.scenes.empty() ? examples() : arguments.scenes) {
    for (const Extent size : sizes) {
      for (const Depth& depth : depths) {
        lab.report.print(print(rayColumns(), rows.emplace_back(bench.measure(scene, size, depth))));
      }
    }
  }
  return lab.report.finish();
}

}  // namespace lacuna
