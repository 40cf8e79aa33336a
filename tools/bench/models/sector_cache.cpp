#include "tools/bench/models/sector_cache.h"

#include <algorithm>

namespace lacuna {
namespace {

constexpr uint32_t lineBytes = 128;
constexpr uint64_t sectorsPerLine = 4;

// Images may be powers of two apart; caches spread lines by a hash so that these don't fall into one
// set.
uint64_t spread(uint64_t line) {
  return (line * 0x9e3779b97f4a7c15U) >> 32U;
}

}  // namespace

SectorCache::SectorCache(uint32_t bytes, uint32_t ways)
    : sets_(std::max(1U, bytes / lineBytes / ways)), ways_(ways), lines_(size_t{sets_} * ways) {}

bool SectorCache::access(uint64_t sector) {
  const uint64_t number = sector / sectorsPerLine;
  const uint32_t bit = 1U << sector % sectorsPerLine;
  Line* set = &lines_[spread(number) % sets_ * ways_];
  Line* oldest = set;
  ++now_;
  for (Line* line = set; line != set + ways_; ++line) {
    if (line->number == number) {
      const bool hit = (line->present & bit) != 0;
      line->present |= bit;
      line->used = now_;
      return hit;
    }
    if (line->used < oldest->used) {
      oldest = line;
    }
  }
  *oldest = {number, now_, bit};
  return false;
}

}  // namespace lacuna
