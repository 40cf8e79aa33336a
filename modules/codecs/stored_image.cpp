#include "modules/codecs/stored_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/files/memory_bound.h"
#include "modules/codecs/exif.h"

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
    ColourReading reading = readColour(colour, header.wordBytes, options.own);
    if (!reading.complaint.empty())
      warn(options, path, "its colour profile can't be used: {}; the file is taken as sRGB",
           reading.complaint);
    return reading;
  } catch (const std::invalid_argument& error) {
    refuse(path, "{}", error.what());
  }
}

}  // namespace

Orientation orientationBy(const std::string& path, const ReadOptions& options, const Metadata& metadata) {
  const auto complain = [&](const std::string& text) { warn(options, path, "{}", text); };
  return options.orientation ? orientationOf(metadata, complain) : 1;
}

StoredImage::StoredImage(const std::string& path, StoredHeader header, const ReadOptions& options)
    : header_(std::move(header)), rows_(options.rows) {
  checkSize(path, header_.extent.width, header_.extent.height);
  colour_ = readColourOf(path, header_, options);
  const uint64_t rowBytes =
      uint64_t{header_.extent.width} * 4 * (header_.wordBytes + (colour_.transform ? 2 : 0));
  checkMemory(path, byteSize(type()) + header_.decoderBytes + (isPlain() ? 0 : rowBytes * rowsAtOnce()));
}

uint32_t StoredImage::rowsAtOnce() const {
  return header_.inStrips ? std::min(stripRows, header_.extent.height) : header_.extent.height;
}

ValueType StoredImage::type() const {
  const bool wide = header_.wordBytes == 2 || colour_.transform;
  return {Channels::rgba, wide ? Format::u16 : Format::u8, colour_.tag,
          turned(header_.extent, header_.orientation)};
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
    if (!isPlain())
      placeRows(std::span(colour_.transform ? converted : stored).first(size_t{count} * width * pixelBytes),
                first, header_.extent, pixelBytes, header_.orientation, destination.data());
    if (rows_ && header_.orientation == 1 && header_.inStrips)
      rows_(first + count);
  }
}

}  // namespace lacuna::io
