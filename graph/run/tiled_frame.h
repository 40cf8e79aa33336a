#pragma once
// Frames of a picture in tiles: pictures in host memory, from which each tile is uploaded, and into which its
// core is downloaded, while the device computes the next one. Pictures of files pass through that memory in
// rows: each row of tiles needs some of them, and those behind are given back to the system. If a file's code
// doesn't pass rows (abi.h), its picture is whole.

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "graph/frame/tile_passes.h"
#include "graph/run/row_stream.h"
#include "graph/vk/executable.h"

namespace lacuna {

// Host memory of an image or array; the system provides only pages that are used, and takes back dropped
// ones.
class PictureMemory {
 public:
  PictureMemory() = default;
  explicit PictureMemory(size_t bytes);  // throws vk::DeviceError
  PictureMemory(PictureMemory&& other) noexcept;
  PictureMemory& operator=(PictureMemory&& other) noexcept;
  ~PictureMemory();

  std::span<std::byte> bytes() const { return bytes_; }
  void dropBefore(size_t end);  // the first bytes, since the last dropAll()
  void dropAll();

 private:
  std::span<std::byte> bytes_;
  size_t dropped_ = 0;
};

class TiledFrames {
 public:
  // What a run calls.
  struct Calls {
    std::function<void(const vk::Timings&)> ran;               // after each tile
    std::function<void(NodeId, const PassRows&)> transfer;     // reads a source's file, or writes a sink's
    std::function<void(NodeId, uint32_t, uint32_t)> complete;  // rows of such a file, from one to another
    std::function<bool()> stops;                               // asked between tiles; may be empty
  };

  // Needs: a schedule with tiles; two slots of the executable.
  explicit TiledFrames(vk::Executable& executable);

  void reserveSlots(int count);
  int slotCount() const { return static_cast<int>(pictures_.size()); }
  // Host memory of an upload or download pass, as that of an Executable, for the whole picture. If a file is
  // transferred in rows, some rows are complete only during Calls.complete.
  std::span<std::byte> memory(PassId pass, int slot) const;
  // Whether run() transfers the node's file in that slot.
  bool inRows(NodeId node, int slot) const { return inRows_[static_cast<size_t>(slot)].contains(node); }

  // Whether the last run() in that slot ended early: its pictures are not complete.
  bool hasStopped(int slot) const { return stopped_.contains(slot); }

  // All tiles, one after the other, sweep after sweep. Returns the sums of their times. Throws FileError.
  vk::Timings run(const vk::Frame& frame, int slot, vk::Timed timed, const Calls& calls);

 private:
  struct Stream {
    NodeId node;
    std::unique_ptr<RowStream> rows;
    uint32_t complete = 0;  // of a source: rows
  };
  using Streams = std::vector<Stream>;
  const Pass& pass(PassId id) const { return schedule_.passes[id]; }
  ValueId valueOf(PassId id) const;
  Streams startStreams(const Sweep& sweep, int slot, const Calls& calls) const;
  bool runSweep(const Sweep& sweep, const vk::Frame& frame, int slot, vk::Timed timed, const Calls& calls);
  void runTiles(const Sweep& sweep, const vk::Frame& frame, int slot, vk::Timed timed, const Calls& calls,
                Streams& streams);
  void read(const Tile& tile, int slot, const Calls& calls, Streams& streams);
  void makeRoom(const Tile& tile, int slot, Streams& streams);
  void write(const Tile& tile, const Calls& calls, Streams& streams);
  void dropBefore(NodeId node, uint32_t row, int slot);
  void dropAll(int slot);
  void fill(const Tile& tile, int slot, int deviceSlot, const Sweep& sweep);
  void keep(const Tile& tile, int slot, int deviceSlot, const Sweep& sweep);

  vk::Executable& executable_;
  const FrameGraph& schedule_;
  const std::vector<Tile> tiles_;
  const std::vector<Sweep> sweeps_, sweepsUnwritten_;
  bool hasRun_ = false;
  std::vector<std::set<NodeId>> inRows_;                // by slot
  std::set<int> stopped_;                               // slots
  std::vector<Table<PassId, PictureMemory>> pictures_;  // by slot; empty for other passes
};

}  // namespace lacuna
