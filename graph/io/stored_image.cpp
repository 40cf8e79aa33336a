#include "graph/io/stored_image.h"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna::io {
namespace {

ColourReading readColourOf(const std::string& path, const StoredHeader& header, const ReadOptions& options) {
  const ColourDescription& colour = header.colour;
  if (!options.profile || (colour.profile.empty() && !colour.gamma && !colour.whiteAndPrimaries))
    return {};
  try {
    ColourReading reading = readColour(colour, header.wordBytes);
    if (!reading.complaint.empty())
      options.complain(fmt::format("{}: its colour profile can't be used: {}; the file is taken as sRGB",
                                   path, reading.complaint));
    return reading;
  } catch (const std::invalid_argument& error) {
    throw FileError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

StoredImage::StoredImage(const std::string& path, StoredHeader header, const ReadOptions& options)
    : header_(std::move(header)) {
  checkSize(path, header_.extent.width, header_.extent.height);
  if (options.orientation)
    orientation_ = exifOrientation(header_.exif, [&](const std::string& complaint) {
      options.complain(fmt::format("{}: {}", path, complaint));
    });
  colour_ = readColourOf(path, header_, options);
}

ValueType StoredImage::type() const {
  const bool wide = header_.wordBytes == 2 || colour_.transform;
  return {Channels::rgba, wide ? Format::u16 : Format::u8, colour_.tag, turned(header_.extent, orientation_)};
}

void StoredImage::deliver(std::span<std::byte> destination, const ReadRows& readRows) const {
  const auto [width, height] = header_.extent;
  if (orientation_ == 1 && !colour_.transform) {
    readRows(destination.data(), height);
    return;
  }
  constexpr uint32_t stripRows = 64;
  const uint32_t rowsAtOnce = header_.inStrips ? std::min(stripRows, height) : height;
  const ValueType delivered = type();
  const uint32_t pixelBytes = bytesPerPixel(delivered.channels, delivered.format);
  std::vector<std::byte> stored(size_t{rowsAtOnce} * width * 4 * header_.wordBytes);
  std::vector<std::byte> converted(colour_.transform ? size_t{rowsAtOnce} * width * pixelBytes : 0);
  for (uint32_t first = 0; first < height; first += rowsAtOnce) {
    const uint32_t count = std::min(rowsAtOnce, height - first);
    readRows(stored.data(), count);
    if (colour_.transform)
      colour_.transform->run(stored.data(), size_t{count} * width, converted.data());
    placeRows(std::span(colour_.transform ? converted : stored).first(size_t{count} * width * pixelBytes),
              first, header_.extent, pixelBytes, orientation_, destination.data());
  }
}

}  // namespace lacuna::io
