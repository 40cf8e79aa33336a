#include "modules/codecs/exr_tiles.h"

#include <ImfPartType.h>

#include <algorithm>
#include <cstring>

#include "modules/codecs/exr.h"
#include "modules/codecs/half_float.h"

namespace lacuna::io {
namespace {

size_t componentBytes(Imf::PixelType type) {
  return type == Imf::HALF ? 2 : 4;
}

// What a pixel of a level covers of a larger one along an axis. Weights are shares of a larger pixel, in
// units of 1 / the smaller count, so that they are whole numbers whose sum is the larger count.
struct Covered {
  uint64_t first = 0;
  std::vector<double> weights;
};

std::vector<Covered> coveredOf(uint64_t larger, uint64_t smaller) {
  std::vector<Covered> all(smaller);
  for (uint64_t i = 0; i < smaller; ++i) {
    const uint64_t begin = i * larger, end = begin + larger;
    all[i].first = begin / smaller;
    for (uint64_t k = all[i].first; k * smaller < end; ++k)
      all[i].weights.push_back(
          static_cast<double>(std::min(end, (k + 1) * smaller) - std::max(begin, k * smaller)));
  }
  return all;
}

const std::byte* pixelAt(const Imf::Slice& slice, const Imath::Box2i& window, uint64_t x, uint64_t y) {
  const int64_t column = window.min.x + static_cast<int64_t>(x), row = window.min.y + static_cast<int64_t>(y);
  return reinterpret_cast<const std::byte*>(slice.base) + column * static_cast<int64_t>(slice.xStride) +
         row * static_cast<int64_t>(slice.yStride);
}

void reduce(const Imf::Slice& from, const Imath::Box2i& larger, const std::vector<Covered>& columns,
            const std::vector<Covered>& rows, std::byte* to) {
  const Format format = from.type == Imf::HALF ? Format::f16 : Format::f32;
  const double area = static_cast<double>(widthOf(larger)) * static_cast<double>(heightOf(larger));
  for (const Covered& row : rows)
    for (const Covered& column : columns) {
      if (from.type == Imf::UINT) {
        std::memcpy(to,
                    pixelAt(from, larger, column.first + column.weights.size() / 2,
                            row.first + row.weights.size() / 2),
                    sizeof(uint32_t));
      } else {
        double sum = 0;
        for (size_t y = 0; y < row.weights.size(); ++y)
          for (size_t x = 0; x < column.weights.size(); ++x)
            sum += row.weights[y] * column.weights[x] *
                   double{componentAt(pixelAt(from, larger, column.first + x, row.first + y), 0, format)};
        storeComponent(to, static_cast<float>(sum / area), format);
      }
      to += componentBytes(from.type);
    }
}

}  // namespace

bool isTiled(const Imf::Header& header) {
  return header.hasType() && header.type() == Imf::TILEDIMAGE && header.hasTileDescription();
}

bool hasLevels(const Imf::Header& header) {
  return isTiled(header) && header.tileDescription().mode != Imf::ONE_LEVEL;
}

ExrPixels exrPixels(const Imf::ChannelList& channels, const std::vector<std::string>& names,
                    const Imath::Box2i& window) {
  ExrPixels pixels{window, {}, {}};
  const size_t width = widthOf(window), height = heightOf(window);
  for (const std::string& name : names) {
    const Imf::Channel& channel = channels[name.c_str()];
    const size_t bytes = componentBytes(channel.type);
    std::vector<char>& memory = pixels.memory.emplace_back(width * height * bytes);
    pixels.frame.insert(name, Imf::Slice::Make(channel.type, memory.data(), window.min,
                                               static_cast<int64_t>(width), static_cast<int64_t>(height),
                                               bytes, bytes * width, channel.xSampling, channel.ySampling));
  }
  return pixels;
}

ExrPixels smallerLevel(const ExrPixels& larger, const Imf::ChannelList& channels,
                       const Imath::Box2i& window) {
  std::vector<std::string> names;
  for (auto it = larger.frame.begin(); it != larger.frame.end(); ++it)
    names.emplace_back(it.name());
  ExrPixels level = exrPixels(channels, names, window);
  const std::vector<Covered> columns = coveredOf(widthOf(larger.window), widthOf(window)),
                             rows = coveredOf(heightOf(larger.window), heightOf(window));
  for (size_t i = 0; i < names.size(); ++i)
    reduce(larger.frame[names[i].c_str()], larger.window, columns, rows,
           reinterpret_cast<std::byte*>(level.memory[i].data()));
  return level;
}

}  // namespace lacuna::io
