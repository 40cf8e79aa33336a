#include "modules/codecs/exif.h"

#include <cstring>

namespace lacuna::io {
namespace {

// The place of the stored pixel (x, y): origin + x * stepX + y * stepY, in pixels of the upright image.
struct Mapping {
  int64_t origin, stepX, stepY;
};

Mapping mapping(Extent stored, Orientation orientation) {
  const Extent upright = turned(stored, orientation);
  const Orientation back = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation;
  const auto pixel = [&](PixelPlace place) {
    const PixelPlace at = storedPlace(upright, back, place);
    return int64_t{at.y} * upright.width + at.x;
  };
  const int64_t origin = pixel({0, 0});
  return {origin, pixel({1, 0}) - origin, pixel({0, 1}) - origin};
}

// The loop over `x` is outside: if rows become columns, written pixels are then neighbours.
template <size_t pixelBytes>
void place(const std::byte* rows, uint32_t firstRow, uint32_t rowCount, uint32_t width, const Mapping& to,
           std::byte* upright) {
  for (uint32_t x = 0; x < width; ++x)
    for (uint32_t y = 0; y < rowCount; ++y) {
      const int64_t pixel = to.origin + x * to.stepX + (int64_t{firstRow} + y) * to.stepY;
      std::memcpy(upright + static_cast<size_t>(pixel) * pixelBytes,
                  rows + (size_t{y} * width + x) * pixelBytes, pixelBytes);
    }
}

template <size_t pixelBytes>
void placeByRows(const std::byte* rows, uint32_t firstRow, uint32_t rowCount, uint32_t width,
                 const Mapping& to, std::byte* upright) {
  for (uint32_t y = 0; y < rowCount; ++y)
    place<pixelBytes>(rows + size_t{y} * width * pixelBytes, firstRow + y, 1, width, to, upright);
}

}  // namespace

Extent turned(Extent stored, Orientation orientation) {
  return orientation >= 5 ? Extent{stored.height, stored.width} : stored;
}

PixelPlace storedPlace(Extent stored, Orientation orientation, PixelPlace upright) {
  const bool swaps = orientation >= 5;
  const bool fromRight = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool fromBottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const PixelPlace place = swaps ? PixelPlace{upright.y, upright.x} : upright;
  return {fromRight ? stored.width - 1 - place.x : place.x,
          fromBottom ? stored.height - 1 - place.y : place.y};
}

void placeRows(std::span<const std::byte> rows, uint32_t firstRow, Extent stored, uint32_t pixelBytes,
               Orientation orientation, std::byte* upright) {
  const Mapping to = mapping(stored, orientation);
  const auto count = static_cast<uint32_t>(rows.size() / (size_t{stored.width} * pixelBytes));
  const bool turns = orientation >= 5;
  const auto work = pixelBytes == 4   ? (turns ? place<4> : placeByRows<4>)
                    : pixelBytes == 8 ? (turns ? place<8> : placeByRows<8>)
                                      : (turns ? place<16> : placeByRows<16>);
  work(rows.data(), firstRow, count, stored.width, to, upright);
}

}  // namespace lacuna::io
