#pragma once
// Exif data (CIPA DC-008): for people to read, corrected, and the orientation of a picture in its file.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "modules/codecs/codec.h"

namespace lacuna::io {

// The tag Orientation (4.6.4), 1 to 8.
// 1: upright. 2: mirrored left to right. 3: turned by 180 degrees. 4: mirrored top to bottom. 5: mirrored at
// the diagonal from the top left. 6: to be turned clockwise by 90 degrees. 7: mirrored at the other diagonal.
// 8: to be turned counterclockwise by 90 degrees.
using Orientation = int;

Extent turned(Extent stored, Orientation orientation);
// The stored place of a pixel of the upright image.
PixelPlace storedPlace(Extent stored, Orientation orientation, PixelPlace upright);

// Puts rows of a stored image, from `firstRow` on, where they belong in the upright one. Pixels of 4, 8 or 16
// bytes, without padding. Needs: `upright` holds all of turned(stored, orientation).
void placeRows(std::span<const std::byte> rows, uint32_t firstRow, Extent stored, uint32_t pixelBytes,
               Orientation orientation, std::byte* upright);

// Names and values of entries other than makers' notes, as text. `exif`: TIFF, without the `Exif` signature.
std::vector<std::pair<std::string, std::string>> exifEntries(std::span<const std::byte> exif);

// An entry as numbers or as text, for another file.
struct ExifValue {
  uint16_t tag = 0;
  std::string name = {};             // "ExposureTime"; empty if it is unknown
  std::vector<double> numbers = {};  // numbers (a rational counts as one), or bytes
  bool isFraction = false;
  bool isUndefined = false;  // bytes that mean no numbers
  std::string text = {};     // where it is one
};
enum class ExifFolder { main, camera, gps };
std::vector<ExifValue> exifValues(std::span<const std::byte> exif, ExifFolder folder);

// Without the signature `Exif`, which some programs write where only TIFF belongs.
std::vector<std::byte> trimmedExif(std::vector<std::byte> exif);

// The orientation that a file states: the format's own statement, else by Pillow's rule, which most programs
// share: Exif's, also where it has no meaning; XMP's if Exif states none; else 1. `complain` is called for
// what can't be understood, which counts as upright.
Orientation orientationOf(const Metadata& metadata,
                          const std::function<void(const std::string&)>& complain = {});

// If Exif data say that colours are Adobe RGB (DCF 2.0: InteropIndex R03), as cameras do without a profile,
// this becomes the description of colours without one.
bool describeAdobeRgb(const std::vector<std::byte>& exif, ColourDescription& colour);

// Exif data and XMP of a picture, corrected for one that was made from it. Values are changed in place, so
// that everything else, such as cameras' notes with their unknown offsets, stays unchanged.
//
// Corrects Exif data (TIFF, without the `Exif` signature): stated sizes become `extent`, the orientation 1 if
// the picture was turned, and the thumbnail, which shows the old picture, is removed. Damaged data stay
// unchanged.
void editExif(std::vector<std::byte>& exif, Extent extent, bool isTurned);

// The same for an XMP packet. Also removes what describes data behind the picture: gain maps and videos,
// which aren't kept.
void editXmp(std::string& xmp, Extent extent, bool isTurned);

// What a packet says of a second one, which only JPEG files hold.
constexpr std::string_view extendedXmpSignature("http://ns.adobe.com/xmp/extension/\0", 35);
void removeXmpExtension(std::string& xmp);

}  // namespace lacuna::io
