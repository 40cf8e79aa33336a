// The nodes depend on the mosaic's pattern.

#include "shared/native.h"

namespace {

using namespace lacuna::native;

// A window over the previous stage's result, four numbers a pixel.
std::string stage(const std::string& name, const std::string& shader, const std::string& inputs,
                  const std::string& output, const std::string& stencil) {
  return "[[node]]\nname = \"" + name + "\"\nkind = \"stencil\"\nshader = \"" + shader +
         ".glsl\"\ninputs = [" + inputs +
         "]\noutputs = [{ name = \"result\", format = \"@precision\", colour = \"data\", " + output +
         " }]\nbind = { offset = \"offset\" }\n[node.stencil]\ndilated = false\n" + stencil + "\n";
}

std::string input(const std::string& name, const std::string& source) {
  return "{ name = \"" + name + "\", source = \"" + source + "\" }";
}

const std::string between = "channels = \"any4\"";
const std::string colours = "channels = \"rgba\", connector = \"output\"";
const std::string first = "init = true\nstate = { channels = \"any4\", format = \"@precision\" }\n";
const std::string tap = "tap = [{ name = \"own\", type = \"vec4\", from = \"state\" }]\n";
const std::string firstToo =
    "features = [\"first\"]\ntap = [{ name = \"own\", type = \"vec4\", from = \"state\" }, "
    "{ name = \"first\", type = \"vec4\", from = \"first\" }]\n";

// Of blocks of 2x2 pixels; then of pixels.
const std::string independence = R"nodes(
[[node]]
name = "contrasts"
kind = "kernel"
shader = "contrasts.glsl"
footprint = "scale(0.5)"
inputs = [{ name = "state", source = "columns.result", footprint = "halo(2)" }]
outputs = [
  { name = "contrasts", channels = "any2", format = "@precision", colour = "data", extent = { width = "(image_width + 1) / 2", height = "(image_height + 1) / 2" } },
  { name = "greens", channels = "any2", format = "@precision", colour = "data", extent = { width = "(image_width + 1) / 2", height = "(image_height + 1) / 2" } },
]

[[node]]
name = "independence"
kind = "kernel"
shader = "independence.glsl"
footprint = "local"
inputs = [{ name = "contrasts", source = "contrasts.contrasts", footprint = "halo(2)" }]
outputs = [{ name = "result", channels = "any1", format = "@precision", colour = "data" }]

[[node]]
name = "unlinked"
kind = "kernel"
shader = "unlinked.glsl"
footprint = "scale(1)"
inputs = [
  { name = "state", source = "columns.result" },
  { name = "greens", source = "contrasts.greens" },
  { name = "independence", source = "independence.result" },
]
outputs = [{ name = "result", channels = "any4", format = "@precision", colour = "data" }]
)nodes";

// Borders are mirrored, which keeps the pattern.
std::string bayer() {
  const std::string border = "border = \"reflect-101\"\n";
  const auto state = [](const std::string& node) { return input("state", node + ".result"); };
  return stage("differences", "differences", input("state", "input"), between,
               border + first + tap + "radius = 2\nsupport = \"circular\"") +
         stage("gradients", "gradients", state("differences"), between, border + tap + "radius = 1") +
         stage("rows", "rows", state("gradients"), between, border + tap + "radius = 3\nsupport = \"row\"") +
         stage("columns", "columns", state("rows") + ", " + input("first", "differences.result"), between,
               border + firstToo + "radius = 3\nsupport = \"column\"") +
         independence +
         stage("opposite", "opposite", state("unlinked"), between, border + tap + "radius = 1") +
         stage("colours", "colours", state("opposite"), colours,
               border + tap + "radius = 1\nsupport = \"circular\"");
}

// Pixels of states carry their colours, so any border rule works.
std::string xTrans() {
  const std::string window = "border = \"clamp\"\nradius = 2\n";
  // exp(-x^2 / (2 s^2)), s = 1.4 and 1.2
  const std::string wide = window + "weights = [0.360448, 0.774837, 1, 0.774837, 0.360448]\n";
  const std::string narrow = window + "weights = [0.249352, 0.706648, 1, 0.706648, 0.249352]\n";
  const auto state = [](const std::string& node) { return input("state", node + ".result"); };
  return stage("means", "means", input("state", "input"), between, wide + first + tap) +
         stage("green0", "green", state("means"), between, window + tap) +
         stage("smooth0", "smooth", state("green0"), between, narrow + tap) +
         stage("green1", "green", state("smooth0"), between, window + tap) +
         stage("smooth1", "smooth-colours", state("green1"), colours, narrow + tap);
}

const std::string half =
    "[[node]]\nname = \"half\"\nkind = \"kernel\"\nshader = \"half.glsl\"\n"
    "inputs = [" +
    input("mosaic", "input") +
    "]\n"
    "outputs = [{ name = \"result\", format = \"@precision\", colour = \"data\", " +
    colours + ", extent = { width = \"(image_width + 1) / 2\", height = \"(image_height + 1) / 2\" } }]\n";

const std::string grey =
    "[[node]]\nname = \"grey\"\nkind = \"pointwise\"\nshader = \"grey.glsl\"\n"
    "inputs = [" +
    input("mosaic", "input") +
    "]\n"
    "outputs = [{ name = \"result\", format = \"@precision\", colour = \"data\", " +
    colours + " }]\n";

std::string nodesFor(const std::string& pattern) {
  return pattern == "none" ? grey : pattern.size() == 36 ? xTrans() : bayer();
}

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  builder.nodes(call.word("size") == "half" ? half : nodesFor(patternOf(*inputs[0].type)));
}

}  // namespace

LACUNA_MODULE(Table("demosaic").build<build>())
