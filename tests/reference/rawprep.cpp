#include "tests/reference/rawprep.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/reference/demosaic.h"

namespace lacuna::test {
namespace {

constexpr double nearlyFull = 0.985;

struct Neighbour {
  int dx, dy;
  double value;
  int colour;
};

// Those within the image, row by row.
std::vector<Neighbour> neighbours(const Picture& mosaic, const MosaicPattern& pattern, int x, int y,
                                  int radius) {
  std::vector<Neighbour> result;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx)
      if ((dx != 0 || dy != 0) && mosaic.contains(x + dx, y + dy))
        result.push_back({dx, dy, *mosaic.at(x + dx, y + dy), colourAt(pattern, x + dx, y + dy)});
  }
  return result;
}

// What a colour's pixels in 5x5 are, without the centre.
struct Colour {
  std::vector<Neighbour> descending;
  double rank(size_t i) const { return descending.at(std::min(i, descending.size() - 1)).value; }
  double least() const { return descending.back().value; }
  double median() const {
    const size_t n = descending.size();
    return n == 0 ? 0.0 : 0.5 * (descending[(n - 1) / 2].value + descending[n / 2].value);
  }
};

enum class Verdict { cold, oneOfTwo, hot };

struct Judged {
  Verdict verdict;
  int x, y;  // of the brightest around
};

class HotPixels {
 public:
  HotPixels(const Picture& mosaic, const MosaicPattern& pattern, const Sensor& sensor)
      : mosaic_(mosaic), pattern_(pattern), sensor_(sensor) {}

  bool isHot(int x, int y) const {
    const Judged own = judged(x, y);
    return own.verdict == Verdict::hot ||
           (own.verdict == Verdict::oneOfTwo && judged(own.x, own.y).verdict != Verdict::cold);
  }

  // Weights are inverse fourth powers of the distance.
  double mean(int x, int y) const {
    std::vector<Neighbour> own = neighbours(mosaic_, pattern_, x, y, 2);
    std::erase_if(own, [&](const Neighbour& n) { return n.colour != colour(x, y); });
    const auto most = std::ranges::max_element(own, {}, &Neighbour::value);
    const auto least = std::ranges::min_element(own, {}, &Neighbour::value);
    double weight = 0.0, sum = 0.0;
    for (auto n = own.begin(); n != own.end(); ++n) {
      const double w = n == most || n == least ? 0.0 : std::pow(n->dx * n->dx + n->dy * n->dy, -2.0);
      sum += w * n->value;
      weight += w;
    }
    return sum / weight;
  }

 private:
  const Picture& mosaic_;
  const MosaicPattern& pattern_;
  const Sensor& sensor_;

  int colour(int x, int y) const { return colourAt(pattern_, x, y); }

  std::array<Colour, 3> coloursAround(int x, int y) const {
    std::array<Colour, 3> result;
    for (const Neighbour& n : neighbours(mosaic_, pattern_, x, y, 2))
      result.at(static_cast<size_t>(n.colour)).descending.push_back(n);
    for (Colour& c : result)
      std::ranges::stable_sort(c.descending, std::greater(), &Neighbour::value);
    return result;
  }

  double deviation(double gain, double light) const {
    return std::sqrt(gain * sensor_.noiseA * std::max(light, 0.0) + gain * gain * sensor_.noiseB);
  }

  // Of the nearest four, in the mean of the middle two, over the medians of their colours.
  double spreadLight(int x, int y, const std::array<Colour, 3>& colours) const {
    std::vector<double> excess;
    for (const Neighbour& n : neighbours(mosaic_, pattern_, x, y, 1))
      if (n.dx == 0 || n.dy == 0)
        excess.push_back(n.value - colours.at(static_cast<size_t>(n.colour)).median());
    std::ranges::sort(excess);
    return excess.size() == 4   ? 0.5 * (excess[1] + excess[2])
           : excess.size() == 3 ? excess[1]
                                : excess.back();
  }

