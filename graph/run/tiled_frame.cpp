#include "graph/run/tiled_frame.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <utility>

namespace lacuna {
namespace {

constexpr int deviceSlots = 2;

struct Stopped {};

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
  for (uint32_t row = 0; row < rows; ++row)
    std::memcpy(to.first + row * to.stride, from.first + row * from.stride, bytes);
}

void add(vk::Timings& sum, const vk::Timings& timings) {
  if (sum.passMs.empty()) {
    sum = timings;
    return;
  }
  for (const PassId pass : sum.passMs.ids())
    sum.passMs[pass] += timings.passMs[pass];
  sum.totalMs += timings.totalMs;
}

}  // namespace

PictureMemory::PictureMemory(size_t bytes) {
  if (bytes == 0)
    return;
  void* first =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (first == MAP_FAILED)
    throw vk::DeviceError(fmt::format("{} bytes of memory for a picture: {}", bytes, std::strerror(errno)));
  bytes_ = {static_cast<std::byte*>(first), bytes};
}

PictureMemory::PictureMemory(PictureMemory&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), dropped_(other.dropped_) {}

PictureMemory& PictureMemory::operator=(PictureMemory&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(dropped_, other.dropped_);
  return *this;
}

PictureMemory::~PictureMemory() {
  if (!bytes_.empty())
    munmap(bytes_.data(), bytes_.size());
}

void PictureMemory::dropBefore(size_t end) {
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t last = end / page * page;
  if (last > dropped_) {
    madvise(bytes_.data() + dropped_, last - dropped_, MADV_DONTNEED);
    dropped_ = last;
  }
}

void PictureMemory::dropAll() {
  if (!bytes_.empty())
    madvise(bytes_.data(), bytes_.size(), MADV_DONTNEED);
  dropped_ = 0;
}

TiledFrames::TiledFrames(vk::Executable& executable)
    : executable_(executable),
      schedule_(executable.schedule()),
      tiles_(schedule_.tiles->all()),
      sweeps_(sweepsOf(schedule_, true)),
      sweepsUnwritten_(sweepsOf(schedule_, false)) {
  executable_.reserveSlots(deviceSlots);
}

ValueId TiledFrames::valueOf(PassId id) const {
  return schedule_.resources[pass(id).accesses.front().resource].value;
}

void TiledFrames::reserveSlots(int count) {
  while (slotCount() < count) {
    Table<PassId, PictureMemory> pictures(schedule_.passes.size());
    for (const PassId id : pictures.ids()) {
      const bool isTransfer = pass(id).kind == PassKind::upload || pass(id).kind == PassKind::download;
      if (isTransfer && valueOf(id))
        pictures[id] = PictureMemory(byteSize(wholeType(schedule_, valueOf(id))));
    }
    pictures_.push_back(std::move(pictures));
    std::set<NodeId>& inRows = inRows_.emplace_back();
    for (const NodeId id : schedule_.graph.nodes.ids())
      if (passesRows(schedule_.graph, schedule_.graph.nodes[id]))
        inRows.insert(id);
  }
}

std::span<std::byte> TiledFrames::memory(PassId pass, int slot) const {
  return pictures_[static_cast<size_t>(slot)][pass].bytes();
}

void TiledFrames::dropBefore(NodeId node, uint32_t row, int slot) {
  for (const PassId id : schedule_.passes.ids()) {
    PictureMemory& picture = pictures_[static_cast<size_t>(slot)][id];
    if (pass(id).node == node && !picture.bytes().empty())
      picture.dropBefore(picture.bytes().size() / schedule_.tiles->whole.height * row);
  }
}

void TiledFrames::dropAll(int slot) {
  for (const PassId id : schedule_.passes.ids())
    if (inRows(pass(id).node, slot))
      pictures_[static_cast<size_t>(slot)][id].dropAll();
}

