#pragma once
// The loads and stores of one à-trous level's threads, and their places: the input of the cache model.

#include <cstdint>
#include <vector>

#include "graph/pattern/permutation.h"

namespace lacuna {

// The families of schedule/stencil_schedule.h whose loads differ.
enum class LoadPattern {
  direct,   // each tap from memory, one dilation apart: baseline, rows
  nearby,   // each tap from memory, neighbours: permuted
  tile,     // the neighbours of a workgroup once: tiled
  lattice,  // the dilated lattice of a workgroup once
  reread,   // the pixels of `tile` once, in the original layout: features of tiled-reread
  // Not a level: the pass after all of them that adds up their states (synthesis), each at the pixel itself.
  upward,    // from the original layout
  scattered  // from the layout that each permuted level wrote
};

struct LevelLoads {
  LoadPattern pattern = LoadPattern::direct;
  uint32_t width = 1920, height = 1080;
  uint32_t workgroup[2] = {16, 16};
  uint32_t rows = 1;  // pixels a thread, one dilation apart; direct only
  // Bytes of a texel of each image of a tap, state and features: powers of two, 4 to 16.
  std::vector<uint32_t> texels = {8};
  uint32_t radius = 2;
  uint32_t level = 0;  // dilation 2^level; for an upward pass: the number of levels
  SubimageOrder order = SubimageOrder::ascending;  // of permuted layouts
  double instructions = 0;                         // of a thread, a pixel
  bool last = false;                               // permuted layouts: it restores the original one
  bool blocks = true;  // images: texels lie in blocks of 64 bytes by 8 rows; if false, row after row

  bool permutes() const { return pattern == LoadPattern::nearby || pattern == LoadPattern::tile; }
  bool isUpward() const { return pattern == LoadPattern::upward || pattern == LoadPattern::scattered; }
  bool shares() const {
    return pattern != LoadPattern::direct && pattern != LoadPattern::nearby && !isUpward();
  }
  uint32_t threads() const { return workgroup[0] * workgroup[1]; }
  uint32_t bytesOfTap() const;
  uint32_t sharedBytes() const;  // of a workgroup
};

struct TexelPosition {
  int64_t x = 0, y = 0;
};

// One workgroup, step by step: its threads load together in each step.
class GroupLoads {
 public:
  GroupLoads(const LevelLoads& loads, uint32_t gx, uint32_t gy) : loads_(loads), gx_(gx), gy_(gy) {}

  static uint32_t steps(const LevelLoads& loads);
  // Workgroups of the level, across and down.
  static uint32_t across(const LevelLoads& loads);
  static uint32_t down(const LevelLoads& loads);

  // False if the thread loads nothing in this step. In an upward pass step k loads only from image k: the
  // input, then the state after each level.
  bool load(uint32_t step, uint32_t thread, TexelPosition& p) const;
  // The place to which a thread's pixel is stored; `row` below `rows`.
  bool store(uint32_t row, uint32_t thread, TexelPosition& p) const;

 private:
  bool loadState(uint32_t image, uint32_t thread, TexelPosition& p) const;
  TexelPosition first(uint32_t thread) const;
  TexelPosition onLattice(TexelPosition p) const;
  bool inside(const TexelPosition& p) const;

  const LevelLoads& loads_;
  uint32_t gx_, gy_;
};

// The places of texels, in sectors of 32 bytes. Images: NVIDIA's blocks of 512 bytes, 64 wide and 8 high,
// whose sectors are 16 bytes by 2 rows and whose lines of 128 bytes are 32 bytes by 4 rows (Tegra X1
// technical reference manual, block linear).
class TexelLayout {
 public:
  TexelLayout(uint32_t width, uint32_t height, uint32_t texelBytes, bool blocks);
  uint64_t sectorOf(const TexelPosition& p) const;
  uint64_t sectors() const { return sectors_; }  // of the whole image, a multiple of a line's

 private:
  bool blocks_;
  uint32_t texel_;
  uint64_t pitch_, sectors_;
};

}  // namespace lacuna
