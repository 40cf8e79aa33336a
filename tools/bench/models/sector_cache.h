#pragma once
// A cache with lines of four sectors: a line is kept or evicted as a whole, its sectors are loaded one by
// one.

#include <cstdint>
#include <vector>

namespace lacuna {

constexpr uint32_t sectorBytes = 32;

class SectorCache {
 public:
  SectorCache(uint32_t bytes, uint32_t ways);
  bool access(uint64_t sector);  // true if it was there; it is afterwards

 private:
  struct Line {
    uint64_t number = ~uint64_t{0};
    uint64_t used = 0;
    uint32_t present = 0;  // a bit a sector
  };
  uint32_t sets_, ways_;
  uint64_t now_ = 0;
  std::vector<Line> lines_;
};

}  // namespace lacuna
