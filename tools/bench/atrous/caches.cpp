// `lacuna bench caches`: hit rates of the families of schedules in the caches of other GPUs, and their times
// there, by simulation: figure 10 of Dolp, Hanika, Dachsbacher 2024 in our form, and the speed-ups that they
// measured beside the model's.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/parallel.h"
#include "tools/bench/models/family_model.h"
#include "tools/bench/places.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

constexpr double bytesPerSector = 32;

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

using Results = std::vector<FamilyResult>;  // of a GPU and filter, one for each family

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

// A row for each level of each family, and one for its upward pass.
ResultTable tableOf(const GpuModel& gpu, const ModelFilter& filter, Extent extent) {
  const Results results = simulate(gpu, filter, extent);
  ResultTable table{fmt::format("caches-{}-{}-{}x{}", gpu.name, filter.name, extent.width, extent.height),
                    fmt::format("{}, {}, {}x{}", gpu.name, filter.name, extent.width, extent.height),
                    "",
                    {{"family", -14, "/family"},
                     {"level", -7, "/level"},
                     {"1st hits %", 11, "/firstHitRate", "{:.0f}", 100.0},
                     {"2nd hits %", 11, "/secondHitRate", "{:.0f}", 100.0},
                     {"ms", 10, "/ms", "{:.4g}", 1.0, Mark::measured}}};
  table.names = 2;
  std::replace(table.name.begin(), table.name.end(), ' ', '-');
  table.facts = {
      {"gpu", gpu.name}, {"filter", filter.name}, {"width", extent.width}, {"height", extent.height}};
  for (const FamilyResult& result : results) {
    std::vector<ModelLevel> passes = result.levels;
    if (result.upward) {
      passes.push_back(*result.upward);
    }
    for (size_t pass = 0; pass < passes.size(); ++pass) {
      const HitRates& rates = passes[pass].rates;
      table.rows.push_back(
          {{"family", result.family},
           {"level", pass < result.levels.size() ? std::to_string(pass) : "upward"},
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
    table.figures.push_back({fmt::format("{}, all levels", result.family), result.ms(), "ms"});
  }
  const FamilyResult& best = fastestFamily(results);
  table.notes = {fmt::format("fastest: {}, {:.2f} times the baseline's speed", best.family,
                             named(results, "baseline").ms() / best.ms())};
  if (const Json* paper = figureLike(study("caches").at("figures"), table.facts, {"gpu", "filter"})) {
    const auto ratio = [&](size_t level) {
      return named(results, "baseline").levels[level].ms / named(results, "tiled").levels[level].ms;
    };
    table.notes.push_back(
        fmt::format("tiled {:.2f} in the first level, {:.2f} in the last (measured: {}, {})", ratio(0),
                    ratio(results[0].levels.size() - 1), paper->at("first").get<double>(),
                    paper->at("later").get<double>()));
  }
  return table;
}

}  // namespace

int runBenchCaches(const BenchArguments& arguments) {
  Report report(arguments);
  for (const Extent extent : arguments.sizes.empty() ? std::vector<Extent>{{1920, 1080}} : arguments.sizes) {
    for (const GpuModel& gpu : gpuModels()) {
      for (const ModelFilter& filter : modelFilters()) {
        if (isAsked(arguments.filters, filter.name)) {
          report.add(tableOf(gpu, filter, extent));
        }
      }
    }
  }
  return report.finish();
}

}  // namespace lacuna
