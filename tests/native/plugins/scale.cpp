// A native node that builds with uploads: two nodes in GLSL, one of which includes a file that is not on
// disk, or one kernel in SPIR-V.

#include "shared/native.h"

#include "scale_spv.h"  // of scale.comp; knows uint32_t from the one before

namespace {

using namespace lacuna::native;

constexpr const char* kernel = R"(#include "weigh.glsl"
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_weighed(p.position, weigh(load_input(p.position)));
}
)";
constexpr const char* weigh = "float weigh(float x) { return x * array_w.data[0] + vectors_w.data[0].y; }\n";
constexpr const char* gain =
    "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.weighed * param.gain; }\n";

constexpr const char* twoNodes = R"(
[[node]]
name = "weigh"
kind = "kernel"
shader = "kernel.glsl"
inputs = [{ name = "input", source = "input" }, { name = "w", source = "upload.weights" }]
outputs = [{ name = "weighed", channels = "y", format = "f32" }]
[node.kernel]
constants = { BIAS = 1 }

[[node]]
name = "gain"
kind = "pointwise"
shader = "gain.glsl"
inputs = [{ name = "weighed", source = "weigh.weighed" }]
outputs = [{ name = "output", connector = "output" }]
)";
constexpr const char* oneNode = R"(
[[node]]
name = "scale"
kind = "kernel"
shader = "scale.spv"
inputs = [{ name = "input", source = "input" }, { name = "w", source = "upload.weights" }]
outputs = [{ name = "output", connector = "output" }]
[node.kernel]
workgroup = [16, 8]
)";

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  if (inputs.size() != 1 || inputs[0].type->width == 0)
    throw Error("expected one image");
  const bool isGlsl = call.word("way") == "glsl";
  builder.nodes(isGlsl ? twoNodes : oneNode);
  builder.shader("kernel.glsl", kernel);
  builder.shader("weigh.glsl", weigh);
  builder.shader("gain.glsl", gain);
  const size_t bytes = call.word("way") == "damaged" ? sizeof scaleSpirv - 8 : sizeof scaleSpirv;
  builder.shader("scale.spv", scaleSpirv, bytes);
  const auto seed = static_cast<float>(call.integer("seed"));
  const float weights[2] = {seed / 4, seed / 2 + 1};
  builder.upload("weights", arrayType(lacuna_any2, lacuna_f32, 1), weights, sizeof weights);
}

}  // namespace

LACUNA_MODULE(Table("scale").build<build>())
