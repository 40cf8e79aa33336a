#include "tools/lacuna/bench_images.h"

#include <Imath/half.h>

#include <cmath>
#include <cstring>
#include <random>

namespace lacuna {
namespace {

ValueType typeOf(Channels channels, Format format, ColourTag colour, Extent extent) {
  ValueType type;
  type.channels = channels;
  type.format = format;
  type.colour = colour;
  type.extent = extent;
  return type;
}

// A patchwork of flat cells; each has a colour, a plane and a depth.
int cellAt(uint32_t x, uint32_t y) {
  return static_cast<int>((x / 97 * 7 + y / 61 * 13) % 11);
}

void putHalves(std::span<std::byte> memory, size_t pixel, const float (&values)[4]) {
  uint16_t bits[4];
  for (int i = 0; i < 4; ++i) {
    bits[i] = Imath::half(values[i]).bits();
  }
  std::memcpy(memory.data() + 8 * pixel, bits, sizeof bits);
}

}  // namespace

std::map<std::string, ValueType> benchTypes(Extent extent) {
  return {{"i-memory:colour", typeOf(Channels::rgba, Format::f16, ColourTag::rec709, extent)},
          {"i-memory:normal", typeOf(Channels::normal, Format::f16, ColourTag::data, extent)},
          {"i-memory:depth", typeOf(Channels::depth, Format::f32, ColourTag::data, extent)}};
}

void fillBenchImages(Session& session, Extent extent) {
  const auto colour = session.uploadMemory("i-memory:colour:image.output");
  const auto normal = session.uploadMemory("i-memory:normal:image.output");
  const auto depth = session.uploadMemory("i-memory:depth:image.output");
  std::minstd_rand random(7);
  std::uniform_real_distribution<float> noise(-0.15F, 0.15F);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      const size_t pixel = static_cast<size_t>(y) * extent.width + x;
      const int cell = cellAt(x, y);
      const float base = 0.3F + 0.15F * static_cast<float>(cell);
      if (!colour.empty()) {
        putHalves(colour, pixel,
                  {base + noise(random), 0.8F * base + noise(random), 0.6F * base + noise(random), 1.0F});
      }
      if (!normal.empty()) {
        const float angle = 0.6F * static_cast<float>(cell);
        putHalves(normal, pixel, {0.7F * std::cos(angle), 0.7F * std::sin(angle), 0.71F, 1.0F});
      }
      if (!depth.empty()) {
        const float z =
            2.0F + static_cast<float>(cell) + 0.002F * static_cast<float>(x) + 0.001F * static_cast<float>(y);
        std::memcpy(depth.data() + 4 * pixel, &z, sizeof z);
      }
    }
  }
}

}  // namespace lacuna
