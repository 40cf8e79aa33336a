#pragma once
// The colour of each pixel of a mosaic: part of its type.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

constexpr uint32_t patternSide = 6;  // patterns of 2x2 repeat three times in it

// Letters of 6x6 pixels, in the form of the ABI: two rows a word, two bits a pixel from the lowest on, of the
// even row first. 0: none, 1: R, 2: G, 3: B. All 0: a sensor without colours.
struct MosaicPattern {
  std::array<uint32_t, 3> words{};
  bool operator==(const MosaicPattern&) const = default;
};

struct PixelPlace {
  uint32_t x = 0, y = 0;
};

// The number of the colour's letter at any pixel of the image.
uint32_t letterAt(const MosaicPattern& pattern, PixelPlace pixel);
// The pattern of an image that begins with this pixel.
MosaicPattern movedTo(const MosaicPattern& pattern, PixelPlace first);
// Whether there are letters everywhere, or nowhere, and no other bits are set.
bool isPattern(const MosaicPattern& pattern);
bool isBayer(const MosaicPattern& pattern);  // repeats every 2x2 pixels, with letters

// "rggb", "none", or 36 letters row by row; "x-trans" stands for those that Fujifilm's sensors begin with.
std::string name(const MosaicPattern& pattern);
std::optional<MosaicPattern> patternFromName(std::string_view word);

}  // namespace lacuna
