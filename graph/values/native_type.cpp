#include "graph/values/native_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <span>

namespace lacuna {
namespace {

template <typename Ours, typename Theirs>
constexpr bool same(Ours ours, Theirs theirs) {
  return static_cast<uint32_t>(ours) == static_cast<uint32_t>(theirs);
}
static_assert(same(Channels::y, lacuna_y) && same(Channels::rgb, lacuna_rgb) &&
              same(Channels::rgba, lacuna_rgba) && same(Channels::mv, lacuna_mv) &&
              same(Channels::normal, lacuna_normal) && same(Channels::depth, lacuna_depth) &&
              same(Channels::any1, lacuna_any1) && same(Channels::any2, lacuna_any2) &&
              same(Channels::any4, lacuna_any4) && same(Channels::mosaic, lacuna_mosaic));
static_assert(same(Format::u8, lacuna_u8) && same(Format::u16, lacuna_u16) && same(Format::f16, lacuna_f16) &&
              same(Format::f32, lacuna_f32) && same(Format::u32, lacuna_u32));
static_assert(same(ColourTag::rec2020, lacuna_rec2020) && same(ColourTag::rec709, lacuna_rec709) &&
              same(ColourTag::data, lacuna_data) && same(ColourTag::own, lacuna_own));

bool isWholePlanes(const lacuna_type& type) {
  const uint64_t pixels = uint64_t{type.width} * type.height;
  const bool isNumber =
      type.channels <= lacuna_any4 && type.format <= lacuna_u32 &&
      wordsPerPixel(static_cast<Channels>(type.channels), static_cast<Format>(type.format)) == 1;
  return pixels > 0 && type.count % pixels == 0 && isNumber;
}

// Sizes up to the first 0; none if the other side has no shapes.
std::span<const uint32_t> shapeOf(const lacuna_type& type) {
  size_t sizes = 0;
  while (type.size >= offsetof(lacuna_type, shape) + sizeof type.shape && sizes < std::size(type.shape) &&
         type.shape[sizes] > 0)
    ++sizes;
  return {sizes == 0 ? nullptr : type.shape, sizes};
}

// None if the other side has no patterns.
MosaicPattern patternOf(const lacuna_type& type) {
  const bool hasPattern =
      type.channels == lacuna_mosaic && type.size >= offsetof(lacuna_type, pattern) + sizeof type.pattern;
  return hasPattern ? MosaicPattern{{type.pattern[0], type.pattern[1], type.pattern[2]}} : MosaicPattern{};
}

bool isShapeOfCount(const lacuna_type& type) {
  const std::span<const uint32_t> sizes = shapeOf(type);
  uint64_t count = 1;
  for (const uint32_t size : sizes)
    count = size > maxArrayCount / count ? uint64_t{maxArrayCount} + 1 : count * size;
  return sizes.empty() || (count == type.count && type.width == 0 && type.height == 0);
}

}  // namespace

lacuna_type toAbi(const ValueType& type) {
  return {sizeof(lacuna_type),
          static_cast<uint32_t>(type.channels),
          static_cast<uint32_t>(type.format),
          static_cast<uint32_t>(type.colour),
          type.extent.width,
          type.extent.height,
          type.arrayCount,
          {type.shape[0], type.shape[1], type.shape[2], type.shape[3]},
          {type.pattern.words[0], type.pattern.words[1], type.pattern.words[2]}};
}

std::string describeWrong(const lacuna_type& type) {
  if (type.channels == lacuna_mosaic && type.count > 0)
    return "an array, but a mosaic is an image";
  if (!isPattern(patternOf(type)))
    return fmt::format("the pattern {:08x} {:08x} {:08x}, which isn't one of 6x6 letters R, G and B",
                       type.pattern[0], type.pattern[1], type.pattern[2]);
  const bool isPlanes = type.count > 0 && (type.width > 0 || type.height > 0);
  if (type.count > 0 && !isShapeOfCount(type))
    return fmt::format("{} elements in the shape ({})", type.count, fmt::join(shapeOf(type), ", "));
  const std::string what =
      isPlanes ? fmt::format("not a whole number of planes of {} x {} pixels with one 32-bit number each",
                             type.width, type.height)
               : "neither an image nor an array";
  return fmt::format("channels {}, format {}, colour {}, {} x {} pixels, {} elements, which is {}",
                     type.channels, type.format, type.colour, type.width, type.height, type.count, what);
}

std::optional<ValueType> fromAbi(const lacuna_type& type) {
  const bool isImage = type.count == 0 && type.width > 0 && type.height > 0;
  const bool isArray = type.count > 0 && type.count <= maxArrayCount &&
                       ((type.width == 0 && type.height == 0) || isWholePlanes(type)) && isShapeOfCount(type);
  const bool isWrongMosaic = type.channels == lacuna_mosaic && (isArray || !isPattern(patternOf(type)));
  if ((!isImage && !isArray) || isWrongMosaic || type.channels > lacuna_mosaic || type.format > lacuna_u32 ||
      type.colour > lacuna_own)
    return std::nullopt;
  ValueType result{static_cast<Channels>(type.channels),
                   static_cast<Format>(type.format),
                   static_cast<ColourTag>(type.colour),
                   {type.width, type.height},
                   type.count};
  result.pattern = patternOf(type);
  if (const std::span<const uint32_t> sizes = shapeOf(type); !sizes.empty())
    setSizes(result, {sizes.begin(), sizes.end()});
  return result;
}

void NativePlanes::add(const std::string& name, const lacuna_type& type, std::span<std::byte> bytes) {
  types_.push_back(type);
  planes_.push_back({sizeof(lacuna_plane), name.c_str(), &types_.back(),
                     bytes.empty() ? nullptr : bytes.data(), bytes.size()});
  list_.push_back(&planes_.back());
}

}  // namespace lacuna
