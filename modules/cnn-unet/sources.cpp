#include "cnn-unet/sources.h"

namespace lacuna::unet {

Read readOf(const Network& network, const Source& source, const Region& region, LayerKind kind) {
  Read read;
  read.lattice = latticeOf(network, region.size, source.layer);
  read.isUpsampled = source.scale == Scale::twice;
  const bool isHalf = source.scale == Scale::half;
  if (isHalf)
    read.lattice = read.lattice.pooled();
  if (source.layer == inputLayer)
    read.output = fmt::format("{}{}.output", isHalf ? "features_pooled" : "features", region.name);
  else if (isHalf && kind == LayerKind::unfused)
    read.output = fmt::format("layer{}_pooled{}.output", source.layer, region.name);
  else
    read.output = fmt::format("layer{}{}.{}", source.layer, region.name, isHalf ? "pooled" : "output");
  return read;
}

std::vector<std::pair<std::string, std::string>> inputsFor(const std::vector<Read>& reads) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (size_t i = 0; i < reads.size(); ++i)
    inputs.emplace_back(fmt::format("source{}", i), reads[i].output);
  return inputs;
}

std::string placesText(const std::vector<Read>& reads) {
  std::string text;
  for (size_t i = 0; i < reads.size(); ++i) {
    const Lattice& lattice = reads[i].lattice;
    text += fmt::format(
        "const int blocks{0} = {1};\nconst int pitch{0} = {2};\nint place{0}(int block, int row, int column) "
        "{{\n"
        "  return (block * {3} + row + 1) * pitch{0} + (column + 1) * 32;\n}}\n",
        i, lattice.blocks, (lattice.part.width + 2) * 32, lattice.part.height + 2);
  }
  return text;
}

}  // namespace lacuna::unet
