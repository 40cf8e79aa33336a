#include "graph/values/mosaic_pattern.h"

namespace lacuna {
namespace {

constexpr std::string_view letters = "-rgb";
constexpr std::string_view xTrans = "ggrggbggbggrbrgrbgggbggrggrggbrbgbrg";
constexpr uint32_t bayerSide = 2;
constexpr uint32_t pixels = patternSide * patternSide;

uint32_t shiftOf(PixelPlace pixel) {
  return 2 * (pixel.y % 2 * patternSide + pixel.x);
}

// Pixel i of a block, row by row.
PixelPlace place(uint32_t i, uint32_t side) {
  return {i % side, i / side};
}

}  // namespace

uint32_t letterAt(const MosaicPattern& pattern, PixelPlace pixel) {
  pixel = {pixel.x % patternSide, pixel.y % patternSide};
  return pattern.words.at(pixel.y / 2) >> shiftOf(pixel) & 3;
}

MosaicPattern movedTo(const MosaicPattern& pattern, PixelPlace first) {
  MosaicPattern moved;
  for (uint32_t i = 0; i < pixels; ++i) {
    const PixelPlace at = place(i, patternSide);
    const PixelPlace from{at.x + first.x % patternSide, at.y + first.y % patternSide};
    moved.words.at(at.y / 2) |= letterAt(pattern, from) << shiftOf(at);
  }
  return moved;
}

bool isPattern(const MosaicPattern& pattern) {
  uint32_t coloured = 0;
  for (uint32_t i = 0; i < pixels; ++i)
    coloured += letterAt(pattern, place(i, patternSide)) > 0 ? 1 : 0;
  return (coloured == 0 || coloured == pixels) && movedTo(pattern, {}) == pattern;
}

bool isBayer(const MosaicPattern& pattern) {
  return letterAt(pattern, {}) > 0 && movedTo(pattern, {bayerSide, 0}) == pattern &&
         movedTo(pattern, {0, bayerSide}) == pattern;
}

std::string name(const MosaicPattern& pattern) {
  if (pattern == MosaicPattern{})
    return "none";
  const uint32_t side = isBayer(pattern) ? bayerSide : patternSide;
  std::string text;
  for (uint32_t i = 0; i < side * side; ++i)
    text += letters[letterAt(pattern, place(i, side))];
  return text;
}

std::optional<MosaicPattern> patternFromName(std::string_view word) {
  MosaicPattern pattern;
  if (word == "none")
    return pattern;
  word = word == "x-trans" ? xTrans : word;
  const uint32_t side = word.size() == size_t{bayerSide} * bayerSide ? bayerSide : patternSide;
  if (word.size() != size_t{side} * side)
    return std::nullopt;
  for (uint32_t i = 0; i < pixels; ++i) {
    const PixelPlace at = place(i, patternSide);
    const size_t letter = letters.find(word[at.y % side * side + at.x % side]);
    if (letter == 0 || letter == std::string_view::npos)
      return std::nullopt;
    pattern.words.at(at.y / 2) |= static_cast<uint32_t>(letter) << shiftOf(at);
  }
  return pattern;
}

}  // namespace lacuna
