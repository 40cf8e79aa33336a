#include "tests/reference/demosaic.h"

#include <algorithm>
#include <array>
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

using Nominal = std::function<int(int x, int y)>;  // the colour, also outside the image

// Contrasts between the pixels of a block of 2x2, of brightness and of colour, and how much colour it has.
struct Look {
  double brightness = 0.0, colour = 0.0, saturation = 0.0;
};

Look lookOf(const std::array<std::array<double, 3>, 4>& block) {
  Look result;
  const auto brightness = [](const std::array<double, 3>& c) { return (c[0] + 2.0 * c[1] + c[2]) / 4.0; };
  for (const auto& [i, j] : {std::pair(0, 1), std::pair(2, 3), std::pair(0, 2), std::pair(1, 3)}) {
    const auto& a = block.at(static_cast<size_t>(i));
    const auto& b = block.at(static_cast<size_t>(j));
    result.brightness += std::abs(brightness(a) - brightness(b));
    for (const size_t c : {size_t(0), size_t(2)})
      result.colour += std::abs((a[c] - a[1]) - (b[c] - b[1]));
  }
  for (const auto& c : block)
    result.saturation += std::abs(c[0] - c[1]) + std::abs(c[2] - c[1]);
  return result;
}

// How independently of green red and blue change, a number for each block of 2x2: which of two simple
// pictures has less contrast in 5x5 blocks.
Plane independenceOf(const Plane& value, const Plane& known, const Plane& plainGreen,
                     const Nominal& nominal) {
  const auto near = [&](int x, int y, int colour, const Of& of) {
    double sum = 0.0, count = 0.0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const bool counts =
            nominal(x + dx, y + dy) == colour && (nominal(x, y) != colour || (dx == 0 && dy == 0));
        sum += counts ? of(x + dx, y + dy) : 0.0;
        count += counts ? 1.0 : 0.0;
      }
    }
    return sum / count;
  };
  const Of valueAt = [&](int x, int y) { return value.at(x, y); };
  const Of knownAt = [&](int x, int y) { return known.at(x, y); };
  Plane joint{(value.width + 1) / 2, (value.height + 1) / 2, Border::clamp, {}};
  Plane plain = joint;
  for (int y = 0; y < 2 * joint.height; y += 2) {
    for (int x = 0; x < 2 * joint.width; x += 2) {
      std::array<std::array<double, 3>, 4> together{}, alone{};
      for (int k = 0; k < 4; ++k) {
        const int column = x + k % 2, row = y + k / 2;
        const bool isGreen = nominal(column, row) == 1;
        const double own = value.at(column, row);
        const double green = own + (isGreen ? 0.0 : known.at(column, row));
        const auto i = static_cast<size_t>(k);
        together.at(i) = {green - near(column, row, 0, knownAt), green,
                          green - near(column, row, 2, knownAt)};
        alone.at(i) = {near(column, row, 0, valueAt), isGreen ? own : plainGreen.at(column, row),
                       near(column, row, 2, valueAt)};
      }
      const Look a = lookOf(together), b = lookOf(alone);
      joint.values.push_back(a.brightness + 0.5 * a.colour);
      plain.values.push_back(b.brightness + 0.5 * b.colour +
                             0.18 * std::max(b.saturation - a.saturation, 0.0));
    }
  }
  return plane(joint, [&](int x, int y) {
    double together = 0.0025, alone = 0.0025;
    for (int dy = -2; dy <= 2; ++dy) {
      for (int dx = -2; dx <= 2; ++dx) {
        together += joint.at(x + dx, y + dy);
        alone += plain.at(x + dx, y + dy);
      }
    }
    return std::max(1.0 / (1.0 + std::pow(1.03 * alone / together, 20.0)) - 0.06, 0.0) / 0.94;
  });
}

// Where the mosaic has the other of red and blue, from the four on the diagonals.
Plane opposite(const Plane& known, const Plane& green, const Plane& alone, const Plane& colour,
               double wanted) {
  return plane(known, [&](int x, int y) {
    if (colour.at(x, y) != 2.0 - wanted)
      return known.at(x, y);
    double sum = 0.0, greens = 0.0, weight = 0.0;
    for (const int dy : {-1, 1}) {
      for (const int dx : {-1, 1}) {
        const double w = inverseSquare(std::abs(green.at(x + dx, y + dy) - green.at(x, y)) +
                                       std::abs(known.at(x + dx, y + dy) - known.at(x - dx, y - dy)));
        sum += w * known.at(x + dx, y + dy);
        greens += w * green.at(x + dx, y + dy);
        weight += w;
      }
    }
    return sum / weight + alone.at(x, y) * (green.at(x, y) - greens / weight);
  });
}

