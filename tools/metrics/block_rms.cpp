#include "tools/metrics/block_rms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lacuna {
namespace {

// The beginning of block i of `count`, on a side of `length` pixels.
uint32_t borderOf(uint32_t i, uint32_t count, uint32_t length) {
  return static_cast<uint32_t>(uint64_t{i} * length / count);
}

double medianOf(std::vector<double> values) {
  const size_t half = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

struct BlockSum {
  double squares = 0.0;
  uint64_t notFinite = 0;
};

void addRow(BlockSum& sum, const float* a, const float* b, size_t values) {
  for (size_t i = 0; i < values; ++i) {
    // A sum of floats, which is finite unless one of them isn't.
    const double difference = double{a[i]} - b[i];
    sum.squares += difference * difference;
    sum.notFinite += std::isfinite(difference) ? 0U : 1U;
  }
}

}  // namespace

uint64_t BlockRms::notFiniteValues() const {
  return std::accumulate(notFinite.begin(), notFinite.end(), uint64_t{0});
}

PixelArea areaOfBlock(const Blocks& blocks, const Extent& extent, size_t block) {
  const auto column = static_cast<uint32_t>(block % blocks.columns);
  const auto row = blocks.rows - 1 - static_cast<uint32_t>(block / blocks.columns);
  return {borderOf(column, blocks.columns, extent.width), borderOf(row, blocks.rows, extent.height),
          borderOf(column + 1, blocks.columns, extent.width), borderOf(row + 1, blocks.rows, extent.height)};
}

BlockRms blockRms(const ColourImage& a, const ColourImage& b, const Blocks& blocks) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  BlockRms result;
  for (size_t block = 0; block < blocks.count(); ++block) {
    const PixelArea area = areaOfBlock(blocks, b.extent, block);
    const size_t values = size_t{3} * (area.right - area.left);
    BlockSum sum;
    for (uint32_t y = area.top; y < area.bottom; ++y) {
      const size_t from = 3 * (size_t{y} * b.extent.width + area.left);
      addRow(sum, a.rgb.data() + from, b.rgb.data() + from, values);
    }
    const double count = static_cast<double>(values) * (area.bottom - area.top);
    result.rms.push_back(sum.notFinite > 0 ? none : std::sqrt(sum.squares / count));
    result.notFinite.push_back(sum.notFinite);
  }
  const bool isWhole = result.notFiniteValues() == 0;
  result.mean =
      std::accumulate(result.rms.begin(), result.rms.end(), 0.0) / static_cast<double>(blocks.count());
  result.median = isWhole ? medianOf(result.rms) : none;
  return result;
}

std::array<uint8_t, 3> falseColour(double v) {
  if (std::isnan(v))
    return {0, 0, 0};
  const auto byte = [](double share) {
    return static_cast<uint8_t>(std::lround(255.0 * std::clamp(share, 0.0, 1.0)));
  };
  return {byte(2.0 * v), byte(2.0 - 2.0 * v), 0};
}

}  // namespace lacuna
