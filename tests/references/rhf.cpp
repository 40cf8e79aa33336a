#include "tests/references/rhf.h"

#include <algorithm>
#include <cmath>

#include "tests/references/resample.h"

namespace lacuna::test {
namespace {

// Relative error of a distance in float; and the distance from 1 within which a sum of two downsampled bins
// is in doubt.
constexpr double distanceRounding = 1e-5;
constexpr double sumRounding = 1e-5;
// What a decision changes: this part of a pixel and of a hundredth of the largest value.
constexpr double decisionChange = 0.05;
// Of what is added in float where scales are merged.
constexpr double mergeRounding = 4e-6;

struct Interval {
  double least = 0.0, value = 0.0, most = 0.0;
};

double largestAt(const Picture& picture, size_t pixel) {
  const auto components = static_cast<size_t>(picture.components);
  return largestOf(std::span(picture.values).subspan(pixel * components, components));
}

class Scale {
 public:
  // `finest`: by the k nearest, too; its bins are those of the file, so that nothing is in doubt about their
  // sums.
  Scale(const Picture& picture, const Histograms& histograms, const RhfParameters& parameters, bool finest)
      : picture_(picture), histograms_(histograms), parameters_(parameters), finest_(finest) {}

  RhfResult filter() {
    const auto pixels = static_cast<size_t>(picture_.width) * static_cast<size_t>(picture_.height);
    sum_ = Picture(picture_.width, picture_.height, picture_.components);
    patches_.assign(pixels, 0);
    doubt_.assign(pixels, 0.0);
    covered_.assign(pixels, 0.0);
    founded_.assign(pixels, 0.0);
    for (int y = 0; y < picture_.height; ++y)
      for (int x = 0; x < picture_.width; ++x)
        addPatch(x, y);
    for (size_t i = 0; i < pixels; ++i)
      founded_[i] /= covered_[i];
    RhfResult result{divided(), doubt_, founded_};
    const double smallest = 0.01 * largestOf(result.picture.values);
    for (size_t i = 0; i < pixels; ++i)
      result.doubt[i] *= decisionChange * (largestAt(result.picture, i) + smallest);
    return result;
  }

 private:
  struct Candidate {
    int x, y;
    Interval distance;
    bool accepted = false;
  };

  size_t pixel(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(picture_.width) + static_cast<size_t>(x);
  }
  int colours() const { return std::min(picture_.components, 3); }

  // The half width of a pixel's patch: less near the border.
  int roomOf(int x, int y) const {
    return std::min({parameters_.patch, x, y, picture_.width - 1 - x, picture_.height - 1 - y});
  }

  struct Sum {
    Interval distance;
    int least = 0, terms = 0, most = 0;
  };

  void addTerm(Sum& sum, double term, float bins) const {
    const bool counts = bins > 1.0F;
    const bool doubtful = !finest_ && std::abs(bins - 1.0F) < sumRounding;
    sum.distance.value += counts ? term : 0.0;
    sum.distance.least += counts && !doubtful ? term : 0.0;
    sum.distance.most += counts || doubtful ? term : 0.0;
    sum.terms += counts ? 1 : 0;
    sum.least += counts && !doubtful ? 1 : 0;
    sum.most += counts || doubtful ? 1 : 0;
  }

  void addPixels(Sum& sum, int px, int py, int qx, int qy) const {
    const double np = histograms_.at(histograms_.bins, px, py);
    const double nq = histograms_.at(histograms_.bins, qx, qy);
    if (np == 0.0 || nq == 0.0)
      return;
    for (int bin = 0; bin < histograms_.bins; ++bin) {
      const float hp = histograms_.at(bin, px, py);
      const float hq = histograms_.at(bin, qx, qy);
      const double difference = hp * nq - hq * np;
      addTerm(sum, difference * difference / (np * nq * (double{hp} + double{hq})), hp + hq);
    }
  }

  Interval distance(int px, int py, int qx, int qy, int room) const {
    if (px == qx && py == qy)
      return {finest_ ? 0.0 : -1.0, finest_ ? 0.0 : -1.0, finest_ ? 0.0 : -1.0};
    Sum sum;
    for (int dy = -room; dy <= room; ++dy)
      for (int dx = -room; dx <= room; ++dx)
        addPixels(sum, px + dx, py + dy, qx + dx, qy + dy);
    // A NaN is never less than another value.
    const auto mean = [&](double distance, int terms) {
      return std::isnan(distance) ? INFINITY
             : finest_            ? distance / (terms + 1e-4)
             : terms == 0         ? INFINITY
                                  : distance / terms;
    };
    return {mean(sum.distance.least, sum.most) * (1 - distanceRounding), mean(sum.distance.value, sum.terms),
            mean(sum.distance.most, sum.least) * (1 + distanceRounding)};
  }

