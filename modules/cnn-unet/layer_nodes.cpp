#include "cnn-unet/layer_nodes.h"

#include <algorithm>

#include "graph/lists.h"

namespace lacuna::unet {
namespace {

// The last layer's results.
std::string sumsText(const Network& network, Size size) {
  return tileText("f32", uint64_t{4} * resultQuads(network.layers.back()) * size.width * size.height);
}

// The colours that are mixed with the network's own.
std::string mixText(const Network& network) {
  std::string text;
  for (size_t i = 0; i < network.mix.size(); ++i) {
    const size_t result = colourResults + i;
    const Mixed mixed = network.mix[i];
    text += fmt::format(" add(m, results[{}][{}], {});", result / 4, result % 4,
                        mixed == Mixed::warped ? std::string("load_warped(p)")
                        : mixed == Mixed::relit
                            ? std::string("vec4(load_relit(p).rgb, load_warped(p).a)")
                            : fmt::format("vec4(encode(exposureOf() * cleanColour(load_{}(p).rgb)), 1.0)",
                                          mixed == Mixed::filtered ? "filtered" : "input"));
  }
  return text.empty() ? text : "#define MIX" + text + "\n";
}

}  // namespace

std::string arithmeticText(const native::Call& call) {
  std::string word = call.word("arithmetic");
  std::ranges::transform(word, word.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return fmt::format("#define ARITHMETIC ARITHMETIC_{}\n", word);
}

std::string transferText(const Network& network) {
  return fmt::format(
      "#define CURVE {}\nconst bool isOidn = {};\nconst float scale = {:e};\nconst float maximum = "
      "{:e};\nconst bool demodulates = {};\n"
      "const float leastAlbedo = {:e};\nfloat exposureOf() {{ return {}; }}\n",
      static_cast<int>(network.curve), network.isOidn(), network.scale, network.maximum,
      network.leastAlbedo.has_value(), network.leastAlbedo.value_or(1.0),
      network.exposure       ? "array_exposure.data[0]"
      : network.isOfMosaic() ? "1.0 / array_sensor.data[1]"
                             : "1.0");
}

LayerKind layerKind(const native::Call& call) {
  return call.word("layers") == "simple" ? LayerKind::simple : LayerKind::fused;
}

Cells cellsOf(const native::Call& call) {
  return {call.word("arithmetic") == "float"};
}

LayerNodes::LayerNodes(const Network& network, Size whole, Size size, const native::Call& call,
                       const native::Builder& builder)
    : network_(network),
      size_(size),
      call_(call),
      builder_(builder),
      kind_(layerKind(call)),
      cells_(cellsOf(call)) {
  uint64_t tiles = 0, blocks = 0;
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    const Cut cut = cutOf(network, i, latticeOf(network, whole, static_cast<int>(i)), kind_);
    packed_.push_back({cut, tiles, blocks * blockChannels / 4});
    tiles += uint64_t{blocksOf(layer.channels)} * inputTiles(network, layer, cut.padding());
    blocks += blocksOf(layer.channels);
  }
}

std::vector<Read> LayerNodes::readsOf(size_t layer) const {
  std::vector<Read> reads;
  for (const Source& source : network_.layers[layer].sources)
    reads.push_back(readOf(network_, source, size_));
  return reads;
}

std::string LayerNodes::sourcesText(const std::vector<Read>& reads) const {
  std::string calls;
  for (size_t i = 0; i < reads.size(); ++i)
    calls += fmt::format(
        " {0}(quads_source{1}.data, words_source{1}.data, blocks{1}, pitch{1}, place{1}, firstTile{1})",
        reads[i].isUpsampled ? "ADD_UPSAMPLED" : "ADD_SAME", i);
  return placesText(reads, cells_) + "#define ADD_SOURCES" + calls + "\n";
}

Numbers LayerNodes::numbers(size_t index, const std::vector<Read>& reads) const {
  const Layer& layer = network_.layers[index];
  const Packed& packed = packed_[index];
  const Padding padding = packed.cut.padding();
  const Lattice lattice = latticeAt(index);
  Numbers numbers = latticeNumbers(lattice);
  numbers.add("outputBlocks", lattice.blocks);
  numbers.add("firstLayerTile", packed.firstTile);
  numbers.add("firstBias", packed.firstBias);
  numbers.add("inputTiles", inputTiles(network_, layer, padding));
  addPlaces(numbers, reads, cells_);
  uint32_t tile = 0;
  for (size_t i = 0; i < reads.size(); ++i) {
    numbers.add(fmt::format("firstTile{}", i), tile);
    tile += sourceTiles(network_, layer.sources[i], padding);
  }
  if (isLast(index)) {
    numbers.add("outputWidth", size_.width);
    numbers.add("outputHeight", size_.height);
  }
  return numbers;
}

std::string LayerNodes::shaderText(size_t index, const std::vector<Read>& reads, const Cut& cut) const {
  const Layer& layer = network_.layers[index];
  return arithmeticText(call_) + numbers(index, reads).text() +
         fmt::format(
             "const bool isRelu = {};\n{}#define SPLIT {}\n#define QUADS {}\n"
             "#define IS_POOLED {}\n#define IS_LAST {}\n#define IS_SIMPLE {}\n",
             layer.relu,
             cut.rows == 0 ? std::string()
                           : fmt::format("#define ROWS {}\n#define WIDE {}\n", cut.rows, cut.wide),
             cut.split, resultQuads(layer), pools(index) ? 1 : 0, isLast(index) ? 1 : 0,
             kind_ == LayerKind::simple ? 1 : 0) +
         sourcesText(reads) + "#include \"layer.glsl\"\n";
}

KernelNode LayerNodes::node(size_t index, const std::vector<Read>& reads) const {
  const Lattice lattice = latticeAt(index);
  const Cut cut = cutAt(index);
  const Workgroups workgroups = workgroupsFor(tasksOf(cut, lattice, cut.groups / cut.split));
  const std::string name = fmt::format("layer{}", index);
  KernelNode node{.name = name, .shader = name + ".glsl", .inputs = inputsFor(reads)};
  if (isLast(index)) {
    node.outputs = {{"output", sumsText(network_, size_)}};
  } else {
    node.outputs = {{"output", tileText(cells_.format(), lattice.values())}};
    if (pools(index))
      node.outputs.emplace_back("pooled", tileText(cells_.format(), lattice.pooled().values()));
  }
  node.inputs.emplace_back("weights", "upload.weights");
  node.inputs.emplace_back("packed", "weights.packed");
  node.inputs.emplace_back("bias", "upload.biases");
  connectNumbers(numbers(index, reads), builder_, node);
  node.kernel =
      kernelText(cells_, cut.groups, divided(lattice.blocks, cut.wide) * workgroups.rows, workgroups.columns);
  node.footprint = "local";
  return node;
}

std::string LayerNodes::weights() const {
  std::vector<float> weights, biases;
  for (size_t i = 0; i < network_.layers.size(); ++i) {
    appendWeights(network_, network_.layers[i], packed_[i].cut.padding(), weights);
    appendBiases(network_.layers[i], biases);
  }
  const uint64_t tiles = weights.size() / tileValues;
  constexpr uint32_t groupSize = 32;
  const auto upload = [&](lacuna_format format, const auto& values) {
    builder_.upload("weights", native::arrayType(lacuna_y, format, static_cast<uint32_t>(values.size())),
                    values.data(), sizeof(values[0]) * values.size());
  };
  if (cells_.areFloats)
    upload(lacuna_f32, weights);
  else
    upload(lacuna_f16, halvesOf(weights));
  builder_.upload("biases", native::arrayType(lacuna_y, lacuna_f32, static_cast<uint32_t>(biases.size())),
                  biases.data(), 4 * biases.size());
  builder_.shader("weights_of.glsl", arithmeticText(call_) + fmt::format("const int tiles = {};\n", tiles) +
                                         "#include \"weights.glsl\"\n");
  return textOf(
      {.name = "weights",
       .shader = "weights_of.glsl",
       .inputs = {{"weights", "upload.weights"}},
       .outputs = {{"packed", fmt::format(R"(channels = "y", format = "f16", colour = "data", array = {})",
                                          weights.size())}},
       .kernel = "matrix = true" + invocationsText(tiles, groupSize)});
}

// What CPU devices do for a layer: arithmetic, and loads by invocations. A cell takes as long as two words.
std::string LayerNodes::costText(size_t index, bool inLanes) const {
  const Layer& layer = network_.layers[index];
  const Lattice lattice = latticeAt(index);
  constexpr uint64_t rows = 4, cell = 2;
  const uint64_t tasks = divided(lattice.part.height, rows) * lattice.part.width * lattice.blocks;
  uint64_t products = 0, loads = 0;  // of a task
  for (const Source& source : layer.sources) {
    const bool isUpsampled = source.scale == Scale::twice;
    const uint64_t columns = isUpsampled ? 2 : 3, tiles = isUpsampled ? 4 : 3, taps = isUpsampled ? 2 : 3;
    const uint64_t words = isUpsampled ? 4 : 6, blocks = blocksOf(network_.channelsOfLayer(source.layer));
    products += blocks * columns * taps * rows * 16 * fragmentValues;
    // By 8 invocations for four channels, or by 32, half of which idle, for two.
    loads +=
        blocks * columns *
        (inLanes ? 8 * 4 * (4 * words + tiles * cell) : 32 * 8 * (words + tiles * resultQuads(layer) * cell));
  }
  return fmt::format("cost = {{ operations = \"{}\", loads = \"{}\" }}\n", 2 * tasks * products,
                     tasks * loads);
}

// `file`: the shader. `keys`: further ones.
std::string LayerNodes::variantText(const char* name, const KernelNode& node, const std::string& file,
                                    const std::string& keys) const {
  return fmt::format("[[variant]]\nname = \"{}\"\nnodes = [\"{}\"]\nshader = \"{}\"\nmatrix = true\n{}", name,
                     node.name, file, keys);
}

std::string LayerNodes::lanesText(size_t index, const std::vector<Read>& reads,
                                  const KernelNode& node) const {
  constexpr uint32_t lanes = 8, subgroups = 4;
  const Cut cut{.rows = 4};
  const Lattice lattice = latticeAt(index);
  const uint32_t columns = subgroups * (pools(index) ? 2 : 1);
  const Workgroups workgroups = workgroupsFor(tasksOf(cut, lattice, columns));
  const std::string shader = node.name + "_lanes.glsl";
  builder_.shader(shader, fmt::format("#define LANES {}\n", lanes) + shaderText(index, reads, cut));
  return variantText(
      "lanes", node, shader,
      fmt::format("workgroups = [[{}, 1]]\ngroups = [\"{}\", \"{}\"]\nsubgroup = {}\n{}", lanes * subgroups,
                  workgroups.columns, workgroups.rows * lattice.blocks, lanes, costText(index, true)));
}

// Other rows, blocks and groups than `rows` for devices with matrices. The split stays: it would change the
// order of sums, which tiles and the whole picture must share. Cuts that were the best for no layer are left
// out (README.md).
std::string LayerNodes::matricesText(size_t index, const std::vector<Read>& reads,
                                     const KernelNode& node) const {
  const Lattice lattice = latticeAt(index);
  Cut cut = cutAt(index);
  const uint32_t split = cut.split;
  const auto list = [](uint32_t first, const std::vector<uint32_t>& values, uint32_t most) {
    std::string text = std::to_string(first);
    for (const uint32_t value : values)
      if (value != first && value <= most)
        text += fmt::format(", {}", value);
    return text;
  };
  std::string workgroups = fmt::format("[32, {}]", cut.groups);
  for (const uint32_t groups : {2 * split, 4 * split})
    if (groups != cut.groups && groups <= 8)
      workgroups += fmt::format(", [32, {}]", groups);
  std::vector<uint32_t> rows = {2, 4}, wide = {1};
  if (lattice.fragments() * lattice.blocks < 16384)
    rows.push_back(1);
  if (split == 1)
    wide = {1, 2, 3};
  const std::string count = fmt::format("(({} + ROWS - 1) / ROWS * {} + height / {} - 1) / (height / {})",
                                        lattice.part.height, lattice.part.width, split, split);
  const std::string down = fmt::format("({} + 32767) / 32768", count);
  const std::string keys = fmt::format(
      "workgroups = [{}]\nconstants = {{ ROWS = [{}], WIDE = [{}] }}\ngroups = [\"({} + {} - 1) / ({})\", "
      "\"({}) * "
      "(({} + WIDE - 1) / WIDE)\"]\nwhole = [\"9 - ROWS * WIDE\"{}]\nshared = \"16 * (height / {} * ROWS * "
      "WIDE * 64 * {} + height * 32)\"\ndevice = \"none\"\n",
      workgroups, list(cut.rows, rows, lattice.part.height), list(cut.wide, wide, lattice.blocks), count,
      down, down, down, lattice.blocks, isInPairs(network_, index, kind_) ? ", \"ROWS / 2\"" : "", split,
      std::max(1U, split - 1));
  // Fragments that a group loads for its rows, and that its workgroup does for its columns; 128 words each.
  uint64_t sames = 0, upsampled = 0;  // blocks of a part
  for (const Read& read : reads)
    (read.isUpsampled ? upsampled : sames) += divided(read.lattice.blocks, split);
  const std::string cost = fmt::format(
      "cost = {{ operations = \"20736 * workgroups * height * ROWS * WIDE\", loads = \"workgroups * (128 * "
      "height * "
      "(ROWS * {} + {}) + 64 * ((height + {}) * (ROWS + 2) * {} + (height / 2 + {}) * (ROWS / 2 + 2) * "
      "{}))\", products = "
      "\"workgroups * height * ROWS * WIDE * {}\", registers = \"8 * (ROWS * WIDE + 1) + 4 * ROWS + 12 * "
      "WIDE\" }}\n",
      3 * sames + upsampled, 6 * sames + 4 * upsampled, 2 * split, sames, 2 * split, upsampled,
      9 * sames + 4 * upsampled);
  const std::string shader = node.name + "_matrices.glsl";
  cut.rows = cut.wide = 0;  // the schedule's
  builder_.shader(shader, shaderText(index, reads, cut));
  return variantText("matrices", node, shader, keys + cost);
}

std::string LayerNodes::variantsText(size_t index, const std::vector<Read>& reads,
                                     const KernelNode& node) const {
  const std::string word = call_.word("arithmetic");
  if (kind_ != LayerKind::fused || cells_.areFloats)
    return {};
  const Cut cut = cutAt(index);
  // `lanes` first: of layers so small that only their bytes count, both take as long.
  return (word == "matrices" ? std::string() : lanesText(index, reads, node)) +
         variantText("rows", node, node.shader,
                     fmt::format("workgroups = [[{}, {}]]\n{}", cells_.perFragment(), cut.groups,
                                 costText(index, false))) +
         (word == "plain" ? std::string() : matricesText(index, reads, node));
}

std::string LayerNodes::layerText(size_t layer, const std::vector<Read>& reads) const {
  const KernelNode made = node(layer, reads);
  builder_.shader(made.shader, shaderText(layer, reads, cutAt(layer)));
  return textOf(made) + variantsText(layer, reads, made);
}

std::string LayerNodes::build() const {
  std::string text;
  for (size_t i = 0; i < network_.layers.size(); ++i)
    text += layerText(i, readsOf(i));
  return text;
}

std::string LayerNodes::finish() const {
  const uint32_t side = network_.cellSide();
  KernelNode node{.name = "finish",
                  .shader = "finish_of.glsl",
                  .inputs = {{"input", "input"},
                             {"albedo", "albedo"},
                             {"sums", fmt::format("layer{}.output", network_.layers.size() - 1)}},
                  .outputs = {{"output", network_.isOfMosaic() ? R"(channels = "rgba", connector = "output")"
                                                               : R"(connector = "output")"}},
                  .footprint = fmt::format("halo({}, {})", side * network_.reach() + side - 1,
                                           side * multipleOf(network_))};
  if (network_.exposure)
    node.inputs.emplace_back("exposure", "exposure.exposure");
  if (network_.isOfMosaic())
    node.inputs.emplace_back("sensor", "sensor");
  if (network_.history)
    for (const char* name : {"warped", "relit"})
      node.inputs.emplace_back(name, fmt::format("past.{}", name));
  if (contains(network_.input, Plane::filtered))
    node.inputs.emplace_back("filtered", "filtered");
  builder_.shader(node.shader, transferText(network_) + mixText(network_) +
                                   fmt::format("const int resultQuads = {};\nconst int sumsWidth = {};\n"
                                               "{}#include \"finish.glsl\"\n",
                                               resultQuads(network_.layers.back()), size_.width,
                                               side > 1 ? "#include \"photograph_base.glsl\"\n" : ""));
  return textOf(node);
}

Read readOf(const Network& network, const Source& source, Size size) {
  Read read;
  read.lattice = latticeOf(network, size, source.layer);
  read.isUpsampled = source.scale == Scale::twice;
  const bool isHalf = source.scale == Scale::half;
  if (isHalf)
    read.lattice = read.lattice.pooled();
  if (source.layer == inputLayer)
    read.output = isHalf ? "features_pooled.output" : "features.output";
  else
    read.output = fmt::format("layer{}.{}", source.layer, isHalf ? "pooled" : "output");
  return read;
}

std::vector<std::pair<std::string, std::string>> inputsFor(const std::vector<Read>& reads) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (size_t i = 0; i < reads.size(); ++i)
    inputs.emplace_back(fmt::format("source{}", i), reads[i].output);
  return inputs;
}

