#pragma once
// The places of pixels in the permuted layouts of Dolp, Hanika, Dachsbacher 2024 (sections 3.1 to 3.4), along
// one axis; both axes of an image are alike. `levels` splits have been made, each into the pixels at even and
// at odd places of what it splits, so that pixels 2^levels apart lie side by side. Unlike in the paper no
// size is padded: if the number of pixels is odd, the even half has one more.

#include <cstdint>

namespace lacuna {

enum class SubimageOrder {
  ascending,         // each split goes through the whole row (section 3.2, tau_I)
  localSubdivision,  // each split goes through every subimage apart (tau_Q)
};

// Mirrored (section 3.4): subimages of odd pixels run backwards, so that beyond a subimage's end there is a
// pixel from nearby. Neighbours then keep their distance, but not their direction. That section's formula
// mirrors subimages of even pixels, but its figures 4 and 6 those of odd ones; we follow the figures.
struct Embedding {
  SubimageOrder order = SubimageOrder::ascending;
  bool mirrored = false;
  bool operator==(const Embedding&) const = default;
};

// Convert between a pixel of a row of `size` and its place there after `levels` splits. Both are below
// `size`.
uint32_t placeOf(const Embedding& embedding, uint32_t pixel, uint32_t size, uint32_t levels);
uint32_t pixelAt(const Embedding& embedding, uint32_t place, uint32_t size, uint32_t levels);

// The place, after one more split, of the pixel at `place` after `levels` splits. A pass writes to it.
uint32_t nextPlace(const Embedding& embedding, uint32_t place, uint32_t size, uint32_t levels);

}  // namespace lacuna