  // The candidates from left to right, each column from top to bottom.
  std::vector<Candidate> candidates(int x, int y, int room) const {
    std::vector<Candidate> all;
    const int b = parameters_.search;
    for (int i = std::max(x - b, room); i <= std::min(x + b, picture_.width - 1 - room); ++i)
      for (int j = std::max(y - b, room); j <= std::min(y + b, picture_.height - 1 - room); ++j)
        all.push_back({i, j, distance(x, y, i, j, room)});
    return all;
  }

  // False if rounding may decide otherwise.
  bool accept(std::vector<Candidate>& all) const {
    std::vector<const Candidate*> nearest;
    const size_t least = finest_ ? static_cast<size_t>(parameters_.k) + 1 : 0;
    for (Candidate& candidate : all) {
      candidate.accepted = candidate.distance.value < parameters_.threshold;
      if (std::isfinite(candidate.distance.value))
        nearest.push_back(&candidate);
    }
    std::stable_sort(nearest.begin(), nearest.end(), [](const Candidate* a, const Candidate* b) {
      return a->distance.value < b->distance.value;
    });
    nearest.resize(std::min(least, nearest.size()));
    for (const Candidate* each : nearest)
      all[static_cast<size_t>(each - all.data())].accepted = true;
    return std::all_of(all.begin(), all.end(), [&](const Candidate& c) { return isClear(c, all, least); });
  }

  bool isClear(const Candidate& c, const std::vector<Candidate>& all, size_t least) const {
    if (c.distance.most < parameters_.threshold || !std::isfinite(c.distance.value))
      return true;
    const auto others = [&](const auto& comes) {
      return static_cast<size_t>(std::count_if(
          all.begin(), all.end(), [&](const Candidate& o) { return &o != &c && comes(o.distance); }));
    };
    const bool surelyNear = others([&](const Interval& o) { return o.least <= c.distance.most; }) < least;
    const bool surelyFar = others([&](const Interval& o) { return o.most < c.distance.least; }) >= least;
    return surelyNear || (surelyFar && c.distance.least >= parameters_.threshold);
  }

  void addPatch(int x, int y) {
    const int room = roomOf(x, y);
    std::vector<Candidate> all = candidates(x, y, room);
    const bool clear = accept(all);
    const auto alike = std::count_if(
        all.begin(), all.end(), [&](const Candidate& c) { return c.distance.value < parameters_.threshold; });
    const double founded = finest_ && alike <= parameters_.k ? 0.0 : 1.0;
    for (int dy = -room; dy <= room; ++dy) {
      for (int dx = -room; dx <= room; ++dx) {
        addMean(all, x, y, dx, dy);
        covered_[pixel(x + dx, y + dy)] += 1.0;
        founded_[pixel(x + dx, y + dy)] += founded;
        if (!clear)
          doubt_[pixel(x + dx, y + dy)] = 1.0;
      }
    }
  }

  // Adds the mean of the accepted patches' pixels at (dx, dy).
  void addMean(const std::vector<Candidate>& all, int x, int y, int dx, int dy) {
    double mean[3] = {};
    double weights = 0.0;
    for (const Candidate& candidate : all) {
      const double* v = picture_.at(candidate.x + dx, candidate.y + dy);
      const bool finite = std::all_of(v, v + picture_.components, [](double c) { return std::isfinite(c); });
      if (!candidate.accepted || !finite)
        continue;
      for (int c = 0; c < colours(); ++c)
        mean[c] += v[c];
      weights += 1.0;
    }
    if (weights == 0.0)
      return;
    for (int c = 0; c < colours(); ++c)
      sum_.at(x + dx, y + dy)[c] += mean[c] / weights;
    ++patches_[pixel(x + dx, y + dy)];
  }

  Picture divided() const {
    Picture result = picture_;
    for (int y = 0; y < picture_.height; ++y) {
      for (int x = 0; x < picture_.width; ++x)
        for (int c = 0; c < colours() && patches_[pixel(x, y)] > 0; ++c)
          result.at(x, y)[c] = sum_.at(x, y)[c] / patches_[pixel(x, y)];
    }
    return result;
  }

