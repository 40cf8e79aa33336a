#pragma once
// Exif data, for people to read (CIPA DC-008).

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lacuna::io {

// Names and values of all entries but the makers' notes, as text. `exif`: TIFF, without the `Exif` signature.
std::vector<std::pair<std::string, std::string>> exifEntries(std::span<const std::byte> exif);

}  // namespace lacuna::io
