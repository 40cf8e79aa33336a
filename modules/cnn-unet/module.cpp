// Reads the weights, and builds the network that they describe: the exposure, the input's features, a kernel
// for each layer.

#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "cnn-unet/find_weights.h"
#include "cnn-unet/host_layers.h"
#include "cnn-unet/layer_nodes.h"
#include "cnn-unet/past_nodes.h"
#include "graph/lists.h"

namespace {

using namespace lacuna::native;
using namespace lacuna::unet;

constexpr const char* oneNumber = R"(channels = "y", format = "f32", colour = "data", array = 1)";

void checkSizes(const Call& call, const Planes& inputs) {
  const lacuna_type& input = *inputs[0].type;
  std::vector<std::string> mistakes;
  for (uint32_t i = 1; i < inputs.size(); ++i)
    if (inputs[i].type->count == 0 &&
        (inputs[i].type->width != input.width || inputs[i].type->height != input.height))
      mistakes.push_back(fmt::format("'{}' has {} x {} pixels, but 'input' has {} x {}", inputs[i].name,
                                     inputs[i].type->width, inputs[i].type->height, input.width,
                                     input.height));
  if (!mistakes.empty())
    throw Error(fmt::format("{}: {}", call.instance(), fmt::join(mistakes, "; ")));
}

// The column and row of red in a Bayer pattern.
Size redOf(const Call& call, const lacuna_type& input) {
  const std::string pattern = patternOf(input);
  if (pattern.size() != 4 || pattern == "none")
    throw Error(
        fmt::format("{}: 'input' is a mosaic {}, but networks are for Bayer patterns (rggb, grbg, gbrg, "
                    "bggr); connect rawprep's output to demosaic, and to eaw behind it",
                    call.instance(), pattern == "none" ? "without colours" : "of 6x6 colours"));
  const auto at = static_cast<uint32_t>(pattern.find('r'));
  return {at % 2, at / 2};
}

class Unet {
 public:
  Unet(const Network& network, const lacuna_type& input, Size red, const Call& call, const Builder& builder)
      : network_(network),
        call_(call),
        builder_(builder),
        cells_(cellsOf(call)),
        image_{input.width, input.height},
        size_(networkSize(network, image_, red)),
        red_(red) {
    std::tie(whole_.width, whole_.height) = call.wholeExtent(input);
  }

  void build() {
    if (network_.exposure || has(Plane::depth))
      exposure(network_.exposure.value_or(ExposureSettings{}));
    if (network_.history)
      nodes_ += pastNodes(network_, builder_);
    const LayerNodes layers(network_, networkSize(network_, whole_, red_), size_, call_, builder_);
    const std::string arithmetic = call_.word("arithmetic");
    const bool isOnHost = arithmetic == "host";
    if (!isOnHost) {
      nodes_ += layers.weights();
      features("features", 1);
      if (isPooled(network_, inputLayer))
        features("features_pooled", 2);
      nodes_ += layers.build();
    }
    if (isOnHost || (arithmetic == "auto" && layerKind(call_) == LayerKind::fused && canComputeOnHost()))
      hostNode(isOnHost);
    nodes_ += layers.finish();
    builder_.nodes(nodes_);
  }

 private:
  bool has(Plane plane) const { return lacuna::contains(network_.input, plane); }

