#pragma once
// The error of an image in each block of a regular subdivision, so that one large error does not stand for
// the whole image. Sebastian Szeracki, Thorsten Roth, André Hinckenjann, Yongmin Li, Boosting Histogram-Based
// Denoising Methods with GPU Optimizations, 2015, section 4.

#include <array>
#include <cstdint>
#include <vector>

#include "graph/values/image_type.h"

namespace lacuna {

struct Blocks {
  uint32_t columns = 1, rows = 1;
  size_t count() const { return size_t{columns} * rows; }
};

// Pixels from left and top up to, without, right and bottom; y counts downwards.
struct PixelArea {
  uint32_t left = 0, top = 0, right = 0, bottom = 0;
};

// Block 0 is at the bottom left, columns - 1 at the bottom right, and rows follow upwards. Borders, counted
// from the left and the top, are at floor(i * side / blocks): each pixel is in exactly one block. Needs: no
// more columns than pixels across, nor more rows than pixels down, so that no block is empty.
PixelArea areaOfBlock(const Blocks& blocks, const Extent& extent, size_t block);

struct BlockRms {
  std::vector<double> rms;           // for each block; NaN where a value is not finite
  std::vector<uint64_t> notFinite;   // for each block: values that are NaN or infinite in either image
  double mean = 0.0, median = 0.0;   // over the blocks; NaN where a block is
  uint64_t notFiniteValues() const;  // in all blocks
};

// The root of the mean of (a - b)^2 over a block's pixels and their three colours, linear.
// Needs: equal extents and tags; those of areaOfBlock().
BlockRms blockRms(const ColourImage& a, const ColourImage& b, const Blocks& blocks);

// A colour for v in [0, 1], sRGB-encoded: green at 0, yellow at 0.5, red at 1; black for NaN.
std::array<uint8_t, 3> falseColour(double v);

}  // namespace lacuna
