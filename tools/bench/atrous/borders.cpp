// `lacuna bench borders`: figure 8 of Dolp, Hanika, Dachsbacher 2024 in our form. For a pixel near the border
// of a small image: the pixels that contribute to its value after each level, for each treatment of pixels
// outside.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "tools/bench/models/border_weights.h"
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
  for (size_t y = 0; y < weights.y.size(); ++y) {
    for (size_t x = 0; x < weights.x.size(); ++x) {
      sum += std::abs(weights.x[x] * weights.y[y] - other.x[x] * other.y[y]);
    }
  }
  return sum / 2.0;
}

// The share within `reach` of the pixel, along one axis.
double within(const std::vector<double>& weights, uint32_t pixel, int64_t reach) {
  double sum = 0.0;
  for (size_t i = 0; i < weights.size(); ++i) {
    sum += std::abs(static_cast<int64_t>(i) - int64_t{pixel}) <= reach ? weights[i] : 0.0;
  }
  return sum;
}

bool covers(int64_t reach, uint32_t pixel, uint32_t size) {
  return reach >= int64_t{pixel} && reach >= int64_t{size} - 1 - int64_t{pixel};
}

// The share from beyond the filter's footprint: light that leaks across the image. There is none if the
// footprint covers the image.
std::optional<double> leaked(const Weights& weights, Extent pixel, Extent size, uint32_t count) {
  const int64_t reach = 2 * ((int64_t{1} << count) - 1);
  if (covers(reach, pixel.width, size.width) && covers(reach, pixel.height, size.height)) {
    return std::nullopt;
  }
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
  ResultTable table{fmt::format("borders-{}-{}x{}", kernel.name, size.width, size.height),
                    fmt::format("{}, {}x{}, pixel ({}, {}), % of its weight", kernel.name, size.width,
                                size.height, pixel.width, pixel.height),
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
  for (const NamedStrategy& named : strategies()) {
    for (uint32_t count = 1; count <= levels; ++count) {
      table.rows.push_back(rowOf(kernel, named, size, count));
    }
  }
  return table;
}

}  // namespace

int runBenchBorders(const BenchArguments& arguments) {
  Report report(arguments);
  for (const Extent size : arguments.sizes.empty() ? std::vector<Extent>{{32, 32}} : arguments.sizes) {
    for (const NamedKernel& kernel : kernels()) {
      report.add(tableOf(kernel, size));
    }
  }
  report.print(
      "outside: of the kernel, in the last level; moved: lies elsewhere than with zero-weight borders; "
      "leaked: "
      "comes from beyond the filter's footprint, blank where that covers the image\n");
  return report.finish();
}

}  // namespace lacuna
