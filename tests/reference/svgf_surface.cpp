#include "tests/reference/svgf_surface.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lacuna::test {
namespace {

constexpr float farthestDepth = 1e10F;
float depthOf(double stored) {
  return std::isnan(stored) ? farthestDepth
                            : std::clamp(static_cast<float>(stored), -farthestDepth, farthestDepth);
}

// The smaller one-sided difference along an axis.
float oneSided(const Picture& depth, int x, int y, int dx, int dy) {
  const float here = depthOf(*depth.at(x, y));
  float least = -1.0F;
  for (const int side : {-1, 1}) {
    if (depth.contains(x + side * dx, y + side * dy)) {
      const float d = std::abs(depthOf(*depth.at(x + side * dx, y + side * dy)) - here);
      least = least < 0.0F ? d : std::min(least, d);
    }
  }
  return std::max(least, 0.0F);
}

float gradientOf(const Picture& depth, const Picture* gradient, int x, int y) {
  float gx = oneSided(depth, x, y, 1, 0);
  float gy = oneSided(depth, x, y, 0, 1);
  if (gradient != nullptr && std::isfinite(gradient->at(x, y)[0]) && std::isfinite(gradient->at(x, y)[1])) {
    gx = std::abs(static_cast<float>(gradient->at(x, y)[0]));
    gy = std::abs(static_cast<float>(gradient->at(x, y)[1]));
  }
  return std::sqrt(gx * gx + gy * gy);
}

double slopeOf(const Picture& depth, const Picture* gradient, int x, int y) {
  const float z = std::abs(depthOf(*depth.at(x, y)));
  const float g = std::clamp(gradientOf(depth, gradient, x, y), 0.0005F * z, 0.25F * z);
  const auto bits = std::bit_cast<uint32_t>(g);
  const int code = std::clamp(static_cast<int>((bits + 0x40000U) >> 19U) - 1520, 0, 1023);
  return std::bit_cast<float>(static_cast<uint32_t>(code + 1520) << 19U);
}

float sign(float t) {
  return t >= 0.0F ? 1.0F : -1.0F;
}

void normalOf(const double* stored, double out[3]) {
  float codes[2];
  svgfNormalCodes(stored, codes);
  const double u = std::floor(static_cast<double>(codes[0])) / 1023.0;
  const double v = std::floor(static_cast<double>(codes[1])) / 1023.0;
  double n[3] = {u, v, 1.0 - std::abs(u) - std::abs(v)};
  if (n[2] < 0.0) {
    n[0] = (1.0 - std::abs(v)) * (u >= 0.0 ? 1.0 : -1.0);
    n[1] = (1.0 - std::abs(u)) * (v >= 0.0 ? 1.0 : -1.0);
  }
  const double length = std::hypot(n[0], n[1], n[2]);
  std::transform(n, n + 3, out, [length](double c) { return c / length; });
}

double albedoOf(double albedo) {
  return std::isnan(albedo) ? 0.0 : std::clamp(albedo, 0.0, 1.0);
}

bool emits(const double* albedo) {
  const auto [least, most] = std::minmax({albedoOf(albedo[0]), albedoOf(albedo[1]), albedoOf(albedo[2])});
  return most < 1.0 / 1024 || least > 0.98;
}

uint32_t idOf(double stored) {
  auto w = std::bit_cast<uint32_t>(static_cast<float>(stored));
  w ^= w >> 16U;
  w ^= w >> 11U;
  return w & 2047U;
}

bool isMissing(const double* rgb) {
  return !std::all_of(rgb, rgb + 3, [](double c) { return std::isfinite(c); });
}

}  // namespace

double svgfLuminance(const double* c) {
  return 0.212639006 * c[0] + 0.715168679 * c[1] + 0.072192315 * c[2];  // Rec. 709
}

bool svgfSlopeIsClear(const Picture& depth, const Picture* gradient, int x, int y) {
  // Squares and their sum may be fused, and Vulkan lets sqrt be off by 3 units in the last place or so.
  constexpr uint32_t margin = 16;
  constexpr uint32_t step = 1U << 19U;
  const float z = std::abs(depthOf(*depth.at(x, y)));
  const float g = gradientOf(depth, gradient, x, y);
  const bool isClamped = g <= 0.0005F * z || g >= 0.25F * z;
  const uint32_t part = (std::bit_cast<uint32_t>(g) + step / 2) % step;
  return isClamped || (part >= margin && part < step - margin);
}

