#include "graph/values/image_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lacuna {

const WordList<Channels>& channelWords() {
  static const WordList<Channels> words{
      {"y", Channels::y},       {"rgb", Channels::rgb},       {"rgba", Channels::rgba},
      {"mv", Channels::mv},     {"normal", Channels::normal}, {"depth", Channels::depth},
      {"any1", Channels::any1}, {"any2", Channels::any2},     {"any4", Channels::any4},
      {"any", Channels::any1},  {"mosaic", Channels::mosaic}};
  return words;
}

const WordList<Format>& formatWords() {
  static const WordList<Format> words{{"u8", Format::u8},
                                      {"u16", Format::u16},
                                      {"f16", Format::f16},
                                      {"f32", Format::f32},
                                      {"u32", Format::u32}};
  return words;
}

const WordList<ColourTag>& colourWords() {
  static const WordList<ColourTag> words{{"rec2020", ColourTag::rec2020},
                                         {"rec709", ColourTag::rec709},
                                         {"data", ColourTag::data},
                                         {"own", ColourTag::own}};
  return words;
}

std::string_view name(Channels channels) {
  return wordOf(channelWords(), channels);
}
std::string_view name(Format format) {
  return wordOf(formatWords(), format);
}
std::string_view name(ColourTag colour) {
  return wordOf(colourWords(), colour);
}

std::optional<Channels> channelsFromName(std::string_view word) {
  return findWord(channelWords(), word);
}
std::optional<Format> formatFromName(std::string_view word) {
  return findWord(formatWords(), word);
}
std::optional<ColourTag> colourFromName(std::string_view word) {
  return findWord(colourWords(), word);
}

std::string print(const ValueType& type) {
  if (type.isArray() && !type.isPlanes()) {
    const std::vector<uint32_t> sizes = sizesOf(type);
    const std::string shape = fmt::format("{}", fmt::join(sizes, ", "));
    return fmt::format("array of {} {} {}", sizes.size() > 1 ? "(" + shape + ")" : shape, name(type.channels),
                       name(type.format));
  }
  const std::string count = type.isPlanes() ? fmt::format("{} planes ", planeCount(type)) : "";
  const std::string pattern = type.channels == Channels::mosaic ? " " + name(type.pattern) : "";
  return fmt::format("{}{} {} {}{} {}x{}", count, name(type.channels), name(type.format), name(type.colour),
                     pattern, type.extent.width, type.extent.height);
}

std::vector<uint32_t> sizesOf(const ValueType& type) {
  if (type.isPlanes())
    return {planeCount(type), type.extent.height, type.extent.width};
  if (!type.isArray())
    return {type.extent.height, type.extent.width};
  std::vector<uint32_t> sizes;
  for (const uint32_t size : type.shape)
    if (size > 0)
      sizes.push_back(size);
  return sizes.empty() ? std::vector{type.arrayCount} : sizes;
}

ArrayShape shapeVector(const ValueType& type) {
  const std::vector<uint32_t> sizes = sizesOf(type);
  ArrayShape shape{1, 1, 1, 1};
  std::ranges::copy(sizes, shape.end() - static_cast<std::ptrdiff_t>(sizes.size()));
  return shape;
}

void setSizes(ValueType& type, const std::vector<uint32_t>& sizes) {
  type.extent = {};
  type.shape = {};
  type.arrayCount = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    type.arrayCount *= sizes[i];
    if (sizes.size() > 1)
      type.shape.at(i) = sizes[i];
  }
}

bool isAny(Channels channels) {
  return channels == Channels::any1 || channels == Channels::any2 || channels == Channels::any4;
}

bool fit(Channels a, Channels b) {
  const bool isEither = isAny(a) || isAny(b);
  const bool isMosaic = a == Channels::mosaic || b == Channels::mosaic;
  return a == b || (isEither && !isMosaic && componentCount(a) == componentCount(b));
}

int componentCount(Channels channels) {
  switch (channels) {
    case Channels::y:
    case Channels::depth:
    case Channels::any1:
    case Channels::mosaic:
      return 1;
    case Channels::mv:
    case Channels::any2:
      return 2;
    case Channels::rgb:
    case Channels::normal:
      return 3;
    case Channels::rgba:
    case Channels::any4:
      return 4;
  }
  return 4;
}

std::string_view glslType(Channels channels, Format format) {
  constexpr std::array<std::string_view, 4> floats{"float", "vec2", "vec3", "vec4"};
  constexpr std::array<std::string_view, 4> words{"uint", "uvec2", "uvec3", "uvec4"};
  const auto index = static_cast<size_t>(componentCount(channels)) - 1;
  return format == Format::u32 ? words[index] : floats[index];
}

uint32_t wordsPerPixel(Channels channels, Format format) {
  const int components = componentCount(channels);
  const uint32_t stored = components == 3 ? 4U : static_cast<uint32_t>(components);
  switch (format) {
    case Format::u8:
      return 1;
    case Format::u16:
    case Format::f16:
      return stored <= 2 ? 1 : 2;
    case Format::f32:
    case Format::u32:
      return stored;
  }
  return stored;
}

uint32_t bytesPerElement(const ValueType& type) {
  const bool isHalf = type.isArray() && type.format == Format::f16 && componentCount(type.channels) == 1;
  return isHalf ? 2 : bytesPerPixel(type.channels, type.format);
}

size_t byteSize(const ValueType& type) {
  const size_t elements = type.isArray() ? type.arrayCount : pixelCount(type.extent);
  return elements * bytesPerElement(type);
}

}  // namespace lacuna
