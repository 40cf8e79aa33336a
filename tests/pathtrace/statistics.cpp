#include "tests/pathtrace/statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna::pathtrace::reference {
namespace {

constexpr double chance = 1e-7;  // that a check fails although the pictures agree

// Distance from 0 that a normal variable exceeds, on either side, with a probability.
double quantile(double probability) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > probability ? low : high) = middle;
  }
  return high;
}

// The number that a count of rare events (Poisson) exceeds with at most `chance`.
int mostEvents(double mean) {
  double term = std::exp(-mean);
  double sum = term;
  int k = 0;
  while (1 - sum > chance && k < 100000) {
    ++k;
    term *= mean / k;
    sum += term;
  }
  return k;
}

struct Member {
  int pixel, block;
};
std::vector<Member> members(int width, int height, int side, int columns) {
  std::vector<Member> all;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      all.push_back({y * width + x, y / side * columns + x / side});
  return all;
}

Blocks emptyBlocks(int width, int height, int side) {
  Blocks blocks;
  blocks.columns = (width + side - 1) / side;
  const int rows = (height + side - 1) / side;
  blocks.means.resize(static_cast<size_t>(blocks.columns) * static_cast<size_t>(rows));
  blocks.variances.resize(blocks.means.size());
  return blocks;
}

}  // namespace

double normalOfStudent(double t, double degrees) {
  const double z = std::sqrt(degrees * std::log1p(t * t / degrees)) * (8 * degrees + 1) / (8 * degrees + 3);
  return std::copysign(z, t);
}

Blocks blocksOf(const Film& film, int side) {
  Blocks blocks = emptyBlocks(film.width, film.height, side);
  std::vector<double> counts(blocks.means.size(), 0.0);
  for (const auto& [pixel, block] : members(film.width, film.height, side, blocks.columns)) {
    const auto p = static_cast<size_t>(pixel);
    const auto b = static_cast<size_t>(block);
    blocks.means[b] = blocks.means[b] + film.means[p].direct + film.means[p].indirect;
    blocks.variances[b] = blocks.variances[b] + film.variances[p];
    counts[b] += 1;
  }
  for (size_t b = 0; b < counts.size(); ++b) {
    blocks.means[b] = blocks.means[b] * (1 / counts[b]);
    blocks.variances[b] = blocks.variances[b] * (1 / (counts[b] * counts[b]));
  }
  blocks.degrees = 1e6;
  return blocks;
}

Blocks blocksOf(const std::vector<std::vector<Vec3>>& renders, int width, int height, int side) {
  Blocks blocks = emptyBlocks(width, height, side);
  const auto all = members(width, height, side, blocks.columns);
  std::vector<double> counts(blocks.means.size(), 0.0);
  for (const Member& m : all)
    counts[static_cast<size_t>(m.block)] += 1;
  std::vector<std::vector<Vec3>> means(renders.size(), std::vector<Vec3>(counts.size()));
  const double n = static_cast<double>(renders.size());
  for (size_t r = 0; r < renders.size(); ++r) {
    for (const auto& [pixel, block] : all) {
      const auto b = static_cast<size_t>(block);
      means[r][b] = means[r][b] + renders[r][static_cast<size_t>(pixel)] * (1 / counts[b]);
    }
    for (size_t b = 0; b < counts.size(); ++b)
      blocks.means[b] = blocks.means[b] + means[r][b] * (1 / n);
  }
  for (const std::vector<Vec3>& of : means) {
    for (size_t b = 0; b < counts.size(); ++b) {
      const Vec3 away = of[b] - blocks.means[b];
      blocks.variances[b] = blocks.variances[b] + away * away * (1 / (n * (n - 1)));
    }
  }
  blocks.degrees = n - 1;
  return blocks;
}

Blocks wholeOf(const Film& film) {
  return blocksOf(film, std::max(film.width, film.height));
}

Blocks wholeOf(const std::vector<std::vector<Vec3>>& renders) {
  const int pixels = static_cast<int>(renders.front().size());
  return blocksOf(renders, pixels, 1, pixels);
}

std::string difference(const Blocks& a, const Blocks& b) {
  const int count = static_cast<int>(a.means.size());
  const double farthest = quantile(chance / (3 * count));
  std::string words;
  for (int c = 0; c < 3; ++c) {
    int beyond = 0;
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<size_t>(i);
      const double va = component(a.variances[at], c);
      const double vb = component(b.variances[at], c);
      const double away = component(a.means[at], c) - component(b.means[at], c);
      // Results without noise still differ by single precision.
      const double rounding = 2e-5 * std::abs(component(b.means[at], c));
      const double error = std::sqrt(va + vb + rounding * rounding) + 1e-30;
      // Welch, Satterthwaite: the number of independent samples to which a sum of variances is equivalent.
      const double degrees = (va + vb) * (va + vb) / (va * va / a.degrees + vb * vb / b.degrees + 1e-300);
      const double distance = std::abs(normalOfStudent(away / error, std::max(degrees, 1.0)));
      beyond += distance > 3 ? 1 : 0;
      if (distance > farthest) {
        words += fmt::format("block {},{} component {}: {:.6g} and {:.6g}, {:.1f} standard errors\n",
                             i % a.columns, i / a.columns, c, component(a.means[at], c),
                             component(b.means[at], c), distance);
      }
    }
    const int most = mostEvents(0.0027 * count);
    if (beyond > most) {
      words += fmt::format("component {}: {} of {} blocks beyond 3 standard errors, {} are likely\n", c,
                           beyond, count, most);
    }
  }
  return words;
}

}  // namespace lacuna::pathtrace::reference
