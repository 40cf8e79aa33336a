#include "tests/reference/bilateral_grid.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/reference/bilateral_colours.h"

namespace lacuna::test {
namespace {

struct Cell {
  double sum = 0.0;
  double weight = 0.0;
};

// The grid of one channel. Cell (0, 0) is before the image's first pixel.
class Grid {
 public:
  Grid(const BilateralGrid& filter, int width, int height)
      : filter_(filter),
        columns_((width + filter.cell - 1) / filter.cell + 2),
        rows_((height + filter.cell - 1) / filter.cell + 2),
        cells_(static_cast<size_t>(columns_ * rows_ * filter.levels)) {}

  void add(int x, int y, double level, double value) {
    for (int l = 0; l < filter_.levels; ++l) {
      const double share = std::max(0.0, 1.0 - std::abs(level - l));
      Cell& cell = at(x / filter_.cell + 1, y / filter_.cell + 1, l);
      cell.sum += share * value;
      cell.weight += share;
    }
  }

  // Blurs along one axis by a Gaussian with the remaining variance, in cells squared.
  void blur(int axis, double variance) {
    variance = std::max(variance, 1e-6);
    const int radius = static_cast<int>(std::min(65536.0, std::ceil(3.0 * std::sqrt(variance))));
    const int sizes[] = {columns_, rows_, filter_.levels};
    std::vector<Cell> blurred;
    for (int i = 0; i < columns_ * rows_ * filter_.levels; ++i) {
      const int place[] = {i % columns_, i / columns_ % rows_, i / (columns_ * rows_)};
      Cell sum;
      for (int to = std::max(0, place[axis] - radius); to <= std::min(sizes[axis] - 1, place[axis] + radius);
           ++to) {
        const double w = std::exp(-0.5 * (to - place[axis]) * (to - place[axis]) / variance);
        const Cell& tap = at(axis == 0 ? to : place[0], axis == 1 ? to : place[1], axis == 2 ? to : place[2]);
        sum.sum += w * tap.sum;
        sum.weight += w * tap.weight;
      }
      blurred.push_back(sum);
    }
    cells_ = std::move(blurred);
  }

  double mean(int x, int y, double level) const {
    const double column = (x + 0.5) / filter_.cell + 0.5;
    const double row = (y + 0.5) / filter_.cell + 0.5;
    Cell sum;
    const auto hat = [](double d) { return std::max(0.0, 1.0 - std::abs(d)); };
    for (int r = static_cast<int>(row); r <= static_cast<int>(row) + 1; ++r) {
      for (int c = static_cast<int>(column); c <= static_cast<int>(column) + 1; ++c) {
        for (int l = 0; l < filter_.levels; ++l) {
          const double share = hat(row - r) * hat(column - c) * hat(level - l);
          sum.sum += share > 0.0 ? share * at(c, r, l).sum : 0.0;
          sum.weight += share > 0.0 ? share * at(c, r, l).weight : 0.0;
        }
      }
    }
    return sum.sum / sum.weight;
  }

 private:
  Cell& at(int column, int row, int level) {
    return cells_[static_cast<size_t>((level * rows_ + row) * columns_ + column)];
  }
  const Cell& at(int column, int row, int level) const {
    return const_cast<Grid*>(this)->at(column, row, level);
  }

  const BilateralGrid& filter_;
  int columns_, rows_;
  std::vector<Cell> cells_;
};

bool isFinite(const Colour& colour) {
  return std::all_of(colour.begin(), colour.end(), [](double v) { return std::isfinite(v); });
}

// Rec. 709's weights, for values in any space.
double luminance(const Colours& colours, const Colour& v) {
  return colours.components == 1 ? v[0] : 0.212639006 * v[0] + 0.715168679 * v[1] + 0.072192315 * v[2];
}

}  // namespace

Picture bilateralGrid(const BilateralGrid& filter, const Stored& input, const Stored* guide) {
  const Colours original = coloursOf(input, false);
  Colours colours = original;
  const Stored& edges = guide != nullptr ? *guide : input;
  const Colours guides = coloursOf(edges, false);
  const double unit = isInteger(edges.type.format) ? 255.0 : 1.0;
  const double range = unit * (filter.white - filter.black);
  const bool own = !filter.byLuminance && guides.components == colours.components;
  const auto levelOf = [&](int x, int y, size_t c) {
    const double value = own ? guides.at(x, y)[c] : luminance(guides, guides.at(x, y));
    const double share = range == 0.0 ? 0.0 : (value - unit * filter.black) / range;
    return std::clamp(share, 0.0, 1.0) * (filter.levels - 1);
  };
  const auto forEach = [&](const std::function<void(int x, int y)>& visit) {
    for (int y = 0; y < colours.height; ++y) {
      for (int x = 0; x < colours.width; ++x) {
        if (isFinite(guides.at(x, y)) && isFinite(original.at(x, y))) {
          visit(x, y);
        }
      }
    }
  };
  for (size_t c = 0; c < static_cast<size_t>(colours.components); ++c) {
    Grid grid(filter, colours.width, colours.height);
    forEach([&](int x, int y) { grid.add(x, y, levelOf(x, y, c), original.at(x, y)[c]); });
    const double levels =
        filter.sigmaRange / 255.0 * (filter.levels - 1) / std::abs(filter.white - filter.black);
    const double cells = filter.sigmaSpace / filter.cell;
    grid.blur(2, levels * levels - 1.0 / 3.0);
    grid.blur(0, cells * cells - 0.25);
    grid.blur(1, cells * cells - 0.25);
    forEach([&](int x, int y) { colours.at(x, y)[c] = grid.mean(x, y, levelOf(x, y, c)); });
  }
  return pictureWith(colours, input, false);
}

}  // namespace lacuna::test
