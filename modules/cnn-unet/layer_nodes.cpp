#include "cnn-unet/layer_nodes.h"

#include <algorithm>

namespace lacuna::unet {
namespace {

std::string shaderName(size_t layer) {
  return fmt::format("layer{}.glsl", layer);
}

Padding paddingOf(const Cut& cut) {
  return {cut.wide, cut.split};
}

// What a layer reads, "NODE.OUTPUT".
std::string outputOf(const Source& source) {
  const bool isHalf = source.scale == Scale::half;
  if (source.layer == inputLayer)
    return isHalf ? "features_pooled.output" : "features.output";
  return fmt::format("layer{}.{}", source.layer, isHalf ? "pooled" : "output");
}

uint32_t divided(uint32_t count, uint32_t size) {
  return (count + size - 1) / size;
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

// What is fast on an H200 with layers of 512x512 to 1920x1088 pixels' networks; more and smaller tasks where there are few.
Cut cutOf(const Network& network, size_t layer, const Lattice& lattice) {
  const uint64_t tasks = lattice.fragments() * lattice.blocks;
  const std::vector<Source>& sources = network.layers[layer].sources;
  const bool isUpsampled = std::any_of(sources.begin(), sources.end(),
                                       [](const Source& source) { return source.scale == Scale::twice; });
  const bool inPairs = isUpsampled || isPooled(network, static_cast<int>(layer));
  Cut cut;
  cut.wide = lattice.blocks == 2 ? 2 : 1;
  cut.rows = tasks >= 16384 && lattice.blocks > 2 ? 4 : tasks >= 1024 || inPairs ? 2 : 1;
  cut.rows = std::min(cut.rows, lattice.part.height);
  cut.split = tasks >= 4096 ? 1 : tasks >= 1024 ? 2 : 4;
  cut.groups = std::max(4U, 2 * cut.split);  // two columns of a workgroup are pooled
  return cut;
}

LayerNodes::LayerNodes(const Network& network, Size image, const native::Call& call,
                       const native::Builder& builder)
    : network_(network), image_(image), call_(call), builder_(builder) {
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    Made made;
    made.lattice = latticeOf(network, image, static_cast<int>(i));
    made.cut = cutOf(network, i, made.lattice);
    const uint64_t tasks =
        uint64_t{divided(made.lattice.part.height, made.cut.rows)} * made.lattice.part.width;
    const uint64_t perWorkgroup = made.cut.groups / made.cut.split;
    made.workgroups = workgroupsFor((tasks + perWorkgroup - 1) / perWorkgroup);
    made.firstTile = weights_.size() / tileHalves;
    made.firstBias = biases_.size() / 4;
    appendWeights(network, layer, paddingOf(made.cut), weights_);
    appendBiases(layer, paddingOf(made.cut), biases_);
    made_.push_back(made);
  }
}

std::string LayerNodes::sourcesText(const Layer& layer, Padding padding) const {
  std::string text, calls;
  uint32_t tile = 0;
  for (size_t i = 0; i < layer.sources.size(); ++i) {
    const Source& source = layer.sources[i];
    Lattice lattice = latticeOf(network_, image_, source.layer);
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

std::string LayerNodes::shaderText(size_t index) const {
  const Layer& layer = network_.layers[index];
  const Made& made = made_[index];
  const bool isLast = index + 1 == network_.layers.size();
  std::string text = arithmeticText(call_) + latticeText(made.lattice, made.workgroups);
  text += fmt::format(
      "const int outputBlocks = {};\nconst int firstLayerTile = {};\nconst int firstBias = {};\n"
      "const bool isRelu = {};\n#define ROWS {}\n#define WIDE {}\n#define SPLIT {}\n#define QUADS {}\n"
      "#define IS_POOLED {}\n#define IS_LAST {}\n",
      made.lattice.blocks, made.firstTile, made.firstBias, layer.relu, made.cut.rows, made.cut.wide,
      made.cut.split, divided(std::min(layer.channels, blockChannels), 4),
      isPooled(network_, static_cast<int>(index)) ? 1 : 0, isLast ? 1 : 0);
  if (isLast)
    text += transferText(network_);
  return text + sourcesText(layer, paddingOf(made.cut)) + "#include \"layer.glsl\"\n";
}

KernelNode LayerNodes::node(size_t index) const {
  const Layer& layer = network_.layers[index];
  const Made& made = made_[index];
  KernelNode node{.name = fmt::format("layer{}", index), .shader = shaderName(index)};
  if (index + 1 == network_.layers.size()) {
    node.inputs = {{"input", "input"}, {"albedo", "albedo"}};
    if (network_.exposure)
      node.inputs.emplace_back("exposure", "exposure.exposure");
    node.outputs = {{"output", R"(connector = "output")"}};
  } else {
    node.outputs = {{"output", halvesText(made.lattice.halves())}};
    if (isPooled(network_, static_cast<int>(index)))
      node.outputs.emplace_back("pooled", halvesText(made.lattice.pooled().halves()));
  }
  for (size_t i = 0; i < layer.sources.size(); ++i)
    node.inputs.emplace_back(fmt::format("source{}", i), outputOf(layer.sources[i]));
  node.inputs.emplace_back("weights", "upload.weights");
  node.inputs.emplace_back("packed", "weights.packed");
  node.inputs.emplace_back("bias", "upload.biases");
  node.outputs.push_back(
      arrayGridOf(divided(made.lattice.blocks, made.cut.wide) * made.workgroups.rows * made.cut.groups,
                  made.workgroups.columns * groupSize));
  node.kernel = kernelText(made.cut.groups);
  return node;
}

std::string LayerNodes::packWeights() const {
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

std::string LayerNodes::build() const {
  std::string text = packWeights();
  for (size_t i = 0; i < network_.layers.size(); ++i) {
    builder_.shader(shaderName(i), shaderText(i));
    text += textOf(node(i));
  }
  return text;
}

}  // namespace lacuna::unet
