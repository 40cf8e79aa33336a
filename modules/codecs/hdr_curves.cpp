#include "modules/codecs/hdr_curves.h"

#include <algorithm>
#include <cmath>

namespace lacuna::io {
namespace {

constexpr float peak = 10000.0F, hlgPeak = 1000.0F, whiteLight = 203.0F;  // cd/m2
// BT.2100-2, table 4.
constexpr float m1 = 2610.0F / 16384, m2 = 2523.0F / 4096 * 128, c1 = 3424.0F / 4096,
                c2 = 2413.0F / 4096 * 32, c3 = 2392.0F / 4096 * 32;

float lightOfPq(float value) {
  const float power = std::pow(std::clamp(value, 0.0F, 1.0F), 1 / m2);
  return std::pow(std::max(power - c1, 0.0F) / (c2 - c3 * power), 1 / m1) * peak / whiteLight;
}

float pqOfLight(float light) {
  const float share = light > 0 ? std::min(light * whiteLight / peak, 1.0F) : 0.0F;  // 0 for NaN
  const float power = std::pow(share, m1);
  return std::pow((c1 + c2 * power) / (1 + c3 * power), m2);
}

// BT.2100-2, table 5: the inverse OETF.
float sceneOfHlg(float value) {
  constexpr float a = 0.17883277F, b = 1 - 4 * a;
  static const float c = 0.5F - a * std::log(4 * a);
  const float v = std::clamp(value, 0.0F, 1.0F);
  return v <= 0.5F ? v * v / 3 : (std::exp((v - c) / a) + b) / 12;
}

template <class Curve>
void onColours(std::span<float> rgba, const Curve& curve) {
  for (size_t i = 0; i < rgba.size(); ++i)
    if (i % 4 < 3)
      rgba[i] = curve(rgba[i]);
}

void decodeHlg(std::span<float> rgba) {
  constexpr float gamma = 1.2F;
  onColours(rgba, sceneOfHlg);
  for (size_t i = 0; i + 3 < rgba.size(); i += 4) {
    const float luminance = 0.2627F * rgba[i] + 0.6780F * rgba[i + 1] + 0.0593F * rgba[i + 2];
    const float factor = std::pow(std::max(luminance, 1e-12F), gamma - 1) * hlgPeak / whiteLight;
    for (size_t c = 0; c < 3; ++c)
      rgba[i + c] *= factor;
  }
}

}  // namespace

void decodeLight(int transfer, std::span<float> rgba) {
  if (transfer == hlgTransfer)
    decodeHlg(rgba);
  else if (transfer == pqTransfer)
    onColours(rgba, lightOfPq);
}

void encodePq(std::span<float> rgba) {
  onColours(rgba, pqOfLight);
}

}  // namespace lacuna::io
