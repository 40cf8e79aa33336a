#include "graph/compile/compile.h"

#include <fmt/format.h>

#include "graph/frame/limits.h"
#include "graph/load/files.h"
#include "graph/nodes/rewrites.h"

namespace lacuna {
namespace {

constexpr uint64_t tilesInFlight = 2;

uint64_t bytesInTiles(const FrameGraph& schedule) {
  return schedule.arenaBytes + tilesInFlight * stagingBytes(schedule);
}

// What doesn't become less with smaller tiles; "" if there is none.
std::string ofHistory(const FrameGraph& schedule) {
  uint64_t bytes = 0;
  for (const Swap& swap : schedule.swaps)
    bytes += schedule.resources[swap.now].bytes + schedule.resources[swap.last].bytes;
  return bytes == 0 ? ""
                    : fmt::format(", {} of it for the previous frame's images, which are kept whole",
                                  humanBytes(bytes));
}

uint64_t scaled(uint64_t pixels, uint64_t most, uint64_t bytes) {
  return static_cast<uint64_t>(static_cast<double>(pixels) * static_cast<double>(most) /
                               static_cast<double>(std::max<uint64_t>(1, bytes)));
}

// A pass whose bits depend on where its picture begins; "" if there is none.
std::string inexactPass(const Passes& passes) {
  for (const Pass& pass : passes.passes) {
    const VariantDescription* variant = pass.shader.kernel.variant;
    if (!pass.shader.schedule.exact() || (pass.inTiles && variant != nullptr && !variant->isExact()))
      return pass.name;
  }
  return "";
}

// The rows of pictures that a row of tiles keeps in the machine's memory may take as much as the device's
// memory; but halos are at most a third of a tile.
uint32_t mostRows(const NodeGraph& graph, const Tileable& picture, uint64_t most) {
  uint64_t rowBytes = 1;
  for (const Node& node : graph.nodes) {
    if (!passesRows(graph, node))
      continue;
    for (const std::vector<NamedValue>& ends : {node.inputs, node.outputs})
      for (const NamedValue& end : ends)
        rowBytes += end.value ? byteSize(graph.values[end.value].type) / picture.whole.height : 0;
  }
  const uint64_t rows = std::max<uint64_t>(most / rowBytes, uint64_t{6} * picture.halo);
  return static_cast<uint32_t>(std::min<uint64_t>(rows, picture.whole.height));
}

class TileSearch {
 public:
  TileSearch(const NodeGraph& graph, const CompileOptions& options, const MemoryBound& bound,
             const Diagnostics& before)
      : graph_(graph), options_(options), bound_(bound), before_(before) {
    options_.see = {};
  }

  // The tiles that fit, from `pixels` a tile downwards.
  std::optional<Tiles> find(const Tileable& picture, uint64_t pixels) {
    const Extent smallest = smallestTile(picture);
    if (smallest == picture.whole) {
      reason_ = fmt::format("{}x{} pixels with a halo of {} aren't split", smallest.width, smallest.height,
                            picture.halo);
      return std::nullopt;
    }
    std::optional<Tiles> tiles;
    do {
      tiles = tilesWithin(picture, std::max(pixels, pixelCount(smallest)));
      pixels = next(*tiles);
    } while (pixels > 0 && tiles->extent != smallest);
    return pixels == 0 ? tiles : std::nullopt;
  }

  // Why the smallest tiles don't fit.
  const std::string& reason() const { return reason_; }

 private:
  // The pixels of the tile to try next; 0 if this one fits.
  uint64_t next(const Tiles& tiles) {
    const uint64_t pixels = pixelCount(tiles.extent);
    Diagnostics found = before_;
    options_.tiles = tiles;
    FrameGraph passes = passesOf(graph_, options_, found);
    if (found.hasErrors()) {
      reason_ = found.sorted().front().message;
      return std::max<uint64_t>(1, pixels / 2);
    }
    if (const std::string pass = inexactPass(passes); !pass.empty()) {
      reason_ = fmt::format("the schedule of {} isn't exact", pass);
      return 1;
    }
    const FrameGraph placed = bound_.placed(std::move(passes));
    const uint64_t bytes = bytesInTiles(placed);
    reason_ = fmt::format("tiles of {}x{} with a halo of {} take {}{}", tiles.extent.width,
                          tiles.extent.height, tiles.halo, humanBytes(bytes), ofHistory(placed));
    return bytes <= bound_.most
               ? 0
               : std::max<uint64_t>(1, std::min(pixels - 1, scaled(pixels, bound_.most, bytes)));
  }

  const NodeGraph& graph_;
  CompileOptions options_;
  const MemoryBound& bound_;
  const Diagnostics& before_;
  std::string reason_;
};

}  // namespace

FrameGraph passesWithin(const NodeGraph& graph, const CompileOptions& options, const MemoryBound& bound,
                        Diagnostics& diagnostics) {
  CompileOptions quiet = options;
  quiet.see = {};
  Diagnostics found = diagnostics;
  FrameGraph passes = passesOf(graph, quiet, found);
  std::optional<FrameGraph> whole;
  if (!found.hasErrors()) {
    whole = bound.placed(passes);
    if (whole->arenaBytes <= bound.most)
      return passesOf(graph, options, diagnostics);
  }
  std::string reason;
  const NodeGraph culled = cull(chooseHosts(graph, options.device));
  std::optional<Tileable> picture = tileable(culled, reason);
  if (picture) {
    picture->mostRows = mostRows(culled, *picture, bound.most);
    const uint64_t pixels = pixelCount(picture->whole);
    TileSearch search(graph, options, bound, diagnostics);
    const std::optional<Tiles> tiles =
        search.find(*picture, whole ? scaled(pixels, bound.most, bytesInTiles(*whole)) : pixels - 1);
    if (tiles) {
      CompileOptions chosen = options;
      chosen.tiles = tiles;
      return passesOf(graph, chosen, diagnostics);
    }
    reason = search.reason();
  }
  if (whole)
    reportMemory(*whole, bound.most, reason, found);
  diagnostics = std::move(found);
  return passes;
}

}  // namespace lacuna
