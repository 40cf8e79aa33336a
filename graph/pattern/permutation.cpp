#include "graph/pattern/permutation.h"

namespace lacuna {
namespace {

// Ascending order repeats one step on the whole row; only the first one mirrors.
uint32_t split(uint32_t place, uint32_t size, bool mirrored) {
  const uint32_t half = place / 2;
  if (place % 2 == 0)
    return half;
  return (size + 1) / 2 + (mirrored ? size / 2 - 1 - half : half);
}

uint32_t join(uint32_t place, uint32_t size, bool mirrored) {
  const uint32_t even = (size + 1) / 2;
  if (place < even)
    return 2 * place;
  const uint32_t half = place - even;
  return 2 * (mirrored ? size / 2 - 1 - half : half) + 1;
}

// Local subdivision halves the pixel's subimage; `odd` is the last chosen half.
struct Subimage {
  uint32_t start = 0;
  uint32_t count = 0;
  bool odd = false;

  void take(bool oddHalf) {
    const uint32_t even = (count + 1) / 2;
    start += oddHalf ? even : 0;
    count = oddHalf ? count - even : even;
    odd = oddHalf;
  }
  // A pixel's number in its subimage to its place in the row, and back.
  uint32_t turned(uint32_t number, bool mirrored) const {
    return mirrored && odd ? count - 1 - number : number;
  }
};

uint32_t placeInSubdivision(uint32_t pixel, uint32_t size, uint32_t levels, bool mirrored) {
  Subimage subimage{0, size, false};
  for (uint32_t l = 0; l < levels; ++l) {
    subimage.take((pixel & 1U) != 0);
    pixel /= 2;
  }
  return subimage.start + subimage.turned(pixel, mirrored);
}

uint32_t pixelInSubdivision(uint32_t place, uint32_t size, uint32_t levels, bool mirrored) {
  Subimage subimage{0, size, false};
  uint32_t remainder = 0;
  for (uint32_t l = 0; l < levels; ++l) {
    const bool odd = place >= subimage.start + (subimage.count + 1) / 2;
    subimage.take(odd);
    remainder |= (odd ? 1U : 0U) << l;
  }
  return (subimage.turned(place - subimage.start, mirrored) << levels) | remainder;
}

}  // namespace

uint32_t placeOf(const Embedding& embedding, uint32_t pixel, uint32_t size, uint32_t levels) {
  if (embedding.order == SubimageOrder::localSubdivision)
    return placeInSubdivision(pixel, size, levels, embedding.mirrored);
  for (uint32_t l = 0; l < levels; ++l)
    pixel = split(pixel, size, embedding.mirrored && l == 0);
  return pixel;
}

uint32_t pixelAt(const Embedding& embedding, uint32_t place, uint32_t size, uint32_t levels) {
  if (embedding.order == SubimageOrder::localSubdivision)
    return pixelInSubdivision(place, size, levels, embedding.mirrored);
  for (uint32_t l = levels; l-- > 0;)
    place = join(place, size, embedding.mirrored && l == 0);
  return place;
}

uint32_t nextPlace(const Embedding& embedding, uint32_t place, uint32_t size, uint32_t levels) {
  if (embedding.order == SubimageOrder::ascending)
    return split(place, size, embedding.mirrored && levels == 0);
  return placeOf(embedding, pixelAt(embedding, place, size, levels), size, levels + 1);
}

}  // namespace lacuna