void TiledFrames::fill(const Tile& tile, int slot, int deviceSlot, const Sweep& sweep) {
  const Tiles& tiles = *schedule_.tiles;
  for (const PassId id : schedule_.passes.ids()) {
    if (pass(id).kind != PassKind::upload || sweep[id] == InSweep::never || !valueOf(id))
      continue;
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
    if (pass(id).kind != PassKind::download || sweep[id] == InSweep::never || !valueOf(id))
      continue;
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

vk::Timings TiledFrames::run(const vk::Frame& frame, int slot, vk::Timed timed, const Calls& calls) {
  vk::Timings sum;
  stopped_.erase(slot);
  if (!frame.isWritten && schedule_.swaps.empty())
    return sum;
  Calls own = calls;
  own.ran = [&](const vk::Timings& timings) {
    calls.ran(timings);
    add(sum, timings);
  };
  try {
    vk::Frame part = frame;
    part.first = frame.first || !hasRun_;
    part.isWritten = true;  // sweeps say what is
    const std::vector<Sweep>& sweeps = frame.isWritten ? sweeps_ : sweepsUnwritten_;
    for (const Sweep& sweep : sweeps) {
      part.begins = &sweep == &sweeps.front();
      while (!runSweep(sweep, part, slot, timed, own)) {
      }
    }
    executable_.endFrame();
    hasRun_ = true;
  } catch (const Stopped&) {
    stopped_.insert(slot);
  }
  dropAll(slot);
  return sum;
}

// False if a sink's picture has to be whole; it is from now on.
bool TiledFrames::runSweep(const Sweep& sweep, const vk::Frame& frame, int slot, vk::Timed timed,
                           const Calls& calls) {
  dropAll(slot);
  Streams streams = startStreams(sweep, slot, calls);
  try {
    runTiles(sweep, frame, slot, timed, calls, streams);
    for (const Stream& stream : streams)
      stream.rows->finish();
    return true;
  } catch (const FileError&) {
    std::set<NodeId>& inRows = inRows_[static_cast<size_t>(slot)];
    const size_t before = inRows.size();
    for (const Stream& stream : streams)
      if (stream.rows->needsWhole())
        inRows.erase(stream.node);
    if (inRows.size() == before)
      throw;
    return false;
  }
}

TiledFrames::Streams TiledFrames::startStreams(const Sweep& sweep, int slot, const Calls& calls) const {
  Streams streams;
  for (const NodeId node : inRows_[static_cast<size_t>(slot)]) {
    bool isNeeded = false;
    for (const PassId id : sweep.ids())
      isNeeded = isNeeded || (pass(id).node == node && sweep[id] != InSweep::never);
    if (isNeeded) {
      const NodeKind kind = schedule_.graph.nodes[node].kind;
      streams.push_back({node, std::make_unique<RowStream>(
                                   kind, [=](const PassRows& rows) { calls.transfer(node, rows); })});
    }
  }
  return streams;
}

void TiledFrames::runTiles(const Sweep& sweep, const vk::Frame& frame, int slot, vk::Timed timed,
                           const Calls& calls, Streams& streams) {
  std::deque<size_t> running;
  const auto finish = [&] {
    const size_t index = running.front();
    const int deviceSlot = static_cast<int>(index % deviceSlots);
    running.pop_front();
    calls.ran(executable_.wait(deviceSlot));
    const Tile& tile = tiles_[index];
    makeRoom(tile, slot, streams);
    keep(tile, slot, deviceSlot, sweep);
    write(tile, calls, streams);
  };
  try {
    for (size_t i = 0; i < tiles_.size(); ++i) {
      if (calls.stops && calls.stops())
        throw Stopped();
      const int deviceSlot = static_cast<int>(i % deviceSlots);
      read(tiles_[i], slot, calls, streams);
      fill(tiles_[i], slot, deviceSlot, sweep);
      vk::Frame own = frame;
      own.tile = tiles_[i];
      own.begins = frame.begins && i == 0;
      own.repeats = [&sweep, i](PassId pass) {
        return sweep[pass] == InSweep::everyTile || (sweep[pass] == InSweep::firstTile && i == 0) ? 1 : 0;
      };
      executable_.submit(own, deviceSlot, timed);
      running.push_back(i);
      if (i > 0)
        finish();
    }
    finish();
  } catch (...) {
    for (const size_t index : running)
      executable_.wait(static_cast<int>(index % deviceSlots));
    throw;
  }
}

// Rows of sources that the tile needs; those above are not needed any more.
void TiledFrames::read(const Tile& tile, int slot, const Calls& calls, Streams& streams) {
  const uint32_t end = tile.row.origin + schedule_.tiles->extent.height;
  for (Stream& stream : streams) {
    if (stream.rows->kind() == NodeKind::source && stream.complete < end) {
      dropBefore(stream.node, tile.row.origin, slot);
      stream.rows->allow(end);
      stream.rows->await();
      calls.complete(stream.node, stream.complete, end);
      stream.complete = end;
    }
  }
}

// Before the first tile of a row, sinks write the rows that are complete.
void TiledFrames::makeRoom(const Tile& tile, int slot, Streams& streams) {
  for (const Stream& stream : streams) {
    if (stream.rows->kind() == NodeKind::sink && tile.column.begin == 0) {
      stream.rows->await();
      dropBefore(stream.node, stream.rows->written(), slot);
    }
  }
}

// After the last tile of a row.
void TiledFrames::write(const Tile& tile, const Calls& calls, Streams& streams) {
  for (Stream& stream : streams) {
    if (stream.rows->kind() == NodeKind::sink && tile.column.end == schedule_.tiles->whole.width) {
      calls.complete(stream.node, tile.row.begin, tile.row.end);
      stream.rows->allow(tile.row.end);
    }
  }
}

}  // namespace lacuna
