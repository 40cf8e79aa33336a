#pragma once
// Types of values between nodes, and the layout of a pixel in memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/word_list.h"
#include "graph/module/channels.h"
#include "graph/values/mosaic_pattern.h"

namespace lacuna {

enum class Format { u8, u16, f16, f32, u32 };  // u32: packed words between the nodes of one module

struct Extent {
  uint32_t width = 0;
  uint32_t height = 0;
  bool operator==(const Extent&) const = default;
};

// Most elements of an array: indices are ints in GLSL.
constexpr uint32_t maxArrayCount = 0x7fffffff;
// Sizes of an array, outermost first; those behind the last one are 0.
constexpr size_t mostSizes = 4;
using ArrayShape = std::array<uint32_t, mostSizes>;

// The type of a value: an image, or (arrayCount > 0) an array of that many elements. An array with an extent
// is planes: whole images of it, one after the other. Other arrays have a shape of two to four sizes, whose
// product is the count; none means one size, the count.
struct ValueType {
  Channels channels = Channels::rgba;
  Format format = Format::f16;
  ColourTag colour = ColourTag::data;
  Extent extent;
  uint32_t arrayCount = 0;
  ArrayShape shape{};
  MosaicPattern pattern{};  // of a mosaic; otherwise all 0
  bool isArray() const { return arrayCount > 0; }
  bool isPlanes() const { return isArray() && extent.width > 0 && extent.height > 0; }
  bool operator==(const ValueType&) const = default;
};

// The words of module.toml and of graphs, in the order in which messages list them.
const WordList<Channels>& channelWords();
const WordList<Format>& formatWords();
const WordList<ColourTag>& colourWords();
std::string_view name(Channels);
std::string_view name(Format);
std::string_view name(ColourTag);
std::optional<Channels> channelsFromName(std::string_view);
std::optional<Format> formatFromName(std::string_view);
std::optional<ColourTag> colourFromName(std::string_view);
// "rgba f16 rec709 1920x1080", "mosaic u16 data rggb 6000x4000", "array of 7 y f32", "array of (2, 3) y f16"
// or "61 planes y f32 data 1280x720"
std::string print(const ValueType&);

inline uint64_t pixelCount(const Extent& extent) {
  return uint64_t{extent.width} * extent.height;
}
// The number of planes of an array that isPlanes().
inline uint32_t planeCount(const ValueType& type) {
  return static_cast<uint32_t>(type.arrayCount / pixelCount(type.extent));
}

// All sizes, outermost first: of an image (height, width), of planes (planes, height, width), of other arrays
// their shape.
std::vector<uint32_t> sizesOf(const ValueType& type);
// The same right-aligned behind ones, as bodies and module.toml see it: of (2, 3) it is (1, 1, 2, 3).
ArrayShape shapeVector(const ValueType& type);
// Makes it an array of these sizes: one to four above 0, whose product is a count.
void setSizes(ValueType& type, const std::vector<uint32_t>& sizes);

// Components that a body sees: y, depth, any1, mosaic: 1 (float); mv, any2: 2; rgb, normal: 3; rgba, any4: 4.
bool isAny(Channels);  // any1, any2 or any4
// Whether they are the same, or one is any... with as many components. A mosaic fits only mosaics: other
// filters would mix its colours.
bool fit(Channels, Channels);
int componentCount(Channels);
// GLSL type of one pixel: float, vec2, vec3, vec4; for u32: uint, uvec2, uvec4.
std::string_view glslType(Channels, Format);

// A pixel in memory is one, two or four 32-bit words; three components are stored as four.
//   f16 x1, x2: 1 word; x3, x4: 2.   f32 x1: 1; x2: 2; x3, x4: 4.   u8: 1.   u16 x1, x2: 1; x3, x4: 2.
//   u32: as many as components.
uint32_t wordsPerPixel(Channels, Format);
inline uint32_t bytesPerPixel(Channels c, Format f) {
  return 4 * wordsPerPixel(c, f);
}
// Elements of arrays are pixels, except single f16 numbers, which take 2 bytes.
uint32_t bytesPerElement(const ValueType& type);
size_t byteSize(const ValueType&);

// The colours of a picture, without its other planes.
struct ColourImage {
  Extent extent;
  ColourTag colour = ColourTag::rec709;
  std::vector<float> rgb;  // linear, three values a pixel, in rows from the top
  bool hasAlpha = false;   // its file has a pixel that is not opaque; alpha is left out here
};

// The number of groups of `by` that hold `count`, the last one perhaps not full.
inline uint32_t divideUp(uint32_t count, uint32_t by) {
  return (count + by - 1) / by;
}

}  // namespace lacuna
