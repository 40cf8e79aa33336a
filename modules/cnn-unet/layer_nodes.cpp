#include "cnn-unet/layer_nodes.h"

#include <algorithm>

namespace lacuna::unet {
namespace {

// What a layer reads, "NODE.OUTPUT".
std::string outputOf(const Source& source, const Region& region) {
  const bool isHalf = source.scale == Scale::half;
  if (source.layer == inputLayer)
    return fmt::format("{}{}.output", isHalf ? "features_pooled" : "features", region.name);
  return fmt::format("layer{}{}.{}", source.layer, region.name, isHalf ? "pooled" : "output");
}

// The last layer's results, of a region.
std::string sumsText(const Region& region) {
  return fmt::format(R"(channels = "y", format = "f32", colour = "data", array = {})",
                     uint64_t{4} * region.coreSize.width * region.coreSize.height);
}

}  // namespace

std::string arithmeticText(const native::Call& call) {
  return fmt::format("#define ARITHMETIC ARITHMETIC_{}\n", call.word("arithmetic") == "auto" ? "AUTO"
                                                           : call.word("arithmetic") == "matrices"
                                                               ? "MATRICES"
                                                               : "PLAIN");
}

std::string transferText(const Network& network) {
  return fmt::format(
      "const float scale = {:e};\nconst float maximum = {:e};\nconst bool demodulates = {};\n"
      "const float leastAlbedo = {:e};\nfloat exposureOf() {{ return {}; }}\n",
      network.scale, network.maximum, network.leastAlbedo.has_value(), network.leastAlbedo.value_or(1.0),
      network.exposure ? "array_exposure.data[0]" : "1.0");
}

LayerNodes::LayerNodes(const Network& network, Size image, const native::Call& call,
                       const native::Builder& builder)
    : network_(network), call_(call), builder_(builder) {
  for (size_t i = 0; i < network.layers.size(); ++i) {
    Packed packed;
    packed.cut = cutOf(network, i, latticeOf(network, image, static_cast<int>(i)));
    packed.firstTile = weights_.size() / tileHalves;
    packed.firstBias = biases_.size() / 4;
    appendWeights(network, network.layers[i], packed.cut.padding(), weights_);
    appendBiases(network.layers[i], packed.cut.padding(), biases_);
    packed_.push_back(packed);
  }
}

std::string LayerNodes::sourcesText(const Layer& layer, Size size, Padding padding) const {
  std::string text, calls;
  uint32_t tile = 0;
  for (size_t i = 0; i < layer.sources.size(); ++i) {
    const Source& source = layer.sources[i];
    Lattice lattice = latticeOf(network_, size, source.layer);
    if (source.scale == Scale::half)
      lattice = lattice.pooled();
    text += fmt::format(
        "const int blocks{0} = {1};\nconst int pitch{0} = {2};\nint place{0}(int block, int row, int column) "
        "{{\n"
        "  return (block * {3} + row + 1) * pitch{0} + (column + 1) * 32;\n}}\n",
        i, lattice.blocks, (lattice.part.width + 2) * 32, lattice.part.height + 2);
    calls +=
        fmt::format(" {0}(quads_source{1}.data, words_source{1}.data, blocks{1}, pitch{1}, place{1}, {2})",
                    source.scale == Scale::twice ? "ADD_UPSAMPLED" : "ADD_SAME", i, tile);
    tile += sourceTiles(network_, source, padding);
  }
  return fmt::format("const int inputTiles = {};\n{}#define ADD_SOURCES{}\n", tile, text, calls);
}

std::string LayerNodes::shaderText(size_t index, const Region& region) const {
  const Layer& layer = network_.layers[index];
  const Packed& packed = packed_[index];
  const Lattice lattice = latticeOf(network_, region.size, static_cast<int>(index));
  const Cut cut = cutWithin(packed.cut, lattice);
  std::string text = arithmeticText(call_) + latticeText(lattice, workgroupsOf(cut, lattice));
  text += fmt::format(
      "const int outputBlocks = {};\nconst int firstLayerTile = {};\nconst int firstBias = {};\n"
      "const bool isRelu = {};\n#define ROWS {}\n#define WIDE {}\n#define SPLIT {}\n#define QUADS {}\n"
      "#define IS_POOLED {}\n#define IS_LAST {}\n",
      lattice.blocks, packed.firstTile, packed.firstBias, layer.relu, cut.rows, cut.wide, cut.split,
      divided(std::min(layer.channels, blockChannels), 4),
      isPooled(network_, static_cast<int>(index)) ? 1 : 0, isLast(index) ? 1 : 0);
  if (isLast(index))
    text += fmt::format("const ivec2 core = ivec2({}, {});\nconst ivec2 coreSize = ivec2({}, {});\n",
                        region.core.x, region.core.y, region.coreSize.width, region.coreSize.height);
  return text + sourcesText(layer, region.size, cut.padding()) + "#include \"layer.glsl\"\n";
}

KernelNode LayerNodes::node(size_t index, const Region& region) const {
  const Layer& layer = network_.layers[index];
  const Lattice lattice = latticeOf(network_, region.size, static_cast<int>(index));
  const Cut cut = cutWithin(packed_[index].cut, lattice);
  const Workgroups workgroups = workgroupsOf(cut, lattice);
  KernelNode node{.name = fmt::format("layer{}{}", index, region.name),
                  .shader = fmt::format("layer{}{}.glsl", index, region.name)};
  if (isLast(index)) {
    node.outputs = {{"output", sumsText(region)}};
  } else {
    node.outputs = {{"output", halvesText(lattice.halves())}};
    if (isPooled(network_, static_cast<int>(index)))
      node.outputs.emplace_back("pooled", halvesText(lattice.pooled().halves()));
  }
  for (size_t i = 0; i < layer.sources.size(); ++i)
    node.inputs.emplace_back(fmt::format("source{}", i), outputOf(layer.sources[i], region));
  node.inputs.emplace_back("weights", "upload.weights");
  node.inputs.emplace_back("packed", "weights.packed");
  node.inputs.emplace_back("bias", "upload.biases");
  node.outputs.push_back(arrayGridOf(divided(lattice.blocks, cut.wide) * workgroups.rows * cut.groups,
                                     workgroups.columns * groupSize));
  node.kernel = kernelText(cut.groups);
  return node;
}

std::string LayerNodes::weights() const {
  const uint64_t tiles = weights_.size() / tileHalves;
  constexpr uint32_t groups = 4;
  builder_.upload("weights", native::arrayType(lacuna_y, lacuna_f16, static_cast<uint32_t>(weights_.size())),
                  weights_.data(), 2 * weights_.size());
  builder_.upload("biases", native::arrayType(lacuna_y, lacuna_f32, static_cast<uint32_t>(biases_.size())),
                  biases_.data(), 4 * biases_.size());
  builder_.shader("weights_of.glsl", arithmeticText(call_) + fmt::format("const int tiles = {};\n", tiles) +
                                         "#include \"weights.glsl\"\n");
  return textOf({.name = "weights",
                 .shader = "weights_of.glsl",
                 .inputs = {{"weights", "upload.weights"}},
                 .outputs = {{"packed", halvesText(weights_.size())}, arrayGridOf(tiles, groupSize)},
                 .kernel = kernelText(groups)});
}

std::string LayerNodes::build(const Region& region) const {
  std::string text;
  for (size_t i = 0; i < network_.layers.size(); ++i) {
    const KernelNode made = node(i, region);
    builder_.shader(made.shader, shaderText(i, region));
    text += textOf(made);
  }
  return text;
}

// A pixel's numbers are its region's.
std::string LayerNodes::finish(const Regions& regions) const {
  KernelNode node{.name = "finish",
                  .shader = "finish_of.glsl",
                  .inputs = {{"input", "input"}, {"albedo", "albedo"}},
                  .outputs = {{"output", R"(connector = "output")"}}};
  if (network_.exposure)
    node.inputs.emplace_back("exposure", "exposure.exposure");
  const std::string core = fmt::format("ivec2({}, {})", regions.core.width, regions.core.height);
  std::string text = fmt::format(
      "vec3 sumsAt(ivec2 p) {{\n  ivec2 region = p / {0}, at = p % {0};\n  int i = region.y * {1} + "
      "region.x;\n",
      core, regions.columns);
  for (size_t i = 0; i < regions.all.size(); ++i) {
    node.inputs.emplace_back(fmt::format("sums{}", i),
                             fmt::format("layer{}-{}.output", network_.layers.size() - 1, i));
    text += fmt::format(
        "  if (i == {0}) {{ return uintBitsToFloat(quads_sums{0}.data[at.y * {1} + at.x].xyz); }}\n", i,
        regions.all[i].coreSize.width);
  }
  builder_.shader(node.shader,
                  transferText(network_) + text + "  return vec3(0.0);\n}\n#include \"finish.glsl\"\n");
  return textOf(node);
}

}  // namespace lacuna::unet