void addPlaces(Numbers& numbers, const std::vector<Read>& reads, Cells cells) {
  for (size_t i = 0; i < reads.size(); ++i) {
    numbers.add(fmt::format("blocks{}", i), reads[i].lattice.blocks);
    numbers.add(fmt::format("pitch{}", i), (reads[i].lattice.part.width + 2) * cells.perFragment());
    numbers.add(fmt::format("rows{}", i), reads[i].lattice.part.height + 2);
  }
}

std::string placesText(const std::vector<Read>& reads, Cells cells) {
  std::string text;
  for (size_t i = 0; i < reads.size(); ++i)
    text += fmt::format(
        "int place{0}(int block, int row, int column) {{\n"
        "  return (block * rows{0} + row + 1) * pitch{0} + (column + 1) * {1};\n}}\n",
        i, cells.perFragment());
  return text;
}

void connectNumbers(const Numbers& numbers, const native::Builder& builder, KernelNode& node) {
  const std::vector<int32_t> values = numbers.values();
  const std::string name = node.name + "_numbers";
  builder.upload(name, native::arrayType(lacuna_y, lacuna_f32, static_cast<uint32_t>(values.size())),
                 values.data(), 4 * values.size());
  node.inputs.emplace_back("numbers", "upload." + name);
}

}  // namespace lacuna::unet