void svgfNormalCodes(const double* normal, float out[2]) {
  const float n[3] = {static_cast<float>(normal[0]), static_cast<float>(normal[1]),
                      static_cast<float>(normal[2])};
  const float s = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]);
  out[0] = out[1] = 0.0F;
  if (!(s > 1e-20F && s < 1e20F))
    return;
  float uv[2] = {n[0] / s, n[1] / s};
  if (n[2] < 0.0F) {
    const float u = uv[0];
    uv[0] = (1.0F - std::abs(uv[1])) * sign(u);
    uv[1] = (1.0F - std::abs(u)) * sign(uv[1]);
  }
  for (int i = 0; i < 2; ++i)
    out[i] = std::clamp(uv[i], -1.0F, 1.0F) * 1023.0F + 0.5F;
}

std::vector<SvgfSurface> svgfSurfaces(const SvgfFrame& frame, Emitters emitters) {
  std::vector<SvgfSurface> surfaces;
  for (int y = 0; y < frame.depth.height; ++y) {
    for (int x = 0; x < frame.depth.width; ++x) {
      SvgfSurface s{};
      const double* n = frame.normal.at(x, y);
      const bool turned =
          emitters == Emitters::turnedAround && frame.hasAlbedo && emits(frame.albedo.at(x, y));
      const double sign = turned ? -1.0 : 1.0;
      const double normal[3] = {sign * n[0], sign * n[1], sign * n[2]};
      normalOf(normal, s.normal);
      s.depth = depthOf(*frame.depth.at(x, y));
      s.slope = slopeOf(frame.depth, frame.gradient ? &*frame.gradient : nullptr, x, y);
      s.id = frame.id ? idOf(*frame.id->at(x, y)) : 0;
      surfaces.push_back(s);
    }
  }
  return surfaces;
}

double svgfLargest(Format precision) {
  return precision == Format::f16 ? largestHalf : 1e18;
}

void svgfDivisor(const double* albedo, const double* radiance, Format precision, double out[3]) {
  double largest = 0.0, brightest = 0.0;
  for (int c = 0; c < 3; ++c) {
    out[c] = albedoOf(albedo[c]);
    largest = std::max(largest, out[c]);
    brightest = std::max(brightest, isMissing(radiance) ? 0.0 : std::abs(radiance[c]));
  }
  for (int c = 0; c < 3; ++c) {
    out[c] = largest < 1.0 / 1024 ? 1.0 : std::max(out[c], 0.02);
    out[c] = std::max(out[c], brightest / svgfLargest(precision));
  }
}

Picture svgfDemodulated(const SvgfFrame& frame, double firefly, Format precision) {
  Picture plain(frame.colour.width, frame.colour.height, 4);
  for (int y = 0; y < plain.height; ++y) {
    for (int x = 0; x < plain.width; ++x) {
      double d[3];
      const double* rgb = frame.colour.at(x, y);
      svgfDivisor(frame.albedo.at(x, y), rgb, precision, d);
      double* out = plain.at(x, y);
      out[3] = isMissing(rgb) ? 1.0 : 0.0;
      for (int c = 0; c < 3 && out[3] == 0.0; ++c)
        out[c] = rgb[c] / d[c];
    }
  }
  if (!(firefly > 0.0))
    return plain;
  Picture clamped = plain;
  for (int y = 0; y < plain.height; ++y) {
    for (int x = 0; x < plain.width; ++x) {
      std::optional<double> brightest;
      for (int k = 0; k < 9; ++k) {
        const int i = x + k % 3 - 1;
        const int j = y + k / 3 - 1;
        if (k != 4 && plain.contains(i, j) && plain.at(i, j)[3] == 0.0)
          brightest = std::max(brightest.value_or(-1e300), svgfLuminance(plain.at(i, j)));
      }
      const double own = svgfLuminance(plain.at(x, y));
      const double most = firefly * std::max(brightest.value_or(0.0), 0.0);
      if (plain.at(x, y)[3] == 0.0 && brightest && own > most)
        std::for_each_n(clamped.at(x, y), 3, [&](double& c) { c *= most / own; });
    }
  }
  return clamped;
}

}  // namespace lacuna::test
