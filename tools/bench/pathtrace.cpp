// `lacuna bench pathtrace`: million rays a second over whole scenes, by timestamps around the kernel that
// traces. Rays are counted by the module itself (its output `rays`), in a separate run, because counting
// costs time.

#include <cstring>
#include <filesystem>

#include "graph/lists.h"
#include "tools/bench/lab.h"
#include "tools/bench/places.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// A measured depth of paths. In the first bounce all rays start at the eye.
struct Depth {
  const char* name;
  int bounces;
};
constexpr Depth depths[] = {{"primary", 0}, {"direct", 1}, {"paths", 5}};

std::vector<std::string> examples() {
  return {exampleScene("cornell"), exampleScene("still-life"), exampleScene("animated")};
}

std::unique_ptr<Session> open(Lab& lab, const std::string& scene, Extent size, int bounces,
                              const char* output) {
  auto session = lab.open(lab.graphOf(fmt::format(
      "module:pathtrace:01\nmodule:o-memory:01\nconnect:pathtrace:01:{}:o-memory:01:input\n"
      "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:width:{}\nparam:pathtrace:01:height:{}\n"
      "param:pathtrace:01:bounces:{}\n",
      output, fs::absolute(scene).string(), size.width, size.height, bounces)));
  session->upload(0);
  return session;
}

// The numbers of rays to the nearest surface and towards lights.
std::pair<double, double> countRays(Session& session) {
  session.compute(0);
  const std::span<const std::byte> memory = session.downloadMemory("pathtrace:01:render.rays");
  std::vector<float> counts(memory.size() / sizeof(float));
  std::memcpy(counts.data(), memory.data(), memory.size());
  double nearest = 0.0, lights = 0.0;
  for (size_t i = 0; i + 1 < counts.size(); i += 2) {
    nearest += double{counts[i]};
    lights += double{counts[i + 1]};
  }
  return {nearest, lights};
}

PassId tracing(const Session& session) {
  const auto& passes = session.schedule().passes;
  for (const PassId pass : passes.ids())
    if (passes[pass].name.find("render/trace") != std::string::npos)
      return pass;
  throw std::logic_error("the module has no pass that traces");
}

Json measure(Lab& lab, const std::string& scene, Extent size, const Depth& depth) {
  const auto [nearest, lights] = countRays(*open(lab, scene, size, depth.bounces, "rays"));
  const auto timed = open(lab, scene, size, depth.bounces, "output");
  const SessionTimes times = timesOf(*timed, {0}, lab.effort);
  const double ms = median(times.passes[tracing(*timed)]);
  return {{"scene", scene},
          {"name", fs::path(scene).stem().string()},
          {"width", size.width},
          {"height", size.height},
          {"size", print(size)},
          {"kind", depth.name},
          {"bounces", depth.bounces},
          {"rays", {{"nearest", nearest}, {"lights", lights}}},
          {"ms", ms},
          {"runs", times.totals.size()},
          {"millionPerSecond", (nearest + lights) / 1e3 / ms}};
}

}  // namespace

int runBenchPathtrace(const BenchArguments& arguments) {
  Lab lab(arguments);
  lab.report.print(lab.report.printDevice() +
                   "one sample a pixel; rays in millions: for the nearest surface, towards lights\n");
  ResultTable& table =
      lab.report.begin({"pathtrace",
                        "",
                        "",
                        {{"scene", -24, "/name"},
                         {"size", 11, "/size"},
                         {"kind", -8, "/kind"},
                         {"ms", 10, "/ms", "{:.3f}"},
                         {"nearest", 12, "/rays/nearest", "{:.3f}", 1e-6},
                         {"lights", 12, "/rays/lights", "{:.3f}", 1e-6},
                         {"Mrays/s", 10, "/millionPerSecond", "{:.1f}", 1.0, Mark::measured}}});
  table.names = 3;
  for (const std::string& scene : arguments.scenes.empty() ? examples() : arguments.scenes) {
    for (const Extent size : lab.sizes({{1920, 1080}}, {{320, 180}})) {
      for (const Depth& depth : depths) {
        table.rows.push_back(measure(lab, scene, size, depth));
        lab.report.show(table);
      }
    }
  }
  lab.report.end(table);
  return lab.report.finish();
}

}  // namespace lacuna