  // Of pixels in 9x9, without 3x3: the distance to the middle two of the four of their colour around.
  double meanSpike(int x, int y) const {
    const bool isOfSix = !isBayer(pattern_) && pattern_ != MosaicPattern{};
    const std::array<std::pair<int, int>, 4> around =
        isOfSix ? std::array<std::pair<int, int>, 4>{{{3, 3}, {-3, 3}, {-3, -3}, {3, -3}}}
                : std::array<std::pair<int, int>, 4>{{{2, 0}, {0, 2}, {-2, 0}, {0, -2}}};
    const int reach = isOfSix ? 3 : 2;
    double sum = 0.0;
    int count = 0;
    for (const Neighbour& n : neighbours(mosaic_, pattern_, x, y, 4)) {
      const int column = x + n.dx, row = y + n.dy;
      if (std::max(std::abs(n.dx), std::abs(n.dy)) <= 1 || !mosaic_.contains(column - reach, row - reach) ||
          !mosaic_.contains(column + reach, row + reach))
        continue;
      std::vector<double> four;
      for (const auto& [dx, dy] : around)
        four.push_back(*mosaic_.at(column + dx, row + dy));
      std::ranges::sort(four);
      sum += std::abs(n.value - 0.5 * (four[1] + four[2]));
      ++count;
    }
    return sum / std::max(count, 1);
  }

  // Above its colour by noise, and by a factor of each colour's range, from the largest or the second on.
  bool isAbove(double value, double gain, const Colour& own, const std::array<Colour, 3>& colours,
               size_t from, double factor) const {
    const double excess = value - own.rank(from);
    bool result =
        excess > 4.0 * deviation(gain, own.rank(from)) + 0.02 * gain + 0.4 * std::max(own.rank(from), 0.0);
    for (const Colour& c : colours)
      if (c.descending.size() > from)
        result = result && excess > factor * (c.rank(from) - c.least());
    return result;
  }

  Judged judged(int x, int y) const {
    const auto colours = coloursAround(x, y);
    const auto c = static_cast<size_t>(colour(x, y));
    const Colour& own = colours.at(c);
    if (own.descending.size() < 3)
      return {Verdict::cold, x, y};
    const double value = *mosaic_.at(x, y), gain = sensor_.gains.at(c);
    double gap = -1.0;
    Judged result{Verdict::cold, x, y};
    for (const Colour& each : colours) {
      if (each.descending.empty())
        continue;
      const double own_ =
          each.descending.size() > 1 ? each.rank(0) - each.rank(1) : each.rank(0) - each.least();
      if (own_ > gap) {
        gap = own_;
        result.x = x + each.descending[0].dx;
        result.y = y + each.descending[0].dy;
      }
    }
    const double background = own.median(), noise = deviation(gain, background);
    if (value - background <= 12.0 * (spreadLight(x, y, colours) + 0.6 * noise))
      return result;
    const double spike = meanSpike(x, y) - 0.9 * noise;
    const auto isHot = [&](size_t from, double factor, double spikes) {
      return isAbove(value, gain, own, colours, from, factor) && value - own.rank(from) > spikes * spike;
    };
    result.verdict = isHot(0, 1.0, 9.0)   ? Verdict::hot
                     : isHot(1, 1.7, 4.0) ? Verdict::oneOfTwo
                                          : Verdict::cold;
    return result;
  }
};

using Colours = std::array<double, 3>;

// The share of each colour in the light of a cell, and the cell's weight.
struct Light {
  Colours share{};
  double weight = 0.0;
};

struct Cells {
  int width, height;
  std::vector<Light> values;
  const Light& at(int x, int y) const {
    return values.at(static_cast<size_t>(std::clamp(y, 0, height - 1)) * static_cast<size_t>(width) +
                     static_cast<size_t>(std::clamp(x, 0, width - 1)));
  }
};

constexpr int cellSide = 12;

class Highlights {
 public:
  Highlights(const Picture& mosaic, const MosaicPattern& pattern, const Sensor& sensor)
      : mosaic_(mosaic), pattern_(pattern), sensor_(sensor), light_(cells()) {
    for (int level = 0; level < 5; ++level)
      light_ = spread(light_, 1 << level);
  }

  bool isFull(int x, int y) const { return isFull(x, y, colour(x, y)); }
  bool isFull(int x, int y, size_t c) const { return valueAt(x, y, c) >= nearlyFull * gain(c); }