  const Picture& picture_;
  const Histograms& histograms_;
  const RhfParameters& parameters_;
  bool finest_;
  Picture sum_;
  std::vector<int> patches_;
  std::vector<double> doubt_;
  std::vector<double> covered_, founded_;  // patches over a pixel, and those of alike ones
};

int coarser(int size, int scale) {
  return (size + (1 << scale) - 1) >> scale;
}

// Components that aren't all finite weigh nothing.
Picture shrunk(const Picture& fine, int scale) {
  Picture coarse(coarser(fine.width, scale), coarser(fine.height, scale), fine.components);
  for (int y = 0; y < coarse.height; ++y) {
    for (int x = 0; x < coarse.width; ++x) {
      const Taps across = gaussianTaps(x, scale);
      const Taps down = gaussianTaps(y, scale);
      double weights = 0.0;
      for (size_t j = 0; j < down.weights.size(); ++j) {
        for (size_t i = 0; i < across.weights.size(); ++i) {
          const double* v = fine.at(mirrored(across.first + static_cast<int>(i), fine.width),
                                    mirrored(down.first + static_cast<int>(j), fine.height));
          if (!std::all_of(v, v + fine.components, [](double c) { return std::isfinite(c); }))
            continue;
          const double weight = across.weights[i] * down.weights[j];
          for (int c = 0; c < fine.components; ++c)
            coarse.at(x, y)[c] += weight * v[c];
          weights += weight;
        }
      }
      for (int c = 0; c < fine.components; ++c)
        coarse.at(x, y)[c] /= weights;
    }
  }
  return coarse;
}

Picture planeOf(const Histograms& histograms, int plane) {
  Picture picture(histograms.width, histograms.height, 1);
  for (size_t i = 0; i < picture.values.size(); ++i) {
    const double v = histograms.values[histograms.index(plane, 0, 0) + i];
    picture.values[i] = std::isfinite(v) ? v : 0.0;
  }
  return picture;
}

double total(const Picture& picture) {
  double sum = 0.0;
  for (const double v : picture.values)
    sum += v;
  return sum;
}

// Shrunk histograms, which keep the number of samples.
Histograms shrunk(const Histograms& fine, int scale) {
  Histograms coarse(coarser(fine.width, scale), coarser(fine.height, scale), fine.bins);
  const Picture samples = planeOf(fine, fine.bins);
  const double left = total(shrunk(samples, scale));
  const double factor = left != 0.0 ? total(samples) / left : 1.0;
  for (int plane = 0; plane <= fine.bins; ++plane) {
    const Picture picture = shrunk(planeOf(fine, plane), scale);
    for (size_t i = 0; i < picture.values.size(); ++i)
      coarse.values[coarse.index(plane, 0, 0) + i] = static_cast<float>(factor * picture.values[i]);
  }
  return coarse;
}

// fine + U(coarse - Down(fine)).
RhfResult merged(RhfResult fine, const RhfResult& coarse) {
  Picture& picture = fine.picture;
  const Picture down = shrunk(picture, 1);
  Picture doubts(picture.width, picture.height, 1);
  doubts.values = fine.doubt;
  const Picture shrunkDoubts = shrunk(doubts, 1);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const Taps across = keysTaps(x, down.width, picture.width);
      const Taps rows = keysTaps(y, down.height, picture.height);
      double& doubt =
          fine.doubt[static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x)];
      for (size_t j = 0; j < 4; ++j) {
        for (size_t i = 0; i < 4; ++i) {
          const int cx = mirrored(across.first + static_cast<int>(i), down.width);
          const int cy = mirrored(rows.first + static_cast<int>(j), down.height);
          for (int c = 0; c < std::min(picture.components, 3); ++c) {
            const double difference = coarse.picture.at(cx, cy)[c] - down.at(cx, cy)[c];
            picture.at(x, y)[c] +=
                across.weights[i] * rows.weights[j] * (std::isfinite(difference) ? difference : 0.0);
          }
          const auto place =
              static_cast<size_t>(cy) * static_cast<size_t>(down.width) + static_cast<size_t>(cx);
          const double other = coarse.doubt[place] + *shrunkDoubts.at(cx, cy) +
                               mergeRounding * (largestAt(coarse.picture, place) + largestAt(down, place));
          doubt += std::abs(across.weights[i] * rows.weights[j]) * other;
        }
      }
    }
  }
  return fine;
}

}  // namespace

RhfResult rhf(const Picture& picture, const Histograms& histograms, const RhfParameters& parameters) {
  RhfResult coarse;
  for (int s = parameters.scales - 1; s >= 0; --s) {
    const Picture image = s == 0 ? picture : shrunk(picture, s);
    const Histograms bins = s == 0 ? histograms : shrunk(histograms, s);
    RhfResult own = Scale(image, bins, parameters, s == 0 && parameters.k > 0).filter();
    coarse = s == parameters.scales - 1 ? std::move(own) : merged(std::move(own), coarse);
  }
  if (parameters.blend)
    coarse.picture = blended(picture, coarse, histograms, parameters);
  return coarse;
}

}  // namespace lacuna::test
