#include "graph/run/tiled_frame.h"

#include <cstring>

namespace lacuna {
namespace {

constexpr int deviceSlots = 2;

// A rectangle of pixels in rows.
struct Window {
  std::byte* first;
  size_t stride;  // bytes from row to row
};

Window windowAt(std::span<std::byte> memory, Extent extent, uint32_t pixelBytes, PixelPlace at) {
  const size_t stride = size_t{extent.width} * pixelBytes;
  return {memory.data() + at.y * stride + size_t{at.x} * pixelBytes, stride};
}

void copyRows(const Window& from, const Window& to, size_t bytes, uint32_t rows) {
  for (uint32_t row = 0; row < rows; ++row) {
    std::memcpy(to.first + row * to.stride, from.first + row * from.stride, bytes);
  }
}

void add(vk::Timings& sum, const vk::Timings& timings) {
  if (sum.passMs.empty()) {
    sum = timings;
    return;
  }
  for (const PassId pass : sum.passMs.ids()) {
    sum.passMs[pass] += timings.passMs[pass];
  }
  sum.totalMs += timings.totalMs;
}

}  // namespace

TiledFrames::TiledFrames(vk::Executable& executable)
    : executable_(executable),
      schedule_(executable.schedule()),
      tiles_(schedule_.tiles->all()),
      sweeps_(sweepsOf(schedule_)) {
  executable_.reserveSlots(deviceSlots);
}

ValueId TiledFrames::valueOf(PassId id) const {
  return schedule_.resources[pass(id).accesses.front().resource].value;
}

void TiledFrames::reserveSlots(int count) {
  while (slotCount() < count) {
    Pictures pictures(schedule_.passes.size());
    for (const PassId id : pictures.ids()) {
      const bool isTransfer = pass(id).kind == PassKind::upload || pass(id).kind == PassKind::download;
      if (isTransfer && valueOf(id)) {
        const size_t size = byteSize(wholeType(schedule_, valueOf(id)));
        pictures[id] = {std::make_unique_for_overwrite<std::byte[]>(size), size};
      }
    }
    pictures_.push_back(std::move(pictures));
  }
}

std::span<std::byte> TiledFrames::memory(PassId pass, int slot) const {
  const Picture& picture = pictures_[static_cast<size_t>(slot)][pass];
  return {picture.bytes.get(), picture.size};
}

void TiledFrames::fill(const Tile& tile, int slot, int deviceSlot, const Sweep& sweep) {
  const Tiles& tiles = *schedule_.tiles;
  for (const PassId id : schedule_.passes.ids()) {
    if (pass(id).kind != PassKind::upload || sweep[id] == InSweep::never || !valueOf(id)) {
      continue;
    }
    const ValueType& type = schedule_.graph.values[valueOf(id)].type;
    const std::span<std::byte> from = memory(id, slot), to = executable_.uploadMemory(id, deviceSlot);
    if (type.isArray()) {
      std::memcpy(to.data(), from.data(), from.size());
      continue;
    }
    const uint32_t bytes = bytesPerPixel(type.channels, type.format);
    copyRows(windowAt(from, tiles.whole, bytes, {tile.column.origin, tile.row.origin}),
             windowAt(to, tiles.extent, bytes, {}), size_t{tiles.extent.width} * bytes, tiles.extent.height);
  }
}

void TiledFrames::keep(const Tile& tile, int slot, int deviceSlot, const Sweep& sweep) {
  const Tiles& tiles = *schedule_.tiles;
  const TileSide &column = tile.column, &row = tile.row;
  for (const PassId id : schedule_.passes.ids()) {
    if (pass(id).kind != PassKind::download || sweep[id] == InSweep::never || !valueOf(id)) {
      continue;
    }
    const ValueType& type = schedule_.graph.values[valueOf(id)].type;
    const std::span<const std::byte> read = executable_.downloadMemory(id, deviceSlot);
    const std::span<std::byte> from{const_cast<std::byte*>(read.data()), read.size()}, to = memory(id, slot);
    if (type.isArray()) {
      std::memcpy(to.data(), from.data(), to.size());
      continue;
    }
    const uint32_t bytes = bytesPerPixel(type.channels, type.format);
    copyRows(windowAt(from, tiles.extent, bytes, {column.begin - column.origin, row.begin - row.origin}),
             windowAt(to, tiles.whole, bytes, {column.begin, row.begin}),
             size_t{column.end - column.begin} * bytes, row.end - row.begin);
  }
}

vk::Timings TiledFrames::run(const vk::Frame& frame, int slot, vk::Timed timed, const Ran& ran) {
  vk::Timings sum;
  if (!frame.isWritten) {
    return sum;  // nothing is kept for the next frame
  }
  for (const Sweep& sweep : sweeps_) {
    runSweep(sweep, frame, slot, timed, [&](const vk::Timings& timings) {
      ran(timings);
      add(sum, timings);
    });
  }
  return sum;
}

void TiledFrames::runSweep(const Sweep& sweep, const vk::Frame& frame, int slot, vk::Timed timed,
                           const Ran& ran) {
  const auto finish = [&](size_t index) {
    const int deviceSlot = static_cast<int>(index % deviceSlots);
    ran(executable_.wait(deviceSlot));
    keep(tiles_[index], slot, deviceSlot, sweep);
  };
  for (size_t i = 0; i < tiles_.size(); ++i) {
    const int deviceSlot = static_cast<int>(i % deviceSlots);
    fill(tiles_[i], slot, deviceSlot, sweep);
    vk::Frame own = frame;
    own.tile = tiles_[i];
    own.repeats = [&sweep, i](PassId pass) {
      return sweep[pass] == InSweep::everyTile || (sweep[pass] == InSweep::firstTile && i == 0) ? 1 : 0;
    };
    executable_.submit(own, deviceSlot, timed);
    if (i > 0) {
      finish(i - 1);
    }
  }
  finish(tiles_.size() - 1);
}

}  // namespace lacuna
