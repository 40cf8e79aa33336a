#include "tests/reference/demosaic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "tests/reference/border.h"

namespace lacuna::test {
namespace {

constexpr double least = 1e-6;  // of squared gradients

// One number a pixel; outside the image by a border's rule.
struct Plane {
  int width, height;
  Border border;
  std::vector<double> values;

  double at(int x, int y) const {
    const int column = standIn(x, width, border).value();
    const int row = standIn(y, height, border).value();
    return values[static_cast<size_t>(row) * static_cast<size_t>(width) + static_cast<size_t>(column)];
  }
};

using Of = std::function<double(int x, int y)>;

Plane plane(const Plane& like, const Of& of) {
  Plane result{like.width, like.height, like.border, {}};
  for (int y = 0; y < like.height; ++y)
    for (int x = 0; x < like.width; ++x)
      result.values.push_back(of(x, y));
  return result;
}

class Encoding {
 public:
  explicit Encoding(double offset) : offset_(offset) {}
  double encoded(double x) const {
    return std::copysign(std::pow(std::abs(x) + offset_, power) - std::pow(offset_, power), x);
  }
  double decoded(double v) const {
    return std::copysign(std::pow(std::abs(v) + std::pow(offset_, power), 1.0 / power) - offset_, v);
  }

 private:
  static constexpr double power = 0.42;
  double offset_;
};

Picture decoded(const Plane& red, const Plane& green, const Plane& blue, const Encoding& encoding) {
  Picture result(red.width, red.height, 3);
  for (size_t i = 0; i < red.values.size(); ++i) {
    result.values[3 * i] = encoding.decoded(red.values[i]);
    result.values[3 * i + 1] = encoding.decoded(green.values[i]);
    result.values[3 * i + 2] = encoding.decoded(blue.values[i]);
  }
  return result;
}

Plane transposed(const Plane& p) {
  Plane result{p.height, p.width, p.border, {}};
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x)
      result.values.push_back(p.at(y, x));
  return result;
}

// Green less the other colour, from a pixel's row, and its weight.
struct Differences {
  Plane mean, weight;
};

Differences rowDifferences(const Plane& value, const Plane& colour) {
  const Plane difference = plane(value, [&](int x, int y) {
    const double other = 0.5 * (value.at(x - 1, y) + value.at(x, y) + value.at(x + 1, y)) -
                         0.25 * (value.at(x - 2, y) + value.at(x + 2, y));
    return (colour.at(x, y) == 1.0 ? 1.0 : -1.0) * (value.at(x, y) - other);
  });
  const Plane gradients = plane(value, [&](int x, int y) {
    double sum = 0.0;
    for (int dy = -1; dy <= 1; ++dy) {
      sum += std::abs(difference.at(x - 1, y + dy) - difference.at(x + 1, y + dy));
    }
    return sum;
  });
  Differences result{value, value};
  const auto side = [&](int x, int y, int direction) {
    constexpr double shares[] = {1.0 / 2.3, 1.0 / 2.3, 0.3 / 2.3, 0.0};
    double sum = 0.0, mean = 0.0;
    for (int step = 0; step <= 3; ++step) {
      sum += gradients.at(x + direction * step, y);
      mean += shares[step] * difference.at(x + direction * step, y);
    }
    return std::pair(mean, 1.0 / (sum * sum + least));
  };
  result.weight = plane(value, [&](int x, int y) { return side(x, y, -1).second + side(x, y, 1).second; });
  result.mean = plane(value, [&](int x, int y) {
    const auto [left, leftWeight] = side(x, y, -1);
    const auto [right, rightWeight] = side(x, y, 1);
    return (leftWeight * left + rightWeight * right) / (leftWeight + rightWeight);
  });
  return result;
}

// Weights fall with the changes of green and of its differences.
double inverseSquare(double change) {
  return std::pow(0.02 + change, -2.0);
}

// Where the mosaic has the other of red and blue, from the four on the diagonals.
Plane opposite(const Plane& known, const Plane& green, const Plane& colour, double wanted) {
  return plane(known, [&](int x, int y) {
    if (colour.at(x, y) != 2.0 - wanted)
      return known.at(x, y);
    double sum = 0.0, weight = 0.0;
    for (const int dy : {-1, 1}) {
      for (const int dx : {-1, 1}) {
        const double w = inverseSquare(std::abs(green.at(x + dx, y + dy) - green.at(x, y)) +
                                       std::abs(known.at(x + dx, y + dy) - known.at(x - dx, y - dy)));
        sum += w * known.at(x + dx, y + dy);
        weight += w;
      }
    }
    return sum / weight;
  });
}

// At green pixels, from the four beside them.
Plane atGreen(const Plane& own, const Plane& red, const Plane& blue, const Plane& green,
              const Plane& colour) {
  constexpr std::pair<int, int> beside[] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
  return plane(own, [&](int x, int y) {
    if (colour.at(x, y) != 1.0)
      return own.at(x, y);
    double sum = 0.0, weight = 0.0;
    for (const auto& [dx, dy] : beside) {
      double change = std::abs(green.at(x + dx, y + dy) - green.at(x, y));
      for (const Plane* p : {&red, &blue})
        change += 0.5 * std::abs(p->at(x + dx, y + dy) - p->at(x - dx, y - dy));
      sum += inverseSquare(change) * own.at(x + dx, y + dy);
      weight += inverseSquare(change);
    }
    return sum / weight;
  });
}

Picture bayer(const Plane& value, const Plane& colour, const Encoding& encoding) {
  const Differences row = rowDifferences(value, colour);
  const Differences column = rowDifferences(transposed(value), transposed(colour));
  const Plane columnMean = transposed(column.mean);
  const Plane columnWeight = transposed(column.weight);
  const Plane known = plane(value, [&](int x, int y) {
    const double w = std::pow(row.weight.at(x, y), 1.5), v = std::pow(columnWeight.at(x, y), 1.5);
    const double mean = (w * row.mean.at(x, y) + v * columnMean.at(x, y)) / (w + v);
    return colour.at(x, y) == 1.0 ? 0.0 : mean;
  });
  const Plane green = plane(value, [&](int x, int y) { return value.at(x, y) + known.at(x, y); });
  const Plane red = opposite(known, green, colour, 0.0);
  const Plane blue = opposite(known, green, colour, 2.0);
  const Plane lessRed = atGreen(red, red, blue, green, colour);
  const Plane lessBlue = atGreen(blue, red, blue, green, colour);
  const auto less = [&](const Plane& d) {
    return plane(value, [&](int x, int y) { return green.at(x, y) - d.at(x, y); });
  };
  return decoded(less(lessRed), green, less(lessBlue), encoding);
}

// The mean of surrounding pixels with a colour, weighted by exp(-d^2 / (2 sigma^2)); `otherwise` if there are
// none.
Plane meanOf(const Plane& value, const Plane& colour, double wanted, double sigma, const Plane& otherwise) {
  return plane(value, [&](int x, int y) {
    double sum = 0.0, weight = 0.0;
    for (int dy = -2; dy <= 2; ++dy) {
      for (int dx = -2; dx <= 2; ++dx) {
        const double w = colour.at(x + dx, y + dy) == wanted
                             ? std::exp(-0.5 * (dx * dx + dy * dy) / (sigma * sigma))
                             : 0.0;
        sum += w * value.at(x + dx, y + dy);
        weight += w;
      }
    }
    return weight > 0.0 ? sum / weight : otherwise.at(x, y);
  });
}

// Cubic along the row, and how much green changes there.
Differences cubic(const Plane& green) {
  Differences result{green, green};
  result.mean = plane(green, [&](int x, int y) {
    return (4.0 * (green.at(x - 1, y) + green.at(x + 1, y)) - green.at(x - 2, y) - green.at(x + 2, y)) / 6.0;
  });
  result.weight = plane(green, [&](int x, int y) {
    double change = 0.0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -2; dx <= 0; ++dx) {
        change += std::abs(green.at(x + dx, y + dy) - green.at(x + dx + 2, y + dy));
      }
    }
    return 1.0 / (change * change + least);
  });
  return result;
}

