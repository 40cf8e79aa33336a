#pragma once
// Colour profiles (ICC.1:2010) by lcms2: the meaning of a file's profile, and profiles for written files.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/values/image_type.h"

namespace lacuna::io {

// x and y of white, red, green and blue.
using Chromaticities = std::array<double, 8>;
constexpr Chromaticities rec709WhiteAndPrimaries = {0.3127, 0.3290, 0.640, 0.330, 0.300, 0.600, 0.150, 0.060};
constexpr Chromaticities rec2020WhiteAndPrimaries = {0.3127, 0.3290, 0.708, 0.292,
                                                     0.170,  0.797,  0.131, 0.046};
// Adobe RGB (1998) Color Image Encoding, 4.3.1.
constexpr Chromaticities adobeRgbWhiteAndPrimaries = {0.3127, 0.3290, 0.640, 0.330,
                                                      0.210,  0.710,  0.150, 0.060};
constexpr double adobeRgbGamma = 563.0 / 256;
bool close(const Chromaticities& a, const Chromaticities& b);  // within .002

// The description of a file's colours.
struct ColourDescription {
  std::vector<std::byte> profile = {};                   // an ICC profile, or empty
  std::optional<double> gamma = {};                      // else: linear = value^gamma
  std::optional<Chromaticities> whiteAndPrimaries = {};  // else Rec. 709
  // A PNG file's chunk cICP with a curve that isn't decoded, such as PQ: values stay as they are, or count as
  // sRGB. It precedes the others.
  std::vector<std::byte> codePoints = {};
  bool grey = false;  // the file has one component (and alpha)
  bool operator==(const ColourDescription&) const = default;
};

// rgba pixels of 8 or 16 bit to rgba of 16 bit: Rec. 2020 with the sRGB curve. Halves and floats to linear
// floats.
class ProfileTransform {
 public:
  struct Impl;
  explicit ProfileTransform(std::unique_ptr<Impl> impl);
  ~ProfileTransform();
  void run(const std::byte* pixels, size_t count, std::byte* converted) const;

 private:
  std::unique_ptr<Impl> impl_;
};

struct ColourReading {
  ColourTag tag = ColourTag::rec709;                  // own: values stay in the file's space
  std::shared_ptr<const ProfileTransform> transform;  // null if values are already sRGB-encoded in `tag`
  std::string complaint;                              // why the description was not used; mostly empty
  double gamma = 0;  // for `own`: linear = value^gamma, close to the profile's curve; 0 for the curve of sRGB
};

// A profile that is sRGB, or Rec. 2020 with the sRGB curve, is recognised by its effect on colours,
// within a step of 8 bit. With any other profile, values stay unchanged (`own`), or the profile is applied
// with relative colorimetric intent (colours inside Rec. 2020 stay the same; others are clipped), `words` of
// 1 or 2 bytes. A profile that is damaged or not of RGB or grey causes a warning and counts as none. Throws
// std::invalid_argument for CMYK. Frames in a row mostly have the same profile, which is examined once.
ColourReading readColour(const ColourDescription& description, uint32_t wordBytes, bool own = false);

// The same for halves and floats, which become linear light without a bound: undescribed ones are linear
// Rec. 709. Only linear values stay in their space (`own`); others become floats in Rec. 709 or 2020.
ColourReading readFloatColour(const ColourDescription& description, uint32_t wordBytes, bool own = false);
// The delivered values' description, with `own`.
ColourDescription linearColour(const ColourDescription& stored);

// The profile of a file (grey: with one component) whose values are sRGB-encoded or linear. Empty for data.
// The same bytes each time.
std::vector<std::byte> profileFor(ColourTag tag, bool linear, bool grey = false);

// The same for values in a file's own space, with the file's own curve, or linear. Empty if the description
// has no primaries that could be written, as for tables.
std::vector<std::byte> profileOf(const ColourDescription& description, bool linear, bool grey);
// With the curve of BT.709 and these primaries.
std::vector<std::byte> videoProfile(const ColourDescription& description);
// The primaries of colours by matrices and curves. Grey has those of Rec. 709.
std::optional<Chromaticities> primariesOf(const ColourDescription& description);

// Linear rgba of these primaries to Rec. 2020, in place, the white adapted. Colours outside become negative.
// Throws std::invalid_argument for impossible primaries.
void convertToRec2020(const Chromaticities& from, std::span<float> rgba);

// A profile's own name: "Display P3". Empty if it can't be read.
std::string profileName(const std::vector<std::byte>& profile);

// Coding-independent code points (ITU-T H.273), as in PNG's chunk cICP: primaries, transfer function, matrix,
// full range; a byte each (PNG specification, 3rd edition, 11.3.2.6).
// Primaries and gamma of `colour`, or its code points if they aren't decoded. Returns why the chunk is not
// used; "" if it is.
std::string readCicp(std::span<const std::byte> chunk, ColourDescription& colour);
// "PQ (cICP 9 16 0 1)"
std::string cicpName(std::span<const std::byte> chunk);

}  // namespace lacuna::io
