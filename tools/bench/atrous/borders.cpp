// `lacuna bench borders`: figure 8 of Dolp, Hanika, Dachsbacher 2024 in our form. Of a pixel near the border
// of a small image: whose weights its value is made of after each level, with the ways to treat what lies
// outside.

#include <fmt/format.h>

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

// Of the image, the product of both axes' weights.
struct Weights {
  std::vector<double> x, y;
};

Weights weightsOf(const BorderStrategy& strategy, const NamedKernel& kernel, Extent size, Extent pixel,
                  uint32_t count) {
  return {borderWeights(strategy, kernel.weights, size.width, pixel.width, count),
          borderWeights(strategy, kernel.weights, size.height, pixel.height, count)};
}

// The share that lies elsewhere than in `other`.
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

// What comes from beyond the filter's footprint: light that leaks across the image. None if the footprint
// covers the image, since then nothing could.
std::optional<double> leaked(const Weights& weights, Extent pixel, Extent size, uint32_t count) {
  const int64_t reach = 2 * ((int64_t{1} << count) - 1);
  if (covers(reach, pixel.width, size.width) && covers(reach, pixel.height, size.height)) {
    return std::nullopt;
  }
  const double near = within(weights.x, pixel.width, reach) * within(weights.y, pixel.height, reach);
  return std::max(0.0, 1.0 - near);
}

class BorderFigure {
 public:
  BorderFigure(Extent size, bool json) : size_(size), json_(json) {
    // The paper's pixel of 32x32: in the middle of one axis, next to the border of the other.
    pixel_ = {size.width / 2, size.height - std::min(size.height, 2U)};
  }

  Json run() {
    tell(fmt::format("{}x{}, pixel ({}, {}), % of its weight\n", size_.width, size_.height, pixel_.width,
                     pixel_.height));
    for (const NamedKernel& kernel : kernels()) {
      tell(fmt::format("{:<31}", kernel.name));
      for (uint32_t count = 1; count <= levels; ++count) {
        tell(fmt::format("{:>13}", count == 1 ? "1 level" : fmt::format("{} levels", count)));
      }
      tell("\n  outside in the last level      ");
      for (uint32_t level = 0; level < levels; ++level) {
        const double x = weightOutside(kernel.weights, size_.width, pixel_.width, level);
        const double y = weightOutside(kernel.weights, size_.height, pixel_.height, level);
        outside_.push_back(1.0 - (1.0 - x) * (1.0 - y));
        tell(fmt::format("{:>13.1f}", 100.0 * outside_.back()));
      }
      tell("\n");
      for (const NamedStrategy& named : strategies()) {
        addStrategy(kernel, named);
      }
      outside_.clear();
    }
    return rows_;
  }

 private:
  void tell(const std::string& text) const {
    if (!json_) {
      fmt::print("{}", text);
    }
  }

  void addStrategy(const NamedKernel& kernel, const NamedStrategy& named) {
    tell(fmt::format("  {:<29}", named.name));
    for (uint32_t count = 1; count <= levels; ++count) {
      const Weights weights = weightsOf(named.strategy, kernel, size_, pixel_, count);
      const Weights plain = weightsOf({}, kernel, size_, pixel_, count);
      const double elsewhere = moved(weights, plain);
      const std::optional<double> far = leaked(weights, pixel_, size_, count);
      tell(fmt::format("{:>6.1f}/{:<6}", 100.0 * elsewhere, far ? fmt::format("{:.1f}", 100.0 * *far) : "-"));
      rows_.push_back({{"kernel", kernel.name},
                       {"border", named.name},
                       {"levels", count},
                       {"width", size_.width},
                       {"height", size_.height},
                       {"pixel", {pixel_.width, pixel_.height}},
                       {"outside", outside_[count - 1]},
                       {"moved", elsewhere},
                       {"leaked", far ? Json(*far) : Json(nullptr)},
                       {"weightsX", weights.x},
                       {"weightsY", weights.y}});
    }
    tell("\n");
  }

  Extent size_, pixel_;
  bool json_;
  std::vector<double> outside_;  // by level
  Json rows_ = Json::array();
};

}  // namespace

int runBenchBorders(const BenchArguments& arguments) {
  std::vector<Extent> sizes = arguments.sizes;
  if (sizes.empty()) {
    sizes.push_back({32, 32});
  }
  Json rows = Json::array();
  for (const Extent size : sizes) {
    for (Json& row : BorderFigure(size, arguments.json).run()) {
      rows.push_back(std::move(row));
    }
  }
  if (arguments.json) {
    fmt::print("{}\n", rows.dump(2));
  } else {
    fmt::print(
        "a/b: a lies elsewhere than with zero-weight borders, b comes from beyond the filter's footprint; -: "
        "the footprint covers the image\n");
  }
  return exitOk;
}

}  // namespace lacuna