  void exposure(const ExposureSettings& settings) {
    const auto blocksIn = [&](uint32_t side) { return divided(side, settings.block); };
    const uint64_t across = blocksIn(whole_.width), count = across * blocksIn(whole_.height);
    constexpr uint32_t side = 8;  // of a workgroup
    const bool isOidn = network_.isOidn();
    builder_.shader(
        "means_of.glsl",
        fmt::format("const int block = {};\nconst uvec2 blocks = uvec2({}, {});\n"
                    "const uvec2 size = uvec2({}, {});\n#define HAS_EQUAL_BLOCKS {}\n"
                    "const vec3 luminance = vec3({});\n#include \"means.glsl\"\n",
                    settings.block, across, count / across, whole_.width, whole_.height, isOidn ? 1 : 0,
                    isOidn ? "0.212671, 0.715160, 0.072169" : "0.2126, 0.7152, 0.0722"));
    // One more, where blocks of equal size are smaller.
    const auto groupsIn = [&](uint32_t length) { return side * (blocksIn(length) + (isOidn ? 1 : 0)); };
    nodes_ += textOf(
        {.name = "means",
         .shader = "means_of.glsl",
         .inputs = {{"input", "input"}, {"depth", "depth"}},
         .outputs = {{"sums", fmt::format(R"(channels = "any2", format = "f32", colour = "data", array = {})",
                                          count)}},
         .kernel = "workgroup = [8, 8]" + invocationsText(groupsIn(image_.height), groupsIn(image_.width)),
         .footprint = fmt::format("halo({}, {})", divided(settings.block, 2), settings.block)});
    builder_.shader(
        "exposure_of.glsl",
        fmt::format("const int blocks = {};\nconst float pixels = {:e};\nconst float key = {:e};\n"
                    "const float least = {:e};\n#include \"exposure.glsl\"\n",
                    count, double(whole_.width) * whole_.height, settings.key, settings.least));
    nodes_ += textOf({.name = "exposure",
                      .shader = "exposure_of.glsl",
                      .inputs = {{"sums", "means.sums"}},
                      .outputs = {{"exposure", oneNumber}, {"nearness", oneNumber}},
                      .kernel = "workgroup = [16, 16]" + invocationsText(16, 16)});
  }

  std::string fillText() const {
    std::string text;
    uint32_t channel = 0;
    const auto addFrom = [&](const std::string& value, uint32_t channels) {
      for (uint32_t c = 0; c < channels; ++c)
        text += fmt::format(" of[{}] = {}{};", channel++, value,
                            channels == 1 ? std::string() : fmt::format("[{}]", c));
    };
    const auto add = [&](const std::string& part, uint32_t channels) { addFrom(part + "At(p)", channels); };
    if (network_.isOfPhotographs())
      text = " float values[cellValues], sigmas[cellValues]; readCell(position, values, sigmas);";
    for (const Plane plane : network_.input) {
      if (network_.isOfPhotographs()) {
        addFrom(plane == Plane::sigma ? "sigmas" : "values", network_.channelsOf(plane));
        continue;
      }
      add(nameOf(plane), std::min(network_.channelsOf(plane), colourResults));
      if (plane == Plane::accumulated)
        add("doubt", 2);
      if (plane == Plane::warped) {
        add("relit", 3);
        add("valid", 1);
      }
    }
    for (; channel < blockChannels * blocksOf(network_.inputChannels()); ++channel)
      text += fmt::format(" of[{}] = 0.0;", channel);
    return text;
  }

  // All layers; alone, or for devices whose cores are the machine's.
  void hostNode(bool isAlone) {
    const HostLayers layers = hostLayersOf(network_, size_);
    const auto upload = [&](const std::string& name, lacuna_format format, const auto& values) {
      builder_.upload(name, arrayType(lacuna_y, format, static_cast<uint32_t>(values.size())), values.data(),
                      4 * values.size());
    };
    upload("host_numbers", lacuna_u32, numbersOf(layers));
    upload("host_weights", lacuna_f32, weightsOf(layers));
    Numbers numbers;
    numbers.add("width", layers.extended.width);
    numbers.add("height", layers.extended.height);
    numbers.add("inputWidth", image_.width);
    numbers.add("inputHeight", image_.height);
    KernelNode features =
        featuresNode("features_host", numbers, "features_host.glsl", blocksOf(layers.inputChannels),
                     fmt::format("const int channels = {};\n", layers.inputChannels));
    features.outputs = {{"output", tileText("f32", uint64_t{layers.extended.width} * layers.extended.height *
                                                       layers.inputChannels)}};
    features.kernel = "matrix = true" + invocationsText(layers.extended);
    nodes_ += textOf(features);
    const std::string last = fmt::format("layer{}", network_.layers.size() - 1);
    nodes_ += fmt::format(
        "\n[[node]]\nname = \"{}\"\nkind = \"host\"\n{}footprint = \"local\"\ninputs = [\n"
        "  {{ name = \"features\", source = \"features_host.output\" }},\n"
        "  {{ name = \"numbers\", source = \"upload.host_numbers\" }},\n"
        "  {{ name = \"weights\", source = \"upload.host_weights\" }},\n]\noutputs = [{{ name = \"output\", "
        "{} }}]\n",
        isAlone ? last : "network", isAlone ? std::string() : fmt::format("replaces = \"{}\"\n", last),
        tileText("f32", uint64_t{layers.resultFloats} * size_.width * size_.height));
  }

