#include "modules/codecs/stored_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "graph/files/memory_bound.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/hdr_curves.h"
#include "modules/codecs/row_file.h"

namespace lacuna::io {
namespace {

bool isUnstated(const ColourDescription& colour) {
  return colour.profile.empty() && !colour.gamma && !colour.whiteAndPrimaries && colour.codePoints.empty();
}

ColourReading readColourOf(const std::string& path, const StoredHeader& header, const ReadOptions& options) {
  const ColourDescription& colour = header.colour;
  if (!options.profile || isUnstated(colour))
    return {};
  try {
    ColourReading reading =
        (header.isFloat ? readFloatColour : readColour)(colour, header.wordBytes, options.own);
    if (!reading.complaint.empty())
      warn(options, path, "its colour profile can't be used: {}; the file is taken as {}", reading.complaint,
           header.isFloat ? "linear Rec. 709" : "sRGB");
    return reading;
  } catch (const std::invalid_argument& error) {
    refuse(path, "{}", error.what());
  }
}

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

// Of rgba halves or floats.
void multiplyByAlpha(std::span<std::byte> pixels, Format format) {
  const size_t bytes = bytesOf(format);
  for (size_t at = 0; at < pixels.size(); at += 4 * bytes) {
    std::byte* pixel = &pixels[at];
    const float alpha = componentAt(pixel, 3, format);
    for (size_t c = 0; c < 3 && alpha != 1.0F; ++c)
      storeComponent(pixel + c * bytes, alpha == 0.0F ? 0.0F : componentAt(pixel, c, format) * alpha, format);
  }
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

StoredHeader::StoredHeader(Extent size, const StoredKind& kind, uint64_t wholePixelBytes)
    : extent(size),
      wordBytes(static_cast<uint32_t>(bytesOf(kind.format()))),
      isFloat(kind.isFloat),
      inStrips(wholePixelBytes == 0),
      decoderBytes(wholePixelBytes * pixelCount(size)) {}

ValueType StoredReader::open(StoredHeader header, const Metadata& stated) {
  const auto complain = [&](const std::string& text) { warn(options_, path_, "{}", text); };
  header.orientation = options_.orientation ? orientationOf(stated, complain) : 1;
  header.colour = stated.stored.value_or(stated.colour);
  return image_.emplace(path_, std::move(header), options_).type();
}

void describeCodes(int primaries, int transfer, Metadata& metadata) {
  constexpr int bt709 = 1, linear = 8, srgb = 13;
  constexpr std::array video = {bt709, 6, 14, 15};  // BT.601's and BT.2020's are the same
  const bool isVideo = contains(video, transfer);
  const int curve = isLight(transfer) ? linear : transfer == unstatedCode || isVideo ? srgb : transfer;
  const std::array chunk = {static_cast<std::byte>(primaries == unstatedCode ? bt709 : primaries),
                            static_cast<std::byte>(curve), std::byte{0}, std::byte{1}};
  readCicp(chunk, metadata.colour);
  if (isVideo)
    metadata.colour.profile = videoProfile(metadata.colour);
  if (!isLight(transfer))
    return;
  metadata.colour.gamma.reset();
  metadata.curve = curveOf(transfer);
  deliverLinear(metadata);
}

void deliverLinear(Metadata& metadata) {
  metadata.stored = std::exchange(metadata.colour, {});
  try {
    metadata.colour = linearColour(*metadata.stored);
  } catch (const std::invalid_argument&) {  // opening it refuses it
  }
}

StoredImage::StoredImage(const std::string& path, StoredHeader header, const ReadOptions& options)
    : header_(std::move(header)), rows_(options.rows) {
  checkSize(path, header_.extent.width, header_.extent.height);
  colour_ = readColourOf(path, header_, options);
  const uint32_t convertedBytes = !colour_.transform ? 0 : header_.isFloat ? 4 : 2;
  const uint64_t rowBytes = uint64_t{header_.extent.width} * 4 * (header_.wordBytes + convertedBytes);
  checkMemory(path, byteSize(type()) + header_.decoderBytes + (isPlain() ? 0 : rowBytes * rowsAtOnce()));
}

uint32_t StoredImage::rowsAtOnce() const {
  return header_.inStrips ? std::min(stripRows, header_.extent.height) : header_.extent.height;
}

ValueType StoredImage::type() const {
  const bool isWide = header_.wordBytes == 2 || colour_.transform;
  const bool isHalf = header_.wordBytes == 2 && !colour_.transform;
  const Format format = !header_.isFloat ? (isWide ? Format::u16 : Format::u8)
                        : isHalf         ? Format::f16
                                         : Format::f32;
  return {Channels::rgba, format, colour_.tag, turned(header_.extent, header_.orientation)};
}

void StoredImage::deliver(std::span<std::byte> destination, const ReadRows& readRows) const {
  const auto [width, height] = header_.extent;
  const uint32_t most = rowsAtOnce();
  const ValueType delivered = type();
  const uint32_t pixelBytes = bytesPerPixel(delivered.channels, delivered.format);
  std::vector<std::byte> stored(isPlain() ? 0 : size_t{most} * width * 4 * header_.wordBytes);
  std::vector<std::byte> converted(colour_.transform ? size_t{most} * width * pixelBytes : 0);
  for (uint32_t first = 0; first < height; first += most) {
    const uint32_t count = std::min(most, height - first);
    std::byte* rows = isPlain() ? destination.data() + size_t{first} * width * pixelBytes : stored.data();
    readRows(rows, count);
    if (colour_.transform)
      colour_.transform->run(stored.data(), size_t{count} * width, converted.data());
    if (header_.isFloat && header_.isStraight)
      multiplyByAlpha(
          std::span(colour_.transform ? converted.data() : rows, size_t{count} * width * pixelBytes),
          delivered.format);
    if (!isPlain())
      placeRows(std::span(colour_.transform ? converted : stored).first(size_t{count} * width * pixelBytes),
                first, header_.extent, pixelBytes, header_.orientation, destination.data());
    if (rows_ && header_.orientation == 1 && header_.inStrips)
      rows_(first + count);
  }
}

}  // namespace lacuna::io
