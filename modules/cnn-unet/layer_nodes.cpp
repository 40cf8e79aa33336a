#include "cnn-unet/layer_nodes.h"

#include <algorithm>

#include "cnn-unet/packed_weights.h"

namespace lacuna::unet {
namespace {

constexpr uint32_t workgroup = 64;          // of layer.glsl
constexpr uint32_t pixelsAcross = 4;        // of an invocation there
constexpr uint32_t mostWorkgroups = 32768;  // along a side; devices allow 65535

// Workgroups that compute a block of outputs, in rows.
Size workgroupsOf(Size size) {
  const uint64_t groups = uint64_t{size.height} * ((size.width + pixelsAcross - 1) / pixelsAcross);
  const uint64_t all = (groups + workgroup - 1) / workgroup;
  const uint64_t rows = (all + mostWorkgroups - 1) / mostWorkgroups;
  return {static_cast<uint32_t>((all + rows - 1) / rows), static_cast<uint32_t>(rows)};
}

std::string shaderName(size_t layer) {
  return fmt::format("layer{}.glsl", layer);
}

}  // namespace

std::string transferText(const Network& network) {
  return fmt::format(
      "const float scale = {:e};\nconst float maximum = {:e};\nconst bool demodulates = {};\n"
      "const float leastAlbedo = {:e};\nfloat exposureOf() {{ return {}; }}\n",
      network.scale, network.maximum, network.leastAlbedo.has_value(), network.leastAlbedo.value_or(1.0),
      network.exposure ? "array_exposure.data[0]" : "1.0");
}

Size LayerNodes::sizeOf(int layer) const {
  const auto halvings = static_cast<uint32_t>(network_.halvingsOfLayer(layer));
  return {size_.width >> halvings, size_.height >> halvings};
}

// A function that reads a word of a source, as the layer's pixels see it.
std::string LayerNodes::readText(const Layer& layer, size_t source) const {
  const Source& from = layer.sources[source];
  const Size size = sizeOf(from.layer);
  std::string text = fmt::format(
      "vec2 word{0}(int block, int k, ivec2 p) {{\n"
      "  return unpackHalf2x16(words_source{0}.data[((block * {1} + p.y) * {2} + p.x) * 8 + k]);\n}}\n",
      source, size.height, size.width);
  text += fmt::format("vec2 read{0}(int block, int k, ivec2 p) {{ return ", source);
  if (from.scale == Scale::same)
    text += fmt::format("word{}(block, k, p)", source);
  else if (from.scale == Scale::twice)
    text += fmt::format("word{}(block, k, p / 2)", source);
  else
    text += fmt::format(
        "max(max(word{0}(block, k, 2 * p), word{0}(block, k, 2 * p + ivec2(1, 0))),\n"
        "    max(word{0}(block, k, 2 * p + ivec2(0, 1)), word{0}(block, k, 2 * p + 1)))",
        source);
  return text + "; }\n";
}

std::string LayerNodes::sourcesText(const Layer& layer) const {
  std::string functions, calls;
  uint32_t begin = 0;
  for (size_t i = 0; i < layer.sources.size(); ++i) {
    const uint32_t count = blocksOf(network_.channelsOfLayer(layer.sources[i].layer));
    functions += readText(layer, i);
    calls += fmt::format(" ADD_SOURCE(read{}, {}, {})", i, count, begin);
    begin += count;
  }
  return fmt::format("const int inputBlocks = {};\n{}#define ADD_SOURCES{}\n", begin, functions, calls);
}

std::string LayerNodes::shaderText(size_t index) const {
  const Layer& layer = network_.layers[index];
  const Size size = sizeOf(static_cast<int>(index));
  const Size workgroups = workgroupsOf(size);
  const uint32_t quads = (std::min(layer.channels, blockChannels) + 3) / 4;
  std::string text = fmt::format(
      "const int width = {};\nconst int height = {};\nconst int workgroupColumns = {};\n"
      "const int workgroupRows = {};\nconst bool isRelu = {};\n#define QUADS {}\n",
      size.width, size.height, workgroups.width, workgroups.height, layer.relu, quads);
  if (index + 1 == network_.layers.size())
    text += "#define IS_LAST\n" + transferText(network_);
  return text + sourcesText(layer) + "#include \"layer.glsl\"\n";
}

void LayerNodes::upload(size_t index) const {
  using namespace native;
  const Layer& layer = network_.layers[index];
  const std::vector<uint16_t> weights = packWeights(network_, layer);
  const std::vector<float> biases = packBiases(layer);
  builder_.upload(fmt::format("weights{}", index),
                  arrayType(lacuna_y, lacuna_f16, static_cast<uint32_t>(weights.size())), weights.data(),
                  2 * weights.size());
  builder_.upload(fmt::format("bias{}", index),
                  arrayType(lacuna_y, lacuna_f32, static_cast<uint32_t>(biases.size())), biases.data(),
                  4 * biases.size());
}

KernelNode LayerNodes::node(size_t index) const {
  const Layer& layer = network_.layers[index];
  const Size size = sizeOf(static_cast<int>(index));
  const Size workgroups = workgroupsOf(size);
  const bool isLast = index + 1 == network_.layers.size();
  KernelNode node{.name = fmt::format("layer{}", index), .shader = shaderName(index)};
  if (isLast) {
    node.inputs = {{"input", "input"}, {"albedo", "albedo"}};
    if (network_.exposure)
      node.inputs.emplace_back("exposure", "exposure.exposure");
    node.outputs = {{"output", R"(connector = "output")"}};
  } else {
    const uint64_t pixels = uint64_t{size.width} * size.height;
    node.outputs = {
        {"output", fmt::format(R"(channels = "y", format = "f16", colour = "data", shape = [{}, {}, {}])",
                               blocksOf(layer.channels), pixels, blockChannels)}};
  }
  for (size_t i = 0; i < layer.sources.size(); ++i) {
    const int from = layer.sources[i].layer;
    node.inputs.emplace_back(fmt::format("source{}", i),
                             from == inputLayer ? features_ : fmt::format("layer{}.output", from));
  }
  node.inputs.emplace_back("weights", fmt::format("upload.weights{}", index));
  node.inputs.emplace_back("bias", fmt::format("upload.bias{}", index));
  const uint64_t outputBlocks = blocksOf(layer.channels);
  node.outputs.push_back(
      arrayGridOf(outputBlocks * workgroups.height, uint64_t{workgroups.width} * workgroup));
  node.kernel = fmt::format("workgroup = [{}, 1]\nextent_of = \"grid\"", workgroup);
  return node;
}

std::string LayerNodes::build() const {
  std::string text;
  for (size_t i = 0; i < network_.layers.size(); ++i) {
    builder_.shader(shaderName(i), shaderText(i));
    upload(i);
    text += textOf(node(i));
  }
  return text;
}

}  // namespace lacuna::unet