  double rebuilt(int x, int y) const { return rebuilt(x, y, colour(x, y)); }
  double rebuilt(int x, int y, size_t own) const {
    Colours mean{}, full{}, count{}, open{};
    const auto add = [&](int column, int row, size_t c) {
      mean.at(c) += valueAt(column, row, c);
      full.at(c) += isFull(column, row, c) ? 1.0 : 0.0;
      count.at(c) += 1.0;
    };
    if (hasAllColours())
      for (size_t c = 0; c < 3; ++c)
        add(x, y, c);
    else
      for (const Neighbour& n : neighbours(mosaic_, pattern_, x, y, 1))
        add(x + n.dx, y + n.dy, static_cast<size_t>(n.colour));
    count.at(own) = 0.0;
    double known = 0.0;
    for (size_t c = 0; c < 3; ++c) {
      mean.at(c) /= std::max(count.at(c), 1.0);
      full.at(c) /= std::max(count.at(c), 1.0);
      open.at(c) = count.at(c) > 0.0 ? 1.0 - full.at(c) : 0.0;
      known += open.at(c);
    }
    const double value = valueAt(x, y, own), white = std::max(value, neutral(mean, full, count, open));
    const Light light = lightAt(x, y);
    if (known == 0.0 || light.weight == 0.0)
      return white;
    double sum = 0.0, shares = 0.0, whole = 0.0, least = 1e30;
    for (size_t c = 0; c < 3; ++c) {
      if (count.at(c) == 0.0)
        continue;
      sum += open.at(c) * mean.at(c);
      shares += open.at(c) * light.share.at(c);
      if (full.at(c) > 0.0 && light.share.at(c) > 0.33)
        whole = std::max(whole, mean.at(c) / light.share.at(c));
      least = std::min(least, std::max(mean.at(c) / gain(c), full.at(c)));
    }
    whole = std::max(whole, sum / std::max(shares, 0.02));
    const double coloured = std::min(std::max(value, light.share.at(own) * whole), 4.0 * gain(own));
    const double here = logOfRatio(mean, own), there = logOfRatio(light.share, own);
    const double likeness = std::clamp((here * there + 0.1) / (there * there + 0.1), 0.0, 1.0);
    const double trust =
        std::lerp(1.0 - smoothstep(0.2, 0.6, least), likeness * (1.0 - smoothstep(0.9, 1.0, least)),
                  std::max(known - 1.0, 0.0));
    return std::lerp(white, coloured, trust);
  }

 private:
  const Picture& mosaic_;
  const MosaicPattern& pattern_;
  const Sensor& sensor_;
  Cells light_;

  // Of a picture; `c` is the mosaic's otherwise.
  bool hasAllColours() const { return mosaic_.components > 1; }
  double valueAt(int x, int y, size_t c) const { return mosaic_.at(x, y)[hasAllColours() ? c : 0]; }
  size_t colour(int x, int y) const { return static_cast<size_t>(colourAt(pattern_, x, y)); }
  double gain(size_t c) const { return sensor_.gains.at(c); }

  static double smoothstep(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
  }

  static double logOfRatio(const Colours& v, size_t own) {
    const size_t first = own == 0 ? 1 : 0, second = own == 2 ? 1 : 2;
    return std::log(std::max(v.at(first), 1e-4) / std::max(v.at(second), 1e-4));
  }

  // From neighbouring colours that are not full, and from full ones if they are brighter.
  double neutral(const Colours& mean, const Colours& full, const Colours& count, const Colours& open) const {
    double sum = 0.05 * std::ranges::max(sensor_.gains), weight = 0.05;
    for (size_t c = 0; c < 3; ++c) {
      sum += open.at(c) * mean.at(c);
      weight += open.at(c);
    }
    const double bound = sum / weight;
    for (size_t c = 0; c < 3; ++c) {
      if (count.at(c) > 0.0 && mean.at(c) > bound) {
        sum += full.at(c) * mean.at(c);
        weight += full.at(c);
      }
    }
    return sum / weight;
  }

  // A block's light, by the eighth power of its fullest colour.
  Light blockAt(int left, int top, int side) const {
    Colours mean{}, count{};
    for (int y = top; y < top + side; ++y) {
      for (int x = left; x < left + side; ++x) {
        if (!mosaic_.contains(x, y))
          continue;
        for (size_t c = 0; c < 3; ++c) {
          if (!hasAllColours() && c != colour(x, y))
            continue;
          if (isFull(x, y, c))
            return {};
          mean.at(c) += std::max(valueAt(x, y, c), 0.0);
          count.at(c) += 1.0;
        }
      }
    }
    double sum = 0.0, most = 0.0;
    for (size_t c = 0; c < 3; ++c) {
      if (count.at(c) == 0.0)
        return {};
      mean.at(c) /= count.at(c);
      sum += mean.at(c);
      most = std::max(most, mean.at(c) / gain(c));
    }
    if (sum <= 0.01)
      return {};
    return {{mean[0] / sum, mean[1] / sum, mean[2] / sum}, std::pow(std::min(most, 1.0), 8.0)};
  }

