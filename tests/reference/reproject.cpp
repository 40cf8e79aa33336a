#include <algorithm>
#include <cmath>

#include "tests/reference/svgf_surface.h"
#include "tests/reference/temporal.h"

namespace lacuna::test {

std::vector<ReprojectReference::Tap> ReprojectReference::validTaps(const SvgfFrame& frame,
                                                                   const Picture& carried, int x,
                                                                   int y) const {
  std::vector<Tap> taps;
  const double* motion = frame.motion.at(x, y);
  const float px = static_cast<float>(x + motion[0]);
  const float py = static_cast<float>(y + motion[1]);
  const bool reaches = parameters_.reach == 0 ||
                       (std::abs(motion[0]) <= parameters_.reach && std::abs(motion[1]) <= parameters_.reach);
  if (earlierSurfaces_.empty() || !reaches ||
      !(px > -1.0F && px < static_cast<float>(carried.width) && py > -1.0F &&
        py < static_cast<float>(carried.height)))
    return taps;
  const SvgfSurface& p = surfaces_[static_cast<size_t>(y * carried.width + x)];
  for (int k = 0; k < 4; ++k) {
    Tap tap{static_cast<int>(std::floor(px)) + k % 2, static_cast<int>(std::floor(py)) + k / 2, 0.0};
    if (!carried.contains(tap.x, tap.y))
      continue;
    const SvgfSurface& q = earlierSurfaces_[static_cast<size_t>(tap.y * carried.width + tap.x)];
    const double cosine = p.normal[0] * q.normal[0] + p.normal[1] * q.normal[1] + p.normal[2] * q.normal[2];
    const double* value = carried.at(tap.x, tap.y);
    if (q.id == p.id &&
        std::abs(q.depth - p.depth) <= parameters_.depthTolerance * std::abs(p.depth) + 2.0 * p.slope &&
        cosine >= parameters_.normalTolerance &&
        std::all_of(value, value + carried.components, [](double v) { return std::isfinite(v); })) {
      const double fx = px - std::floor(px);
      const double fy = py - std::floor(py);
      tap.weight = (k % 2 == 0 ? 1.0 - fx : fx) * (k / 2 == 0 ? 1.0 - fy : fy);
      taps.push_back(tap);
    }
  }
  return taps;
}

Reprojected ReprojectReference::next(const SvgfFrame& frame, const Picture& carried) {
  earlierSurfaces_ = std::move(surfaces_);
  surfaces_ = svgfSurfaces(frame, Emitters::asTheyAre);
  Reprojected out{Picture(carried.width, carried.height, carried.components),
                  Picture(carried.width, carried.height, 1), Picture(carried.width, carried.height, 1)};
  for (int y = 0; y < carried.height; ++y) {
    for (int x = 0; x < carried.width; ++x) {
      double total = 0.0;
      const std::vector<Tap> taps = validTaps(frame, carried, x, y);
      for (const Tap& tap : taps)
        total += tap.weight;
      *out.length.at(x, y) = 1.0;
      *out.mask.at(x, y) = total > 0.01 ? 0.0 : 1.0;
      if (!(total > 0.01))
        continue;
      double length = 0.0;
      for (const Tap& tap : taps) {
        length += tap.weight / total * *lengths_.at(tap.x, tap.y);
        for (int c = 0; c < carried.components; ++c)
          out.output.at(x, y)[c] += tap.weight / total * carried.at(tap.x, tap.y)[c];
      }
      *out.length.at(x, y) =
          std::min(std::floor(length + 0.513) + 1.0, static_cast<double>(parameters_.history));
    }
  }
  lengths_ = out.length;
  return out;
}

}  // namespace lacuna::test
