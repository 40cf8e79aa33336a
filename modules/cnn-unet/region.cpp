#include "cnn-unet/region.h"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna::unet {
namespace {

constexpr uint32_t mostRegions = 16;                 // the last kernel binds an array of each
constexpr uint64_t mostHalves = uint64_t{1} << 31U;  // of an array that is indexed by int

uint64_t halvesOf(const Network& network, Size size, int layer) {
  const Lattice lattice = latticeOf(network, size, layer);
  return lattice.halves() + (isPooled(network, layer) ? lattice.pooled().halves() : 0);
}

// Memory between a layer's passes: upsampled sources, their concatenation, and sums without bias.
uint64_t halvesBetween(const Network& network, Size size, int layer, LayerKind kind) {
  constexpr uint32_t mostSplit = 4;
  if (kind != LayerKind::unfused)
    return 0;
  return 2 * joinedLattice(network, size, layer, mostSplit).halves() +
         latticeOf(network, size, layer).halves();
}

// The last layer that reads a layer.
int lastReader(const Network& network, int layer) {
  int last = layer;
  for (size_t i = 0; i < network.layers.size(); ++i)
    for (const Source& source : network.layers[i].sources)
      if (source.layer == layer)
        last = static_cast<int>(i);
  return last;
}

bool fits(const Network& network, Size size, LayerKind kind, uint64_t bytes) {
  for (int layer = inputLayer; layer + 1 < static_cast<int>(network.layers.size()); ++layer)
    if (latticeOf(network, size, layer).halves() >= mostHalves)
      return false;
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer)
    if (halvesBetween(network, size, layer, kind) / 2 >= mostHalves)
      return false;
  return bytesFor(network, size, kind) <= bytes;
}

// The side of a region if there are this many.
uint32_t sideOf(uint32_t whole, uint32_t count, uint32_t multiple) {
  return extended(static_cast<uint32_t>(divided(whole, count)), multiple);
}

// One side of a region whose core begins at `begin` of a side of `whole`.
struct Side {
  uint32_t begin, size, coreBegin, coreSize;
};
Side sideOf(uint32_t begin, uint32_t core, uint32_t margin, uint32_t whole) {
  const uint32_t first = begin - std::min(begin, margin);
  const uint32_t end = std::min(begin + core, whole);
  return {first, std::min(end + margin, whole) - first, begin - first, end - begin};
}

}  // namespace

uint64_t bytesFor(const Network& network, Size size, LayerKind kind) {
  const int count = static_cast<int>(network.layers.size());
  uint64_t most = 0;
  for (int now = 0; now < count; ++now) {
    uint64_t halves = halvesBetween(network, size, now, kind);
    for (int layer = inputLayer; layer <= now && layer + 1 < count; ++layer)
      halves += lastReader(network, layer) >= now ? halvesOf(network, size, layer) : 0;
    most = std::max(most, 2 * halves);
  }
  return most;
}

Regions regionsFor(const Network& network, Size image, LayerKind kind, uint64_t bytes) {
  const uint32_t multiple = 1U << static_cast<uint32_t>(network.mostHalvings());
  const uint32_t margin = extended(network.reach(), multiple);
  Regions regions{image, 1, {}};
  uint32_t rows = 1;
  const auto sizeOf = [&] {
    return Size{std::min(regions.core.width + 2 * margin, image.width),
                std::min(regions.core.height + 2 * margin, image.height)};
  };
  while (!fits(network, sizeOf(), kind, bytes)) {
    const bool byWidth = regions.core.width >= regions.core.height;
    if (std::max(regions.core.width, regions.core.height) <= multiple ||
        (regions.columns + (byWidth ? 1 : 0)) * (rows + (byWidth ? 0 : 1)) > mostRegions)
      break;
    (byWidth ? regions.columns : rows) += 1;
    regions.core = {sideOf(image.width, regions.columns, multiple), sideOf(image.height, rows, multiple)};
  }
  for (uint32_t y = 0; y < image.height; y += regions.core.height)
    for (uint32_t x = 0; x < image.width; x += regions.core.width) {
      const Side across = sideOf(x, regions.core.width, margin, image.width);
      const Side down = sideOf(y, regions.core.height, margin, image.height);
      regions.all.push_back({{across.begin, down.begin},
                             {across.size, down.size},
                             {across.coreBegin, down.coreBegin},
                             {across.coreSize, down.coreSize},
                             fmt::format("-{}", regions.all.size())});
    }
  regions.columns = static_cast<uint32_t>(divided(image.width, regions.core.width));
  return regions;
}

}  // namespace lacuna::unet
