// Hit rates that the families of schedules would have in the caches of GPUs that are not at hand, by
// simulation.

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/pattern/cache_model.h"
#include "tools/lacuna/benches.h"

namespace lacuna {
namespace {

constexpr uint32_t levels = 6;
constexpr uint32_t bytesPerSector = 32;

struct FamilyLoads {
  const char* name;
  LevelLoads loads;
};

// As eaw has them: four halves a pixel, with the workgroups that schedules take by default.
std::vector<FamilyLoads> familiesFor(Extent extent) {
  std::vector<FamilyLoads> families(5);
  families[0] = {"baseline", {}};
  families[1] = {"rows4", {}};
  families[1].loads.rows = 4;
  families[2] = {"permuted", {}};
  families[2].loads.pattern = LoadPattern::nearby;
  families[3] = {"tiled", {}};
  families[3].loads.pattern = LoadPattern::tile;
  families[3].loads.workgroup[1] = 8;
  families[4] = {"lattice", {}};
  families[4].loads.pattern = LoadPattern::lattice;
  for (FamilyLoads& family : families) {
    family.loads.width = extent.width;
    family.loads.height = extent.height;
  }
  return families;
}

nlohmann::ordered_json toJson(const GpuModel& gpu, const FamilyLoads& family, const HitRates& rates) {
  return {{"gpu", gpu.name},
          {"family", family.name},
          {"level", family.loads.level},
          {"width", family.loads.width},
          {"height", family.loads.height},
          {"firstHitRate", rates.first()},
          {"secondHitRate", rates.second()},
          {"secondBytesPerPixel", static_cast<double>(rates.firstMisses * bytesPerSector) / rates.pixels},
          {"memoryBytesPerPixel", static_cast<double>(rates.secondMisses * bytesPerSector) / rates.pixels}};
}

void printHead(const GpuModel& gpu, Extent extent) {
  fmt::print("{}, {}x{}, 4 halves a pixel: % of hits in the first cache / in the second, by level\n",
             gpu.name, extent.width, extent.height);
}

// A line of the table; what it says goes to `rows` too.
std::string simulateLevels(const GpuModel& gpu, FamilyLoads& family, nlohmann::ordered_json& rows) {
  std::string line = fmt::format("  {:<10}", family.name);
  for (uint32_t level = 0; level < levels; ++level) {
    family.loads.level = level;
    const HitRates rates = simulateLoads(gpu, family.loads);
    rows.push_back(toJson(gpu, family, rates));
    line += fmt::format("{:>6.0f}/{:<3.0f}", 100.0 * rates.first(), 100.0 * rates.second());
  }
  return line;
}

}  // namespace

int runBenchCaches(const BenchArguments& arguments, std::vector<Extent> sizes) {
  if (sizes.empty()) {
    sizes.push_back({1920, 1080});
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Extent extent : sizes) {
    for (const GpuModel& gpu : gpuModels()) {
      if (!arguments.json) {
        printHead(gpu, extent);
      }
      for (FamilyLoads& family : familiesFor(extent)) {
        const std::string line = simulateLevels(gpu, family, rows);
        if (!arguments.json) {
          fmt::print("{}\n", line);
          std::fflush(stdout);
        }
      }
    }
  }
  if (arguments.json) {
    fmt::print("{}\n", rows.dump(2));
  }
  return exitOk;
}

}  // namespace lacuna
