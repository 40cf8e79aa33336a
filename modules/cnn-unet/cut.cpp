#include "cnn-unet/cut.h"

#include <algorithm>

namespace lacuna::unet {

// What is fast on an H200 with pictures of 512x512 to 1920x1080 pixels; more and smaller tasks where
// there are few.
Cut cutOf(const Network& network, size_t layer, const Lattice& lattice, LayerKind kind) {
  const bool pools = kind != LayerKind::unfused && isPooled(network, static_cast<int>(layer));
  if (kind == LayerKind::simple)
    return {.rows = pools ? 2U : 1U, .hasSums = false};
  const uint64_t tasks = lattice.fragments() * lattice.blocks;
  const std::vector<Source>& sources = network.layers[layer].sources;
  const bool isUpsampled = std::any_of(sources.begin(), sources.end(),
                                       [](const Source& source) { return source.scale == Scale::twice; });
  const bool inPairs = (isUpsampled && kind == LayerKind::fused) || pools;
  Cut cut;
  cut.hasSums = kind == LayerKind::fused;
  cut.wide = lattice.blocks == 2 ? 2 : 1;
  cut.rows = tasks >= 16384 && cut.wide == 1 ? 4 : tasks >= 1024 || inPairs ? 2 : 1;
  cut.split = tasks >= 4096 ? 1 : tasks >= 1024 ? 2 : 4;
  cut.groups = std::max(4U, 2 * cut.split);  // two columns of a workgroup are pooled
  return cutWithin(cut, lattice);
}

Cut cutWithin(Cut cut, const Lattice& lattice) {
  while (cut.rows > lattice.part.height)
    cut.rows /= 2;
  return cut;
}

Workgroups workgroupsOf(const Cut& cut, const Lattice& lattice) {
  const uint64_t tasks = divided(lattice.part.height, cut.rows) * lattice.part.width;
  const uint64_t columns = cut.groups / cut.split;
  return workgroupsFor(divided(tasks, columns));
}

}  // namespace lacuna::unet
