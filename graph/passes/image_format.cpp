#include "graph/passes/image_format.h"

#include <algorithm>

#include "graph/config/text.h"

namespace lacuna {
namespace {

struct Facts {
  ImageFormat format;
  const char* name;
  uint32_t bytes;
  int components;
  std::optional<Format> numbers;  // in all components; none for words, and for numbers that no type has
  bool isStored;                  // by shaders
};

constexpr Facts formats[] = {
    {ImageFormat::rgba16f, "rgba16f", 8, 4, Format::f16, true},
    {ImageFormat::rgba32f, "rgba32f", 16, 4, Format::f32, true},
    {ImageFormat::r32f, "r32f", 4, 1, Format::f32, true},
    {ImageFormat::r32ui, "r32ui", 4, 1, {}, true},
    {ImageFormat::rg32ui, "rg32ui", 8, 2, {}, true},
    {ImageFormat::rgba32ui, "rgba32ui", 16, 4, {}, true},
    {ImageFormat::r16f, "r16f", 2, 1, Format::f16, true},
    {ImageFormat::rg16f, "rg16f", 4, 2, Format::f16, true},
    {ImageFormat::rg32f, "rg32f", 8, 2, Format::f32, true},
    {ImageFormat::rgba8, "rgba8", 4, 4, Format::u8, true},
    {ImageFormat::rgba16, "rgba16", 8, 4, Format::u16, true},
    {ImageFormat::bgra8, "bgra8", 4, 4, {}, false},
    {ImageFormat::rgb10_a2, "rgb10_a2", 4, 4, {}, false},
    {ImageFormat::r11f_g11f_b10f, "r11f_g11f_b10f", 4, 3, {}, false},
    {ImageFormat::d32f, "d32f", 4, 1, Format::f32, false},
};

const Facts& factsOf(ImageFormat format) {
  return *std::ranges::find(formats, format, &Facts::format);
}

}  // namespace

std::string_view name(ImageFormat format) {
  return factsOf(format).name;
}

ImageFormat imageFormat(Channels channels, Format format) {
  const uint32_t words = wordsPerPixel(channels, format);
  if (format == Format::f16 && words == 2)
    return ImageFormat::rgba16f;
  if (format == Format::f32 && words != 2)
    return words == 4 ? ImageFormat::rgba32f : ImageFormat::r32f;
  return words == 1 ? ImageFormat::r32ui : words == 2 ? ImageFormat::rg32ui : ImageFormat::rgba32ui;
}

uint32_t bytesPerTexel(ImageFormat format) {
  return factsOf(format).bytes;
}

bool hasChannels(ImageFormat format, Channels channels) {
  const int wanted = componentCount(channels);
  return factsOf(format).components >= (channels == Channels::rgba ? 3 : wanted);
}

bool holds(ImageFormat format, Channels channels, Format type) {
  const Facts& facts = factsOf(format);
  const bool holdsNumbers = facts.numbers == type || (facts.numbers == Format::f32 && type == Format::f16);
  return facts.isStored && holdsNumbers && facts.components >= componentCount(channels);
}

bool hasWordsOf(ImageFormat format, Channels channels, Format type) {
  const Facts& facts = factsOf(format);
  return facts.isStored && facts.numbers == type && facts.bytes == bytesPerPixel(channels, type);
}

std::string formatsFor(Channels channels, Format type, bool words) {
  std::vector<std::string> names;
  for (const Facts& facts : formats)
    if (words ? hasWordsOf(facts.format, channels, type) : holds(facts.format, channels, type))
      names.emplace_back(facts.name);
  return joinNames(names);
}

}  // namespace lacuna
