// Reads the weights, and builds what the network they describe consists of: the exposure, the input's
// features, a kernel for each layer.

#include <fmt/ranges.h>

#include <algorithm>

#include "cnn-unet/find_weights.h"
#include "cnn-unet/layer_nodes.h"

namespace {

using namespace lacuna::native;
using namespace lacuna::unet;

constexpr const char* oneNumber = R"(channels = "y", format = "f32", colour = "data", array = 1)";

void checkSizes(const Call& call, const Planes& inputs) {
  const lacuna_type& input = *inputs[0].type;
  std::vector<std::string> mistakes;
  for (uint32_t i = 1; i < inputs.size(); ++i)
    if (inputs[i].type->width != input.width || inputs[i].type->height != input.height)
      mistakes.push_back(fmt::format("'{}' has {} x {} pixels, but 'input' has {} x {}", inputs[i].name,
                                     inputs[i].type->width, inputs[i].type->height, input.width,
                                     input.height));
  if (!mistakes.empty())
    throw Error(fmt::format("{}: {}", call.instance(), fmt::join(mistakes, "; ")));
}

std::string reduceText(const char* name, const char* shader, const char* source, const char* value) {
  return fmt::format(
      "\n[[node]]\nname = \"{0}\"\nkind = \"reduce\"\nshader = \"{1}\"\ninputs = [{{ {2} }}]\n"
      "outputs = [{{ name = \"{0}\", {3} }}]\n[node.reduce]\nvalue = \"{4}\"\n",
      name, shader, source, oneNumber, value);
}

class Unet {
 public:
  Unet(const Network& network, const lacuna_type& input, const Builder& builder)
      : network_(network), builder_(builder), image_{input.width, input.height} {
    const uint32_t multiple = 1U << static_cast<uint32_t>(network.mostHalvings());
    size_ = {(image_.width + multiple - 1) / multiple * multiple,
             (image_.height + multiple - 1) / multiple * multiple};
  }

  void build() {
    if (network_.exposure)
      exposure(*network_.exposure);
    if (has(Plane::depth))
      nodes_ += reduceText("nearness", "nearness.glsl", R"(name = "depth", source = "depth")", "float");
    features();
    nodes_ += LayerNodes(network_, size_, "features.output", builder_).build();
    builder_.nodes(nodes_);
  }

 private:
  bool has(Plane plane) const {
    return std::find(network_.input.begin(), network_.input.end(), plane) != network_.input.end();
  }

  void exposure(const ExposureSettings& settings) {
    const Size blocks = {(image_.width + settings.block - 1) / settings.block,
                         (image_.height + settings.block - 1) / settings.block};
    builder_.shader("means.glsl",
                    fmt::format("const int block = {};\n#include \"block_means.glsl\"\n", settings.block));
    nodes_ += textOf(
        {.name = "means",
         .shader = "means.glsl",
         .inputs = {{"input", "input"}},
         .outputs = {{"mean", R"(channels = "y", format = "f32", colour = "data", )" + extentText(blocks)}}});
    builder_.shader("exposure_of.glsl", fmt::format("const float key = {:e};\nconst float least = {:e};\n"
                                                    "#include \"exposure.glsl\"\n",
                                                    settings.key, settings.least));
    nodes_ += reduceText("exposure", "exposure_of.glsl", R"(name = "mean", source = "means.mean")", "vec2");
  }

  std::string fillText() const {
    std::string text;
    uint32_t channel = 0;
    for (const Plane plane : network_.input) {
      for (uint32_t c = 0; c < channelsOf(plane); ++c)
        text += fmt::format(" v[{}] = {}At(p){};", channel++, nameOf(plane),
                            channelsOf(plane) == 1 ? std::string() : fmt::format("[{}]", c));
    }
    for (; channel < blockChannels; ++channel)
      text += fmt::format(" v[{}] = 0.0;", channel);
    return text;
  }

  void features() {
    builder_.shader(
        "input.glsl",
        transferText(network_) + fmt::format("const int width = {};\nconst int height = {};\n#define FILL{}\n"
                                             "#include \"features.glsl\"\n",
                                             size_.width, size_.height, fillText()));
    KernelNode node{
        .name = "features",
        .shader = "input.glsl",
        .inputs = {{"input", "input"}},
        .outputs = {{"output",
                     fmt::format(R"(channels = "y", format = "f16", colour = "data", shape = [1, {}, {}])",
                                 uint64_t{size_.width} * size_.height, blockChannels)},
                    arrayGridOf(size_.height, size_.width)},
        .kernel = "workgroup = [32, 4]\nextent_of = \"grid\""};
    for (const Plane plane : {Plane::albedo, Plane::normal, Plane::depth})
      node.inputs.emplace_back(nameOf(plane), nameOf(plane));
    if (network_.exposure)
      node.inputs.emplace_back("exposure", "exposure.exposure");
    if (has(Plane::depth))
      node.inputs.emplace_back("nearness", "nearness.nearness");
    nodes_ += textOf(node);
  }

  const Network& network_;
  const Builder& builder_;
  Size image_, size_;
  std::string nodes_;
};

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  checkSizes(call, inputs);
  const Network network = networkFor(call, inputs);
  Unet(network, *inputs[0].type, builder).build();
}

}  // namespace

LACUNA_MODULE(Table("cnn-unet").build<build>())
