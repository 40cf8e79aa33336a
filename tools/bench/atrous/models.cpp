// What models predict, without a device.
//
// `lacuna bench borders`: figure 8 of Dolp, Hanika, Dachsbacher 2024 in our form. For a pixel near the border
// of a small image: the pixels that contribute to its value after each level, for each treatment of pixels
// outside.
//
// `lacuna bench caches`: hit rates of the families of schedules in the caches of other GPUs, and their times
// there, by simulation: figure 10 in our form, and the speed-ups that they measured beside the model's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "graph/parallel.h"
#include "tools/bench/models/border_weights.h"
#include "tools/bench/models/family_model.h"
#include "tools/bench/places.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

constexpr uint32_t levels = 5;

struct NamedKernel {
  const char* name;
  std::vector<double> weights;
};

struct NamedStrategy {
  const char* name;
  BorderStrategy strategy;
};

const std::vector<NamedKernel>& kernels() {
  static const std::vector<NamedKernel> all = {{"box", {.2, .2, .2, .2, .2}},
                                               {"B3 spline", {.0625, .25, .375, .25, .0625}}};
  return all;
}

const std::vector<NamedStrategy>& strategies() {
  using enum SubimageOrder;
  static const std::vector<NamedStrategy> all = {
      {"zero weight", {Border::zeroWeight, {}}},
      {"mirrored", {Border::mirrored, {}}},
      {"embedded, ascending", {Border::embedded, {ascending, false}}},
      {"embedded, local", {Border::embedded, {localSubdivision, false}}},
      {"embedded, ascending, mirrored", {Border::embedded, {ascending, true}}},
      {"embedded, local, mirrored", {Border::embedded, {localSubdivision, true}}}};
  return all;
}

// The image's weights are the products of both axes' weights.
struct Weights {
  std::vector<double> x, y;
};

Weights weightsOf(const BorderStrategy& strategy, const NamedKernel& kernel, Extent size, Extent pixel,
                  uint32_t count) {
  return {borderWeights(strategy, kernel.weights, size.width, pixel.width, count),
          borderWeights(strategy, kernel.weights, size.height, pixel.height, count)};
}

// The share of the weight whose place differs from that in `other`.
double moved(const Weights& weights, const Weights& other) {
  double sum = 0.0;
  for (size_t y = 0; y < weights.y.size(); ++y)
    for (size_t x = 0; x < weights.x.size(); ++x)
      sum += std::abs(weights.x[x] * weights.y[y] - other.x[x] * other.y[y]);
  return sum / 2.0;
}

// The share within `reach` of the pixel, along one axis.
double within(const std::vector<double>& weights, uint32_t pixel, int64_t reach) {
  double sum = 0.0;
  for (size_t i = 0; i < weights.size(); ++i)
    sum += std::abs(static_cast<int64_t>(i) - int64_t{pixel}) <= reach ? weights[i] : 0.0;
  return sum;
}

bool covers(int64_t reach, uint32_t pixel, uint32_t size) {
  return reach >= int64_t{pixel} && reach >= int64_t{size} - 1 - int64_t{pixel};
}

// The share from beyond the filter's footprint: light that leaks across the image. There is none if the
// footprint covers the image.
std::optional<double> leaked(const Weights& weights, Extent pixel, Extent size, uint32_t count) {
  const int64_t reach = 2 * ((int64_t{1} << count) - 1);
  if (covers(reach, pixel.width, size.width) && covers(reach, pixel.height, size.height))
    return std::nullopt;
  const double near = within(weights.x, pixel.width, reach) * within(weights.y, pixel.height, reach);
  return std::max(0.0, 1.0 - near);
}

// The paper's pixel of 32x32: in the middle of one axis, next to the border of the other.
Extent pixelOf(Extent size) {
  return {size.width / 2, size.height - std::min(size.height, 2U)};
}

// A row for each strategy and number of levels.
Json rowOf(const NamedKernel& kernel, const NamedStrategy& named, Extent size, uint32_t count) {
  const Extent pixel = pixelOf(size);
  const Weights weights = weightsOf(named.strategy, kernel, size, pixel, count);
  const std::optional<double> far = leaked(weights, pixel, size, count);
  const double x = weightOutside(kernel.weights, size.width, pixel.width, count - 1);
  const double y = weightOutside(kernel.weights, size.height, pixel.height, count - 1);
  return {{"border", named.name},
          {"levels", count},
          {"outside", 1.0 - (1.0 - x) * (1.0 - y)},
          {"moved", moved(weights, weightsOf({}, kernel, size, pixel, count))},
          {"leaked", far ? Json(*far) : Json(nullptr)},
          {"weightsX", weights.x},
          {"weightsY", weights.y}};
}

ResultTable tableOf(const NamedKernel& kernel, Extent size) {
  const Extent pixel = pixelOf(size);
  ResultTable table{fmt::format("borders-{}-{}", kernel.name, print(size)),
                    fmt::format("{}, {}, pixel ({}, {}), % of its weight", kernel.name, print(size),
                                pixel.width, pixel.height),
                    "",
                    {{"border", -30, "/border"},
                     {"levels", 7, "/levels"},
                     {"outside", 9, "/outside", "{:.1f}", 100.0},
                     {"moved", 9, "/moved", "{:.1f}", 100.0, Mark::measured},
                     {"leaked", 9, "/leaked", "{:.1f}", 100.0, Mark::measured}}};
  table.names = 2;
  std::replace(table.name.begin(), table.name.end(), ' ', '-');
  table.facts = {{"kernel", kernel.name},
                 {"width", size.width},
                 {"height", size.height},
                 {"pixel", {pixel.width, pixel.height}}};
  for (const NamedStrategy& named : strategies())
    for (uint32_t count = 1; count <= levels; ++count)
      table.rows.push_back(rowOf(kernel, named, size, count));
  return table;
}

constexpr double bytesPerSector = 32;

struct FamilyResult {
  std::string_view family;
  std::vector<ModelLevel> levels;
  std::optional<ModelLevel> upward;  // not in ms(): our permuted schedules carry the sum along instead
  double ms() const {
    double sum = 0.0;
    for (const ModelLevel& level : levels)
      sum += level.ms;
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
    if (filter.synthesis)
      results[i].upward = modelUpward(gpu, filter, families[i], extent.width, extent.height);
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
  ResultTable table{fmt::format("caches-{}-{}-{}", gpu.name, filter.name, print(extent)),
                    fmt::format("{}, {}, {}", gpu.name, filter.name, print(extent)),
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
    if (result.upward)
      passes.push_back(*result.upward);
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

int runBenchBorders(const BenchArguments& arguments) {
  Report report(arguments);
  for (const Extent size : arguments.sizes.empty() ? std::vector<Extent>{{32, 32}} : arguments.sizes)
    for (const NamedKernel& kernel : kernels())
      report.add(tableOf(kernel, size));
  report.print(
      "outside: of the kernel, in the last level; moved: lies elsewhere than with zero-weight borders; "
      "leaked: "
      "comes from beyond the filter's footprint, blank where that covers the image\n");
  return report.finish();
}

int runBenchCaches(const BenchArguments& arguments) {
  Report report(arguments);
  for (const Extent extent : arguments.sizes.empty() ? std::vector<Extent>{{1920, 1080}} : arguments.sizes) {
    for (const GpuModel& gpu : gpuModels()) {
      for (const ModelFilter& filter : modelFilters())
        if (isAsked(arguments.filters, filter.name))
          report.add(tableOf(gpu, filter, extent));
    }
  }
  return report.finish();
}

}  // namespace lacuna
