#pragma once
// Exif data, for people to read (CIPA DC-008).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/module/image_type.h"

namespace lacuna::io {

// Names and values of entries other than makers' notes, as text. `exif`: TIFF, without the `Exif` signature.
std::vector<std::pair<std::string, std::string>> exifEntries(std::span<const std::byte> exif);

// An entry as numbers or as text, for another file.
struct ExifValue {
  uint16_t tag = 0;
  std::vector<double> numbers;  // numbers (a rational counts as one), and the bytes of each
  std::string text;             // where it is one
};
enum class ExifFolder { main, camera, gps };
std::vector<ExifValue> exifValues(std::span<const std::byte> exif, ExifFolder folder);

// Exif data and XMP of a picture, corrected for one that was made from it. Values are changed in place, so
// that everything else, such as cameras' notes with their unknown offsets, stays unchanged.
//
// Corrects Exif data (TIFF, without the `Exif` signature): stated sizes become `extent`, the orientation
// `upright` (1) if wanted, and the thumbnail, which shows the old picture, is removed. Damaged data stay
// unchanged.
void editExif(std::vector<std::byte>& exif, Extent extent, bool upright);

// The same for an XMP packet.
void editXmp(std::string& xmp, Extent extent, bool upright);

}  // namespace lacuna::io
