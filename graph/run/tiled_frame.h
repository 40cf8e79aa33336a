#pragma once
// Frames of a picture in tiles: whole pictures in host memory, from which each tile is uploaded, and into
// which its core is downloaded, while the device computes the next one.

#include <functional>
#include <memory>
#include <vector>

#include "graph/frame/sweeps.h"
#include "graph/vk/executable.h"

namespace lacuna {

class TiledFrames {
 public:
  // Called after each tile with the times of its passes.
  using Ran = std::function<void(const vk::Timings&)>;

  // Needs: a schedule with tiles; two slots of the executable.
  explicit TiledFrames(vk::Executable& executable);

  void reserveSlots(int count);
  int slotCount() const { return static_cast<int>(pictures_.size()); }
  // Host memory of an upload or download pass, as that of an Executable, for the whole picture.
  std::span<std::byte> memory(PassId pass, int slot) const;

  // All tiles, one after the other, sweep after sweep. Returns the sums of their times.
  vk::Timings run(const vk::Frame& frame, int slot, vk::Timed timed, const Ran& ran);

 private:
  struct Picture {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
  };
  using Pictures = Table<PassId, Picture>;  // empty for other passes
  const Pass& pass(PassId id) const { return schedule_.passes[id]; }
  ValueId valueOf(PassId id) const;
  void runSweep(const Sweep& sweep, const vk::Frame& frame, int slot, vk::Timed timed, const Ran& ran);
  void fill(const Tile& tile, int slot, int deviceSlot, const Sweep& sweep);
  void keep(const Tile& tile, int slot, int deviceSlot, const Sweep& sweep);

  vk::Executable& executable_;
  const Schedule& schedule_;
  const std::vector<Tile> tiles_;
  const std::vector<Sweep> sweeps_;
  std::vector<Pictures> pictures_;  // by slot
};

}  // namespace lacuna
