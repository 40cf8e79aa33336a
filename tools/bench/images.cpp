#include "tools/bench/images.h"

#include <Imath/half.h>

#include <cmath>
#include <cstring>
#include <random>

#include "graph/parallel.h"

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

void putHalves(std::byte* to, const float (&values)[4]) {
  uint16_t bits[4];
  for (int i = 0; i < 4; ++i)
    bits[i] = Imath::half(values[i]).bits();
  std::memcpy(to, bits, sizeof bits);
}

struct BenchPlanes {
  std::vector<std::byte> colour, normal, depth;
};

void fillRow(BenchPlanes& planes, Extent extent, uint32_t y) {
  std::minstd_rand random(7 + y);
  std::uniform_real_distribution<float> noise(-0.15F, 0.15F);
  for (uint32_t x = 0; x < extent.width; ++x) {
    const size_t pixel = static_cast<size_t>(y) * extent.width + x;
    const auto cell = static_cast<float>(cellAt(x, y));
    const float base = 0.3F + 0.15F * cell;
    putHalves(&planes.colour[8 * pixel],
              {base + noise(random), 0.8F * base + noise(random), 0.6F * base + noise(random), 1.0F});
    const float angle = 0.6F * cell;
    putHalves(&planes.normal[8 * pixel], {0.7F * std::cos(angle), 0.7F * std::sin(angle), 0.71F, 1.0F});
    const float z = 2.0F + cell + 0.002F * static_cast<float>(x) + 0.001F * static_cast<float>(y);
    std::memcpy(&planes.depth[4 * pixel], &z, sizeof z);
  }
}

}  // namespace

BenchImages::BenchImages(Extent size)
    : extent(size),
      types{{"i-memory:colour", typeOf(Channels::rgba, Format::f16, ColourTag::rec709, size)},
            {"i-memory:normal", typeOf(Channels::normal, Format::f16, ColourTag::data, size)},
            {"i-memory:depth", typeOf(Channels::depth, Format::f32, ColourTag::data, size)}} {
  BenchPlanes planes;
  planes.colour.resize(8 * pixelCount(size));
  planes.normal.resize(8 * pixelCount(size));
  planes.depth.resize(4 * pixelCount(size));
  inParallel(size.height, [&](size_t y) { fillRow(planes, size, static_cast<uint32_t>(y)); });
  const auto keep = [this](const char* value, std::vector<std::byte>& bytes) {
    pixels[value] = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  };
  keep("i-memory:colour:image.output", planes.colour);
  keep("i-memory:normal:image.output", planes.normal);
  keep("i-memory:depth:image.output", planes.depth);
}

}  // namespace lacuna