Plane interpolatedGreen(const Plane& green, const Plane& value, const Plane& colour) {
  const Differences row = cubic(green);
  const Differences column = cubic(transposed(green));
  const Plane columnMean = transposed(column.mean);
  const Plane columnWeight = transposed(column.weight);
  return plane(green, [&](int x, int y) {
    const double w = row.weight.at(x, y), v = columnWeight.at(x, y);
    const double along = (w * row.mean.at(x, y) + v * columnMean.at(x, y)) / (w + v);
    return colour.at(x, y) == 1.0 ? value.at(x, y) : 0.25 * green.at(x, y) + 0.75 * along;
  });
}

Picture xTrans(const Plane& value, const Plane& colour, const Encoding& encoding) {
  std::vector<Plane> mean;
  for (int c = 0; c < 3; ++c)
    mean.push_back(meanOf(value, colour, c, 1.4, value));
  Plane green = plane(value, [&](int x, int y) {
    const auto own = static_cast<size_t>(colour.at(x, y));
    return value.at(x, y) + (own == 1 ? 0.0 : mean[1].at(x, y) - mean[own].at(x, y));
  });
  const Plane none = plane(value, [](int, int) { return 0.0; });
  Plane lessRed = none, lessBlue = none;
  for (int turn = 0; turn < 2; ++turn) {
    green = interpolatedGreen(green, value, colour);
    const Plane difference = plane(green, [&](int x, int y) { return green.at(x, y) - value.at(x, y); });
    lessRed = meanOf(difference, colour, 0.0, 1.2, none);
    lessBlue = meanOf(difference, colour, 2.0, 1.2, none);
    green = plane(green, [&](int x, int y) {
      const double c = colour.at(x, y);
      return value.at(x, y) + (c == 0.0 ? lessRed.at(x, y) : c == 2.0 ? lessBlue.at(x, y) : 0.0);
    });
  }
  const auto less = [&](const Plane& d) {
    return plane(value, [&](int x, int y) { return green.at(x, y) - d.at(x, y); });
  };
  return decoded(less(lessRed), green, less(lessBlue), encoding);
}

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
    auto [own, weight, sum] = std::tuple(coloursAround(x, y).at(static_cast<size_t>(colour(x, y))), 0.0, 0.0);
    for (size_t i = 1; i + 1 < own.descending.size(); ++i) {
      const Neighbour& n = own.descending[i];
      const double w = std::pow(n.dx * n.dx + n.dy * n.dy, -2.0);
      sum += w * n.value;
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

  // Of the nearest four, in the mean of the middle two, over the least of their colours.
  double spreadLight(int x, int y, const std::array<Colour, 3>& colours) const {
    std::vector<double> excess;
    for (const Neighbour& n : neighbours(mosaic_, pattern_, x, y, 1))
      if (n.dx == 0 || n.dy == 0)
        excess.push_back(n.value - colours.at(static_cast<size_t>(n.colour)).least());
    std::ranges::sort(excess);
    return excess.size() == 4   ? 0.5 * (excess[1] + excess[2])
           : excess.size() == 3 ? excess[1]
                                : excess.back();
  }

  // Above its colour by noise, and by a factor of each colour's range, from the largest or the second on.
  bool isAbove(double value, double gain, const Colour& own, const std::array<Colour, 3>& colours,
               size_t from, double factor) const {
    const double excess = value - own.rank(from);
    bool result = excess > 4.0 * deviation(gain, own.rank(from)) + 0.02 * gain;
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
    if (value - own.least() <= 6.0 * (spreadLight(x, y, colours) + deviation(gain, own.least())))
      return result;
    result.verdict = isAbove(value, gain, own, colours, 0, 1.1)   ? Verdict::hot
                     : isAbove(value, gain, own, colours, 1, 2.5) ? Verdict::oneOfTwo
                                                                  : Verdict::cold;
    return result;
  }
};

