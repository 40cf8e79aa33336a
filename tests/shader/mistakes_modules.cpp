#include "tests/shader/mistakes.h"

namespace lacuna::test {
namespace {

const char* pointwiseToml = R"(name = "lone"
summary = "a pointwise node"

[[connector]]
name = "input"
direction = "input"
channels = ["rgba"]

[[connector]]
name = "mask"
direction = "input"
channels = ["y"]
optional = true

[[connector]]
name = "output"
direction = "output"

[[parameter]]
name = "shadows"
type = "float"
default = 1.5
range = [0.0, 16.0]

[[parameter]]
name = "mode"
type = "choice"
choices = ["soft", "hard"]
default = "soft"
structural = true

[[node]]
name = "main"
kind = "pointwise"
shader = "main.glsl"
inputs = [{ name = "input", source = "input" }, { name = "mask", source = "mask" }]
outputs = [{ name = "output", connector = "output" }]
)";

const char* pointwiseBody = R"(#include "weights.glsl"

const float floorValue = 0.0;
struct Pair { float low; float high; };

float brightness(vec3 c) { return dot(c, weights); }

void apply(Inputs i, inout Outputs o, Pixel p) {
  Pair range = Pair(floorValue, 1.0);
  float y = clamp(brightness(i.input.rgb), range.low, range.high);
  vec3 colour = i.input.rgb * mix(param.shadows, 1.0, y);
  if (has_mask && frame.index > 0) {
    colour *= i.mask;
  }
  o.output = vec4(colour, i.input.a);
}
)";

const char* stencilToml = R"(name = "lone"
summary = "a stencil"

[[connector]]
name = "input"
direction = "input"
channels = ["rgba"]

[[connector]]
name = "output"
direction = "output"

[[parameter]]
name = "levels"
type = "int"
default = 3
range = [1, 8]
structural = true

[[parameter]]
name = "edge"
type = "float"
default = 0.1
range = [0.001, 10.0]

[[node]]
name = "levels"
kind = "stencil"
shader = "main.glsl"
inputs = [{ name = "state", source = "input" }]
outputs = [{ name = "output", connector = "output" }]
[node.stencil]
radius = 2
weights = [0.0625, 0.25, 0.375, 0.25, 0.0625]
levels = "levels"
state = { channels = "rgba", format = "f16" }
tap = [{ name = "colour", type = "vec4", from = "state" }, { name = "y", type = "float" }]
)";

const char* stencilBody = R"(struct Centre { vec4 colour; float y; };
struct Acc { vec3 sum; float weight; };

void load(inout Tap t, Sample s) { t.y = s.state.g; }
Centre centre(Tap t, Pixel p) { return Centre(t.colour, t.y); }
Acc start(Centre c) { return Acc(vec3(0.0), 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float d = (t.y - c.y) / param.edge;
  float w = exp2(o.log2Weight - d * d);
  a.sum = fma(vec3(w), t.colour.rgb, a.sum);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) {
  return vec4(a.sum / a.weight, c.colour.a);
}
)";

const char* reduceToml = R"(name = "lone"
summary = "a reduce"

[[connector]]
name = "input"
direction = "input"
channels = ["rgba"]

[[connector]]
name = "mean"
direction = "output"
channels = ["any1"]
formats = ["f32"]
colour = "data"
array = 1

[[node]]
name = "mean"
kind = "reduce"
shader = "main.glsl"
inputs = [{ name = "input", source = "input" }]
outputs = [{ name = "mean", channels = "any1", format = "f32", colour = "data", array = 1, connector = "mean" }]
[node.reduce]
value = "vec3"
)";

const char* reduceBody = R"(Value identity() { return vec3(0.0); }
Value map(Inputs i, Pixel p) { return i.input.rgb; }
Value combine(Value a, Value b) { return a + b; }
void finish(Value v, uint count, inout Outputs o) {
  o.mean = v.g / float(count);
}
)";

const char* kernelToml = R"(name = "lone"
summary = "a kernel"

[[connector]]
name = "input"
direction = "input"
channels = ["rgba"]

[[connector]]
name = "output"
direction = "output"

[[parameter]]
name = "gain"
type = "float"
default = 2.0

[[parameter]]
name = "fast"
type = "bool"
default = false
structural = true

[[node]]
name = "main"
kind = "kernel"
shader = "main.glsl"
inputs = [{ name = "input", source = "input" }]
outputs = [{ name = "output", connector = "output" }]
[node.kernel]
workgroup = [16, 16]
constants = { FAST = "fast" }
)";

const char* kernelBody = R"(shared vec4 tile[16 * 16];

void run(Pixel p) {
  int own = int(gl_LocalInvocationIndex);
  bool inside = all(lessThan(p.position, p.extent));
  tile[own] = inside ? load_input(p.position) : vec4(0.0);
  barrier();
  if (!inside) {
    return;
  }
#if FAST && channels_input > 3
  vec4 other = tile[own];
#else
  vec4 other = tile[own ^ 1];
#endif
  store_output(p.position, param.gain * mix(tile[own], other, 0.5));
}
)";

}  // namespace

const ModuleFiles& rightModule(const std::string& kind) {
  static const std::map<std::string, ModuleFiles> all = {
      {"pointwise",
       {{"module.toml", pointwiseToml},
        {"main.glsl", pointwiseBody},
        {"weights.glsl", "const vec3 weights = vec3(0.2126, 0.7152, 0.0722);\n"}}},
      {"stencil", {{"module.toml", stencilToml}, {"main.glsl", stencilBody}}},
      {"reduce", {{"module.toml", reduceToml}, {"main.glsl", reduceBody}}},
      {"kernel", {{"module.toml", kernelToml}, {"main.glsl", kernelBody}}}};
  return all.at(kind);
}

}  // namespace lacuna::test