  // pool: pixels along a side that become one.
  void features(const std::string& name, int pool) {
    const uint32_t perGroup = cells_.perPixel(), groups = 16 / perGroup;  // of features.glsl
    Lattice lattice = latticeOf(network_, size_, inputLayer);
    if (pool == 2)
      lattice = lattice.pooled();
    const uint64_t fragments = lattice.fragments();
    const Workgroups workgroups = workgroupsFor(divided(fragments, groups * perGroup));
    Numbers numbers = latticeNumbers(lattice);
    numbers.add("inputWidth", image_.width);
    numbers.add("inputHeight", image_.height);
    KernelNode node =
        featuresNode(name, numbers, "features.glsl", lattice.blocks, fmt::format("#define POOL {}\n", pool));
    node.outputs = {{"output", tileText(cells_.format(), lattice.values())}};
    node.kernel = kernelText(cells_, groups, workgroups.rows, workgroups.columns);
    nodes_ += textOf(node);
  }

  // Without outputs.
  KernelNode featuresNode(const std::string& name, const Numbers& numbers, const std::string& file,
                          uint32_t blocks, const std::string& more) {
    builder_.shader(
        name + "_of.glsl",
        arithmeticText(call_) + numbers.text() + transferText(network_) +
            fmt::format(
                "const int blocks = {};\n{}#define HAS_PAST {}\n#define HAS_FILTERED {}\n#define FILL{}\n"
                "{}#include \"{}\"\n",
                blocks, more, network_.history ? 1 : 0, has(Plane::filtered) ? 1 : 0, fillText(),
                network_.isOfPhotographs() ? "#include \"photograph_features.glsl\"\n" : "", file));
    KernelNode node{
        .name = name, .shader = name + "_of.glsl", .inputs = {{"input", "input"}}, .footprint = "local"};
    for (const Plane plane : {Plane::albedo, Plane::normal, Plane::depth})
      node.inputs.emplace_back(nameOf(plane), nameOf(plane));
    if (network_.history)
      for (const char* part : {"accumulated", "warped", "relit"})
        node.inputs.emplace_back(part, fmt::format("past.{}", part));
    if (has(Plane::filtered))
      node.inputs.emplace_back("filtered", "filtered");
    if (network_.exposure)
      node.inputs.emplace_back("exposure", "exposure.exposure");
    if (network_.isOfPhotographs()) {
      const char* noise = network_.isOfMosaic() ? "sensor" : "noise";
      node.inputs.emplace_back(noise, noise);
    }
    if (has(Plane::depth))
      node.inputs.emplace_back("nearness", "exposure.nearness");
    connectNumbers(numbers, builder_, node);
    return node;
  }

  const Network& network_;
  const Call& call_;
  const Builder& builder_;
  const Cells cells_;
  Size image_, whole_;  // of the inputs: a tile's, or the picture's
  Size size_;           // of image_, in the network's pixels
  Size red_;            // its column and row in a mosaic's pattern
  std::string nodes_;
};

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  checkSizes(call, inputs);
  const lacuna_type& input = *inputs[0].type;
  const Size red = input.channels == lacuna_mosaic ? redOf(call, input) : Size{};
  const Network network = networkFor(call, inputs);
  if (input.channels == lacuna_normal && network.curve != Curve::signedUnit)
    throw Error(fmt::format("{}: 'input' is normals, but the weights are for colours; expected weights that "
                            "filter normals, such as Open Image Denoise's rt_nrm.tza",
                            call.instance()),
                "weights");
  const bool isOnHost = call.word("arithmetic") == "host";
  if ((cellsOf(call).areFloats || isOnHost) && layerKind(call) != LayerKind::fused)
    throw Error(fmt::format("{}: arithmetic:{} is for layers:fused, but 'layers' is {}", call.instance(),
                            call.word("arithmetic"), call.word("layers")),
                "arithmetic");
  if (isOnHost && !canComputeOnHost())
    throw Error(fmt::format("{}: arithmetic:host needs oneDNN, which this build doesn't have; install "
                            "libdnnl-dev and build again, or leave it at auto",
                            call.instance()),
                "arithmetic");
  Unet(network, input, red, call, builder).build();
}

}  // namespace

LACUNA_MODULE(Table("cnn-unet").build<build>().compute<computeNetwork>())