struct Around {
  double sum[3]{}, full[3]{}, count[3]{};
};

Around around(const Picture& mosaic, const MosaicPattern& pattern, const Sensor& sensor, int x, int y) {
  Around a;
  for (const Neighbour& n : neighbours(mosaic, pattern, x, y, 1)) {
    a.sum[n.colour] += n.value;
    a.full[n.colour] += n.value >= nearlyFull * sensor.gains.at(static_cast<size_t>(n.colour)) ? 1.0 : 0.0;
    a.count[n.colour] += 1.0;
  }
  return a;
}

// From neighbouring colours that are not full, and from full ones if they are brighter.
double rebuilt(const Around& a, double value, int colour, double white) {
  double sum = 0.05 * white, weight = 0.05;
  for (int c = 0; c < 3; ++c) {
    const double open = c != colour && a.count[c] > 0.0 ? 1.0 - a.full[c] / a.count[c] : 0.0;
    sum += open > 0.0 ? open * a.sum[c] / a.count[c] : 0.0;
    weight += open;
  }
  const double bound = sum / weight;
  for (int c = 0; c < 3; ++c) {
    if (c != colour && a.count[c] > 0.0 && a.sum[c] / a.count[c] > bound) {
      sum += a.full[c] / a.count[c] * a.sum[c] / a.count[c];
      weight += a.full[c] / a.count[c];
    }
  }
  return std::max(value, sum / weight);
}

}  // namespace

int colourAt(const MosaicPattern& pattern, int x, int y) {
  const uint32_t letter = letterAt(pattern, {static_cast<uint32_t>(x), static_cast<uint32_t>(y)});
  return letter == 0 ? 1 : static_cast<int>(letter) - 1;
}

Picture demosaiced(const Picture& mosaic, const MosaicPattern& pattern, double offset) {
  const bool isBayerLike = isBayer(pattern) || pattern == MosaicPattern{};
  const Encoding encoding(offset);
  Plane value{mosaic.width, mosaic.height, isBayerLike ? Border::reflect101 : Border::clamp, mosaic.values};
  const Plane colour = plane(value, [&](int x, int y) { return double(colourAt(pattern, x, y)); });
  value = plane(value, [&](int x, int y) { return encoding.encoded(*mosaic.at(x, y)); });
  return isBayerLike ? bayer(value, colour, encoding) : xTrans(value, colour, encoding);
}

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
  const double white = *std::ranges::max_element(sensor.gains);
  const HotPixels hotPixels(balanced, pattern, sensor);
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      const double v = *balanced.at(x, y);
      const int c = colourAt(pattern, x, y);
      const Around a = around(balanced, pattern, sensor, x, y);
      const bool isHot = mending.findsHotPixels && hotPixels.isHot(x, y);
      const bool isFull =
          mending.rebuildsHighlights && v >= nearlyFull * sensor.gains.at(static_cast<size_t>(c));
      *result.at(x, y) = isHot ? hotPixels.mean(x, y) : isFull ? rebuilt(a, v, c, white) : v;
    }
  }
  return result;
}

}  // namespace lacuna::test
