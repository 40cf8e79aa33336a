// The blend of input and filtered picture: by the share V / D^2 of the latter, at most 1, with V the variance
// of the input's pixels and D^2 the squared change, both means over 13 x 13 pixels and sums over colours.

#include <cmath>

#include "tests/references/rhf.h"

namespace lacuna::test {
namespace {

constexpr int reach = 6;

struct Change {
  double variance = 0.0, squared = 0.0;
  bool known = false;
};

double radianceOf(int bin, int bins, const RhfParameters& p) {
  const double v = bin < bins - 1 ? static_cast<double>(bin) / (bins - 2) : 2.0;
  return std::pow(v * p.maximum, p.gamma);
}

// Variance of a sample; without the part that sharing it between two bins may have added: a quarter of the
// squared distance of a bin and the farther one beside it.
double varianceOf(const Histograms& h, int colour, int x, int y, const RhfParameters& p) {
  const int bins = h.bins / 3;
  double count = 0.0, sum = 0.0, squares = 0.0;
  for (int b = 0; b < bins; ++b) {
    const double n = h.at(colour * bins + b, x, y);
    const double radiance = radianceOf(b, bins, p);
    const double apart = std::max(radianceOf(std::min(b + 1, bins - 1), bins, p) - radiance,
                                  radiance - radianceOf(std::max(b - 1, 0), bins, p));
    count += n;
    sum += n * radiance;
    squares += n * (radiance * radiance - apart * apart / 4);
  }
  const double variance = squares / count - (sum / count) * (sum / count);
  return std::isnan(variance) ? variance : std::max(0.0, variance);
}

Change changeOf(const Picture& input, const Picture& filtered, const Histograms& h, int x, int y,
                const RhfParameters& p) {
  Change change;
  const double n = h.at(h.bins, x, y);
  for (int c = 0; c < 3; ++c) {
    change.variance += varianceOf(h, c, x, y, p) / (n - 1);
    change.squared += std::pow(filtered.at(x, y)[c] - input.at(x, y)[c], 2);
  }
  change.known = n > 1 && std::isfinite(change.variance) && std::isfinite(change.squared);
  return change;
}

// More than a twentieth of the samples are in the last bin of a colour.
bool isSaturated(const Histograms& h, int x, int y) {
  const int bins = h.bins / 3;
  double most = 0.0;
  for (int c = 0; c < 3; ++c)
    most = std::max<double>(most, h.at((c + 1) * bins - 1, x, y));
  return most > 0.05 * h.at(h.bins, x, y);
}

}  // namespace

Picture blended(const Picture& input, const RhfResult& result, const Histograms& histograms,
                const RhfParameters& parameters) {
  const Picture& filtered = result.picture;
  const auto support = [&](int x, int y) {
    return isSaturated(histograms, x, y)
               ? 0.0
               : result.support[static_cast<size_t>(y) * static_cast<size_t>(input.width) +
                                static_cast<size_t>(x)];
  };
  std::vector<Change> changes;
  for (int y = 0; y < input.height; ++y)
    for (int x = 0; x < input.width; ++x)
      changes.push_back(changeOf(input, filtered, histograms, x, y, parameters));
  Picture mixture = input;
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      double variance = 0.0, squared = 0.0;
      for (int j = std::max(0, y - reach); j <= std::min(input.height - 1, y + reach); ++j) {
        for (int i = std::max(0, x - reach); i <= std::min(input.width - 1, x + reach); ++i) {
          const Change& change =
              changes[static_cast<size_t>(j) * static_cast<size_t>(input.width) + static_cast<size_t>(i)];
          variance += change.known ? change.variance * support(i, j) : 0.0;
          squared += change.known ? change.squared * support(i, j) : 0.0;
        }
      }
      const bool finite = std::isfinite(input.at(x, y)[0] + input.at(x, y)[1] + input.at(x, y)[2]);
      const double share = !finite ? 1.0 : support(x, y) * (variance < squared ? variance / squared : 1.0);
      for (int c = 0; c < 3; ++c) {
        mixture.at(x, y)[c] = share == 1.0 ? filtered.at(x, y)[c]
                                           : (1 - share) * input.at(x, y)[c] + share * filtered.at(x, y)[c];
      }
    }
  }
  return mixture;
}

}  // namespace lacuna::test