// At green pixels, from the four beside them.
Plane atGreen(const Plane& own, const Plane& red, const Plane& blue, const Plane& green, const Plane& alone,
              const Plane& colour) {
  constexpr std::pair<int, int> beside[] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
  return plane(own, [&](int x, int y) {
    if (colour.at(x, y) != 1.0)
      return own.at(x, y);
    double sum = 0.0, greens = 0.0, weight = 0.0;
    for (const auto& [dx, dy] : beside) {
      double change = std::abs(green.at(x + dx, y + dy) - green.at(x, y));
      for (const Plane* p : {&red, &blue})
        change += 0.5 * std::abs(p->at(x + dx, y + dy) - p->at(x - dx, y - dy));
      sum += inverseSquare(change) * own.at(x + dx, y + dy);
      greens += inverseSquare(change) * green.at(x + dx, y + dy);
      weight += inverseSquare(change);
    }
    return sum / weight + alone.at(x, y) * (green.at(x, y) - greens / weight);
  });
}

Picture bayer(const Plane& value, const Plane& colour, const Nominal& nominal, const Encoding& encoding) {
  const Differences row = rowDifferences(value, colour);
  const Differences column = rowDifferences(transposed(value), transposed(colour));
  const Plane columnMean = transposed(column.mean);
  const Plane columnWeight = transposed(column.weight);
  const Plane share = plane(value, [&](int x, int y) {
    const double w = std::pow(row.weight.at(x, y), 1.5), v = std::pow(columnWeight.at(x, y), 1.5);
    return w / (w + v);
  });
  const auto mixed = [&](int x, int y, double ofRow, double ofColumn) {
    return share.at(x, y) * ofRow + (1.0 - share.at(x, y)) * ofColumn;
  };
  const Plane joint = plane(value, [&](int x, int y) {
    return colour.at(x, y) == 1.0 ? 0.0 : mixed(x, y, row.mean.at(x, y), columnMean.at(x, y));
  });
  const Plane plainGreen = plane(value, [&](int x, int y) {
    return mixed(x, y, 0.5 * (value.at(x - 1, y) + value.at(x + 1, y)),
                 0.5 * (value.at(x, y - 1) + value.at(x, y + 1)));
  });
  const Plane ofBlocks = independenceOf(value, joint, plainGreen, nominal);
  const Plane alone = plane(value, [&](int x, int y) { return ofBlocks.at(x / 2, y / 2); });
  const Plane known = plane(value, [&](int x, int y) {
    const double plain = plainGreen.at(x, y) - value.at(x, y);
    return colour.at(x, y) == 1.0 ? 0.0 : joint.at(x, y) + alone.at(x, y) * (plain - joint.at(x, y));
  });
  const Plane green = plane(value, [&](int x, int y) { return value.at(x, y) + known.at(x, y); });
  const Plane red = opposite(known, green, alone, colour, 0.0);
  const Plane blue = opposite(known, green, alone, colour, 2.0);
  const Plane lessRed = atGreen(red, red, blue, green, alone, colour);
  const Plane lessBlue = atGreen(blue, red, blue, green, alone, colour);
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

}  // namespace

int colourAt(const MosaicPattern& pattern, int x, int y) {
  const uint32_t letter = letterAt(pattern, {static_cast<uint32_t>(x), static_cast<uint32_t>(y)});
  return letter == 0 ? 1 : static_cast<int>(letter) - 1;
}

Picture demosaiced(const Picture& mosaic, const MosaicPattern& pattern, double offset) {
  if (pattern == MosaicPattern{}) {
    Picture grey(mosaic.width, mosaic.height, 3);
    for (size_t i = 0; i < grey.values.size(); ++i)
      grey.values[i] = mosaic.values[i / 3];
    return grey;
  }
  const Encoding encoding(offset);
  Plane value{mosaic.width, mosaic.height, isBayer(pattern) ? Border::reflect101 : Border::clamp,
              mosaic.values};
  const Plane colour = plane(value, [&](int x, int y) { return double(colourAt(pattern, x, y)); });
  value = plane(value, [&](int x, int y) { return encoding.encoded(*mosaic.at(x, y)); });
  const Nominal nominal = [&](int x, int y) { return colourAt(pattern, x & 1, y & 1); };
  return isBayer(pattern) ? bayer(value, colour, nominal, encoding) : xTrans(value, colour, encoding);
}

}  // namespace lacuna::test
