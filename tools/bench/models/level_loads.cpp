#include "tools/bench/models/level_loads.h"

#include <algorithm>
#include <numeric>

#include "graph/pattern/permutation.h"
#include "graph/values/image_type.h"
#include "tools/bench/models/cache_model.h"

namespace lacuna {
namespace {

// Columns that a lattice keeps together.
uint32_t group(const LevelLoads& loads) {
  return loads.pattern == LoadPattern::lattice ? std::min(4U, 1U << loads.level) : 1;
}

uint32_t tileColumns(const LevelLoads& loads) {
  return loads.workgroup[0] + 2 * loads.radius * group(loads);
}

uint32_t tileRows(const LevelLoads& loads) {
  return loads.workgroup[1] + 2 * loads.radius;
}

// The pixel at a place of a lattice: all of one remainder, then all of the next one; -1 if there is none.
int64_t interleaved(int64_t place, int64_t size, int64_t dilation) {
  if (place < 0 || place >= size)
    return -1;
  const int64_t large = size % dilation;  // remainders with one more
  const int64_t small = std::max<int64_t>(1, size / dilation);
  const int64_t inLarge = large * (size / dilation + 1);
  return place < inLarge ? place / (size / dilation + 1) + place % (size / dilation + 1) * dilation
                         : large + (place - inLarge) / small + (place - inLarge) % small * dilation;
}

}  // namespace

uint32_t LevelLoads::bytesOfTap() const {
  return std::accumulate(texels.begin(), texels.end(), 0U);
}

uint32_t LevelLoads::sharedBytes() const {
  return shares() ? tileColumns(*this) * tileRows(*this) * bytesOfTap() : 0;
}

uint32_t GroupLoads::steps(const LevelLoads& loads) {
  if (loads.isUpward())
    return loads.level + 1;
  const uint32_t reach = 2 * loads.radius;
  return loads.shares() ? divideUp(tileColumns(loads) * tileRows(loads), loads.threads())
                        : loads.rows + (reach + 1) * (reach + loads.rows);
}

uint32_t GroupLoads::across(const LevelLoads& loads) {
  return divideUp(loads.width, loads.workgroup[0]);
}

uint32_t GroupLoads::down(const LevelLoads& loads) {
  return divideUp(loads.height, loads.workgroup[1] * loads.rows);
}

bool GroupLoads::load(uint32_t step, uint32_t thread, TexelPosition& p) const {
  if (loads_.isUpward())
    return loadState(step, thread, p);
  const auto radius = static_cast<int64_t>(loads_.radius);
  if (!loads_.shares()) {
    const int64_t stride = loads_.pattern == LoadPattern::nearby ? 1 : int64_t{1} << loads_.level;
    const int64_t taps = 2 * int64_t{loads_.radius} + 1;
    p = first(thread);
    if (step < loads_.rows) {
      p.y += step * stride;  // the centre, before the loop over taps reads it again
    } else {
      p.x += ((step - loads_.rows) % taps - radius) * stride;
      p.y += ((step - loads_.rows) / taps - radius) * stride;
    }
    return inside(p);
  }
  const uint32_t cell = step * loads_.threads() + thread;
  if (cell >= tileColumns(loads_) * tileRows(loads_))
    return false;
  p = {int64_t{gx_} * loads_.workgroup[0] + cell % tileColumns(loads_) - radius * group(loads_),
       int64_t{gy_} * loads_.workgroup[1] + cell / tileColumns(loads_) - radius};
  p = loads_.shares() && loads_.pattern != LoadPattern::tile ? onLattice(p) : p;
  return inside(p);
}

// The input and the last level's state are in the original layout.
bool GroupLoads::loadState(uint32_t image, uint32_t thread, TexelPosition& p) const {
  p = first(thread);
  if (!inside(p))
    return false;
  if (loads_.pattern == LoadPattern::scattered && image < loads_.level) {
    const Embedding embedding{loads_.order, false};
    p = {placeOf(embedding, static_cast<uint32_t>(p.x), loads_.width, image),
         placeOf(embedding, static_cast<uint32_t>(p.y), loads_.height, image)};
  }
  return true;
}

bool GroupLoads::store(uint32_t row, uint32_t thread, TexelPosition& p) const {
  p = first(thread);
  p.y += int64_t{row} << loads_.level;
  p = loads_.shares() && loads_.pattern != LoadPattern::tile ? onLattice(p) : p;
  if (!inside(p))
    return false;
  if (loads_.permutes()) {
    const auto place = [&](int64_t at, uint32_t size) {
      const auto from = static_cast<uint32_t>(at);
      const Embedding embedding{loads_.order, false};
      return int64_t{loads_.last ? pixelAt(embedding, from, size, loads_.level)
                                 : nextPlace(embedding, from, size, loads_.level)};
    };
    p = {place(p.x, loads_.width), place(p.y, loads_.height)};
  }
  return true;
}

TexelPosition GroupLoads::first(uint32_t thread) const {
  TexelPosition p{int64_t{gx_} * loads_.workgroup[0] + thread % loads_.workgroup[0],
                  int64_t{gy_} * loads_.workgroup[1] + thread / loads_.workgroup[0]};
  if (loads_.rows > 1) {
    const int64_t dilation = int64_t{1} << loads_.level;
    p.y = p.y / dilation * dilation * loads_.rows + p.y % dilation;
  }
  return p;
}

// Column groups and rows of one remainder side by side, all remainders one after the other.
TexelPosition GroupLoads::onLattice(TexelPosition p) const {
  const int64_t dilation = int64_t{1} << loads_.level;
  const int64_t size = group(loads_);
  const int64_t groups = (loads_.width + size - 1) / size;
  const int64_t g = p.x < 0 ? -1 : interleaved(p.x / size, groups, dilation / size);
  return {g < 0 ? -1 : g * size + p.x % size, interleaved(p.y, loads_.height, dilation)};
}

bool GroupLoads::inside(const TexelPosition& p) const {
  return p.x >= 0 && p.y >= 0 && p.x < int64_t{loads_.width} && p.y < int64_t{loads_.height};
}

TexelLayout::TexelLayout(uint32_t width, uint32_t height, uint32_t texelBytes, bool blocks)
    : blocks_(blocks),
      texel_(texelBytes),
      pitch_((uint64_t{width} * texelBytes + 63) / 64 * 64),
      sectors_((uint64_t{height} + 7) / 8 * 8 * pitch_ / sectorBytes) {}

uint64_t TexelLayout::sectorOf(const TexelPosition& p) const {
  const uint64_t byte = static_cast<uint64_t>(p.x) * texel_;
  const auto y = static_cast<uint64_t>(p.y);
  if (!blocks_)
    return (y * pitch_ + byte) / sectorBytes;
  const uint64_t block = y / 8 * (pitch_ / 64) + byte / 64;
  return block * 16 + byte % 64 / 32 * 8 + y % 8 / 2 * 2 + byte % 32 / 16;
}

}  // namespace lacuna