  static Light meanOf(const std::vector<std::pair<double, Light>>& lights) {
    Light result;
    for (const auto& [w, light] : lights) {
      result.weight += w * light.weight;
      for (size_t c = 0; c < 3; ++c)
        result.share.at(c) += w * light.weight * light.share.at(c);
    }
    for (double& v : result.share)
      v = result.weight > 0.0 ? v / result.weight : 0.0;
    return result;
  }

  Cells cells() const {
    Cells result{(mosaic_.width + cellSide - 1) / cellSide, (mosaic_.height + cellSide - 1) / cellSide, {}};
    const bool isOfSix = !isBayer(pattern_) && pattern_ != MosaicPattern{};
    const int side = hasAllColours() ? 1 : isOfSix ? 3 : 2, across = cellSide / side;
    for (int i = 0; i < result.width * result.height; ++i) {
      std::vector<std::pair<double, Light>> blocks;
      for (int k = 0; k < across * across; ++k)
        blocks.emplace_back(1.0 / (across * across),
                            blockAt(i % result.width * cellSide + k % across * side,
                                    i / result.width * cellSide + k / across * side, side));
      result.values.push_back(meanOf(blocks));
    }
    return result;
  }

  static Cells spread(const Cells& cells, int step) {
    constexpr double kernel[] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
    Cells result{cells.width, cells.height, {}};
    for (int i = 0; i < cells.width * cells.height; ++i) {
      const int x = i % cells.width, y = i / cells.width;
      std::vector<std::pair<double, Light>> taps;
      for (int k = 0; k < 25; ++k) {
        const int column = x + (k % 5 - 2) * step, row = y + (k / 5 - 2) * step;
        if (column >= 0 && row >= 0 && column < cells.width && row < cells.height)
          taps.emplace_back(kernel[k % 5] * kernel[k / 5], cells.at(column, row));
      }
      Light own = cells.at(x, y);
      const Light around = meanOf(taps);
      for (size_t c = 0; c < 3; ++c)
        own.share.at(c) = std::lerp(around.share.at(c), own.share.at(c), std::min(own.weight / 0.05, 1.0));
      own.weight = std::max(own.weight, around.weight);
      result.values.push_back(own);
    }
    return result;
  }

  // Bilinear, between cells' centres.
  Light lightAt(int x, int y) const {
    const double column = (x + 0.5) / cellSide - 0.5, row = (y + 0.5) / cellSide - 0.5;
    Light result;
    for (int k = 0; k < 4; ++k) {
      const int left = static_cast<int>(std::floor(column)) + k % 2,
                top = static_cast<int>(std::floor(row)) + k / 2;
      const double w = (1.0 - std::abs(column - left)) * (1.0 - std::abs(row - top));
      const Light& light = light_.at(left, top);
      result.weight += w * light.weight;
      for (size_t c = 0; c < 3; ++c)
        result.share.at(c) += w * light.share.at(c);
    }
    return result;
  }
};

}  // namespace

Picture balanced(const Picture& mosaic, const MosaicPattern& pattern, const Sensor& sensor) {
  Picture result = mosaic;
  for (int y = 0; y < mosaic.height; ++y) {
    for (int x = 0; x < mosaic.width; ++x) {
      const double black = sensor.black.at(static_cast<size_t>(y % 2 * 2 + x % 2));
      *result.at(x, y) = (*mosaic.at(x, y) - black) / (sensor.white - black) *
                         sensor.gains.at(static_cast<size_t>(colourAt(pattern, x, y)));
    }
  }
  return result;
}

Picture mended(const Picture& balanced, const MosaicPattern& pattern, const Sensor& sensor,
               const Mending& mending) {
  Picture result = balanced;
  const HotPixels hotPixels(balanced, pattern, sensor);
  const Highlights highlights(balanced, pattern, sensor);
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x)
      if (mending.findsHotPixels && hotPixels.isHot(x, y))
        *result.at(x, y) = hotPixels.mean(x, y);
      else if (mending.rebuildsHighlights && highlights.isFull(x, y))
        *result.at(x, y) = highlights.rebuilt(x, y);
  }
  return result;
}

Picture rebuiltHighlights(const Picture& picture, const std::array<double, 3>& gains) {
  Picture result = picture;
  const Sensor sensor{.gains = gains};
  const MosaicPattern none{};
  const Highlights highlights(picture, none, sensor);
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x)
      for (size_t c = 0; c < 3; ++c)
        if (highlights.isFull(x, y, c))
          result.at(x, y)[c] = highlights.rebuilt(x, y, c);
  return result;
}

}  // namespace lacuna::test
