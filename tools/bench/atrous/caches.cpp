// `lacuna bench caches`: hit rates of the families of schedules in the caches of GPUs that are not at hand,
// and what they would take there, by simulation: figure 10 of Dolp, Hanika, Dachsbacher 2024 in our form, and
// the speed-ups that they measured beside the model's.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "graph/parallel.h"
#include "tools/bench/models/family_model.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

constexpr double bytesPerSector = 32;

// Speed-ups of tiled over the baseline that the paper measured (section 4.2), in the first level and the last
// but for the one that restores.
struct Measured {
  std::string_view gpu, filter;
  double first, later;
};
constexpr Measured measured[] = {
    {"RTX 3070", "svgf", 2.5, 3.8}, {"RTX 2070", "svgf", 1.33, 2.42}, {"RX 7900 XT", "eaw", 1.72, 2.85}};

struct FamilyResult {
  std::string_view family;
  std::vector<ModelLevel> levels;
  std::optional<ModelLevel> upward;  // not in ms(): our permuted schedules carry the sum along instead
  double ms() const {
    double sum = 0.0;
    for (const ModelLevel& level : levels) {
      sum += level.ms;
    }
    return sum;
  }
};

using Results = std::vector<FamilyResult>;  // of a GPU and filter, a family each

Results simulate(const GpuModel& gpu, const ModelFilter& filter, Extent extent) {
  const std::vector<ModelFamily>& families = modelFamilies();
  Results results(families.size());
  inParallel(families.size(), [&](size_t i) {
    results[i] = {families[i].name, modelLevels(gpu, filter, families[i], extent.width, extent.height),
                  std::nullopt};
    if (filter.synthesis) {
      results[i].upward = modelUpward(gpu, filter, families[i], extent.width, extent.height);
    }
  });
  return results;
}

const FamilyResult& named(const Results& results, std::string_view family) {
  return *std::find_if(results.begin(), results.end(),
                       [&](const FamilyResult& result) { return result.family == family; });
}

const FamilyResult& fastestFamily(const Results& results) {
  return *std::min_element(results.begin(), results.end(),
                           [](const FamilyResult& a, const FamilyResult& b) { return a.ms() < b.ms(); });
}

std::string print(const GpuModel& gpu, const ModelFilter& filter, Extent extent, const Results& results) {
  std::string text =
      fmt::format("{}, {}, {}x{}: % of hits in the first cache/in the second, and milliseconds, by level\n",
                  gpu.name, filter.name, extent.width, extent.height);
  for (const FamilyResult& result : results) {
    text += fmt::format("  {:<14}", result.family);
    for (const ModelLevel& level : result.levels) {
      text += fmt::format("{:>5.0f}/{:<2.0f}", 100.0 * level.rates.first(), 100.0 * level.rates.second());
    }
    text += " |";
    for (const ModelLevel& level : result.levels) {
      text += fmt::format(" {:.4g}", level.ms);
    }
    text += fmt::format(" | {:.4g}", result.ms());
    text += result.upward ? fmt::format("; upward {:.4g}\n", result.upward->ms) : "\n";
  }
  const FamilyResult& best = fastestFamily(results);
  const double baseline = named(results, "baseline").ms();
  text += fmt::format("  fastest: {}, {:.2f} times the baseline's speed", best.family, baseline / best.ms());
  for (const Measured& paper : measured) {
    if (paper.gpu == gpu.name && paper.filter == filter.name) {
      const auto ratio = [&](size_t level) {
        return named(results, "baseline").levels[level].ms / named(results, "tiled").levels[level].ms;
      };
      text += fmt::format("; tiled {:.2f} in the first level, {:.2f} in the last (measured: {}, {})",
                          ratio(0), ratio(results[0].levels.size() - 1), paper.first, paper.later);
    }
  }
  return text + "\n";
}

void append(Json& rows, const GpuModel& gpu, const ModelFilter& filter, Extent extent,
            const Results& results) {
  for (const FamilyResult& result : results) {
    std::vector<ModelLevel> passes = result.levels;
    if (result.upward) {
      passes.push_back(*result.upward);
    }
    for (size_t pass = 0; pass < passes.size(); ++pass) {
      const HitRates& rates = passes[pass].rates;
      rows.push_back(
          {{"gpu", gpu.name},
           {"filter", filter.name},
           {"family", result.family},
           {"level", pass < result.levels.size() ? Json(pass) : Json("upward")},
           {"width", extent.width},
           {"height", extent.height},
           {"ms", passes[pass].ms},
           {"firstHitRate", rates.first()},
           {"secondHitRate", rates.second()},
           {"secondBytesPerPixel", static_cast<double>(rates.firstMisses) * bytesPerSector / rates.pixels},
           {"memoryBytesPerPixel", static_cast<double>(rates.secondMisses) * bytesPerSector / rates.pixels},
           {"storedBytesPerPixel", static_cast<double>(rates.stores) * bytesPerSector / rates.pixels},
           {"busy",
            {{"fetch", rates.fetchBusy},
             {"compute", rates.computeBusy},
             {"second", rates.secondBusy},
             {"memory", rates.memoryBusy}}}});
    }
  }
}

}  // namespace

int runBenchCaches(const BenchArguments& arguments) {
  Report report(arguments);
  report.json = Json::array();
  for (const Extent extent : arguments.sizes.empty() ? std::vector<Extent>{{1920, 1080}} : arguments.sizes) {
    for (const GpuModel& gpu : gpuModels()) {
      for (const ModelFilter& filter : modelFilters()) {
        if (isAsked(arguments.filters, filter.name)) {
          const Results results = simulate(gpu, filter, extent);
          append(report.json, gpu, filter, extent, results);
          report.print(print(gpu, filter, extent, results));
        }
      }
    }
  }
  return report.finish();
}

}  // namespace lacuna
