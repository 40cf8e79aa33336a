// Reductions in two passes, in an order that depends only on the extent, so that results repeat bit for bit.
// A histogram counts in shared memory first and adds integers atomically, which commutes exactly.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/shader/generate/body_context.h"

namespace lacuna {
namespace {

struct ReduceParts {
  GeneratedShader shader;
  Body body;
};

// Workgroups lie in rows if there are more than a device allows in one.
constexpr const char* workgroup =
    "uint workgroup() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }\n";

ReduceParts begin(const ShaderContext& context, const std::vector<Role>& roles, const std::string& before) {
  const std::string prefix = ownPrefix;
  ReduceParts parts{{}, ownBody(context)};
  parts.shader.block = ownParamBlock(context);
  parts.shader.glsl =
      shaderHead({reduceWorkgroup, 1, context.inTiles()}) + workgroup + parts.shader.block.glsl +
      declareRoles(roles) + before + declareInputs(prefix, inputMembers(context)) +
      declareOutputs(prefix, outputMembers(context)) + parts.body.text + "#line 1 \"generated\"\n";
  return parts;
}

// Pixels are distributed row by row in runs of one workgroup's width.
std::string forEachPixel(const ShaderContext& context, const std::string& statement) {
  std::string loads;
  for (const Member& input : inputMembers(context)) {
    if (!input.type.isArray()) {
      loads += fmt::format("      i.{} = {};\n", memberName(input.name),
                           input.connected
                               ? fmt::format("load_in_{}(at)", input.name)
                               : fmt::format("{}(0)", glslType(input.type.channels, input.type.format)));
    }
  }
  return fill(R"(  const ivec2 e = push.extent;
  uint pixels = uint(e.x) * uint(e.y);
  for (uint k = 0u; k < $perThread; ++k) {
    uint index = (workgroup() * $perThread + k) * $threads + gl_LocalInvocationIndex;
    if (index < pixels) {
      ivec2 at = ivec2(int(index % uint(e.x)), int(index / uint(e.x)));
${kept}      n0_Inputs i;
$loads      $statement
    }
  }
)",
              {{"perThread", fmt::format("{}u", reducePixelsPerThread)},
               {"threads", fmt::format("{}u", reduceWorkgroup)},
               {"kept", context.inTiles() ? "      if (!inCore(at)) { continue; }\n" : ""},
               {"loads", loads},
               {"statement", statement}});
}

std::string storeOutputs(const ShaderContext& context) {
  std::string text;
  for (const Member& member : outputMembers(context)) {
    const auto components = static_cast<uint32_t>(componentCount(member.type.channels));
    const uint32_t stride = wordsPerPixel(member.type.channels, Format::f32);
    for (uint32_t i = 0; i < member.type.arrayCount * components; ++i) {
      const uint32_t element = i / components;
      text += fmt::format("    array_out_{0}.data[{1}] = out_.{2}{3}{4};\n", member.name,
                          element * stride + i % components, memberName(member.name),
                          member.type.arrayCount > 1 ? fmt::format("[{}]", element) : "",
                          components > 1 ? fmt::format("[{}]", i % components) : "");
    }
  }
  return text;
}

}  // namespace

GeneratedShader histogramShader(const ShaderContext& context, const std::vector<Role>& roles) {
  const uint32_t bins = context.node.description->reduce.bins;
  ReduceParts parts = begin(context, roles,
                            fmt::format("shared uint counts[{}];\nuint below(int b) {{ return 0u; }}\n"
                                        "uint histogram(int b) {{ return 0u; }}\n",
                                        bins));
  parts.shader.glsl +=
      fill(R"(void main() {
  for (uint b = gl_LocalInvocationIndex; b < $bins; b += $threads) { counts[b] = 0u; }
  barrier();
$pixels  barrier();
  for (uint b = gl_LocalInvocationIndex; b < $bins; b += $threads) {
    if (counts[b] != 0u) { atomicAdd(array_counters.data[b], counts[b]); }
  }
}
)",
           {{"bins", fmt::format("{}u", bins)},
            {"threads", fmt::format("{}u", reduceWorkgroup)},
            {"pixels",
             forEachPixel(context, fmt::format("int b = n0_bin(i, {});\n"
                                               "      if (inside(b, {})) {{ atomicAdd(counts[b], 1u); }}",
                                               pixelText(context.inTiles(), "at", "e"), bins))}});
  return parts.shader;
}

// Counters become sums up to and including each bin, so that quantiles can be searched for.
GeneratedShader histogramFinish(const ShaderContext& context, const std::vector<Role>& roles) {
  const uint32_t bins = context.node.description->reduce.bins;
  ReduceParts parts = begin(context, roles,
                            fmt::format("shared uint sums[{}];\nshared uint partial[{}];\n"
                                        "uint below(int b) {{ return b > 0 ? sums[b - 1] : 0u; }}\n"
                                        "uint histogram(int b) {{ return sums[b] - below(b); }}\n",
                                        bins, reduceWorkgroup));
  parts.shader.glsl += fill(R"(void main() {
  const uint self = gl_LocalInvocationIndex;
  for (uint b = self; b < $bins; b += $threads) { sums[b] = array_counters.data[b]; }
  barrier();
  const uint first = min(self * $run, $bins);
  const uint last = min(first + $run, $bins);
  uint sum = 0u;
  for (uint b = first; b < last; ++b) { sum += sums[b]; sums[b] = sum; }
  partial[self] = sum;
  barrier();
  uint before = 0u;
  for (uint k = 0u; k < self; ++k) { before += partial[k]; }
  for (uint b = first; b < last; ++b) { sums[b] += before; }
  barrier();
  if (self == 0u) {
    n0_Outputs out_;
    n0_finish(sums[$bins - 1u], out_);
$store  }
}
)",
                            {{"bins", fmt::format("{}u", bins)},
                             {"threads", fmt::format("{}u", reduceWorkgroup)},
                             {"run", fmt::format("{}u", (bins + reduceWorkgroup - 1) / reduceWorkgroup)},
                             {"store", storeOutputs(context)}});
  return parts.shader;
}

namespace {

constexpr const char* tree = R"(  partial[gl_LocalInvocationIndex] = v;
  barrier();
  for (uint half_ = $threads / 2u; half_ > 0u; half_ /= 2u) {
    if (gl_LocalInvocationIndex < half_) {
      partial[gl_LocalInvocationIndex] =
          n0_combine(partial[gl_LocalInvocationIndex], partial[gl_LocalInvocationIndex + half_]);
    }
    barrier();
  }
)";

// Values travel between the passes as words, component by component.
uint32_t valueComponents(const ShaderContext& context) {
  return reduceComponents(context.node.description->reduce.value);
}

std::string valueHead(const ShaderContext& context) {
  return fmt::format("#define n0_Value {0}\nshared {0} partial[{1}];\n",
                     context.node.description->reduce.value, reduceWorkgroup);
}

std::string component(const ShaderContext& context, const std::string& value, uint32_t i) {
  const std::string& type = context.node.description->reduce.value;
  if (type.compare(0, 3, "mat") == 0) {
    const auto rows = static_cast<uint32_t>(type.back() - '0');
    return fmt::format("{}[{}][{}]", value, i / rows, i % rows);
  }
  return valueComponents(context) == 1 ? value : fmt::format("{}[{}]", value, i);
}

bool isUnsigned(const ShaderContext& context) {
  return context.node.description->reduce.value[0] == 'u';
}

}  // namespace

GeneratedShader reduceShader(const ShaderContext& context, const std::vector<Role>& roles) {
  ReduceParts parts = begin(context, roles, valueHead(context));
  const uint32_t n = valueComponents(context);
  std::string text = "void main() {\n  n0_Value v = n0_identity();\n" +
                     forEachPixel(context, "v = n0_combine(v, n0_map(i, Pixel(at, e, 0, 1)));") +
                     fill(tree, {{"threads", fmt::format("{}u", reduceWorkgroup)}}) +
                     "  if (gl_LocalInvocationIndex == 0u) {\n";
  for (uint32_t i = 0; i < n; ++i) {
    text +=
        fmt::format("    array_partials.data[workgroup() * {}u + {}u] = {}({});\n", n, i,
                    isUnsigned(context) ? "uint" : "floatBitsToUint", component(context, "partial[0]", i));
  }
  parts.shader.glsl += text + "  }\n}\n";
  return parts.shader;
}

GeneratedShader reduceFinish(const ShaderContext& context, const std::vector<Role>& roles) {
  ReduceParts parts = begin(context, roles, valueHead(context));
  const uint32_t n = valueComponents(context);
  std::string text = fill(R"(void main() {
  n0_Value v = n0_identity();
  uint partials = array_partials.data.length() / $nu;
  for (uint k = gl_LocalInvocationIndex; k < partials; k += $threads) {
    n0_Value next;
)",
                          {{"n", std::to_string(n)},
                           {"nu", fmt::format("{}u", n)},
                           {"threads", fmt::format("{}u", reduceWorkgroup)}});
  for (uint32_t i = 0; i < n; ++i) {
    text += fmt::format("    {} = {}(array_partials.data[k * {}u + {}u]);\n", component(context, "next", i),
                        isUnsigned(context) ? "uint" : "uintBitsToFloat", n, i);
  }
  text += "    v = n0_combine(v, next);\n  }\n" +
          fill(tree, {{"threads", fmt::format("{}u", reduceWorkgroup)}}) +
          "  if (gl_LocalInvocationIndex == 0u) {\n    n0_Outputs out_;\n"
          "    n0_finish(partial[0], uint(push.extent.x) * uint(push.extent.y), out_);\n" +
          storeOutputs(context) + "  }\n}\n";
  parts.shader.glsl += text;
  return parts.shader;
}

}  // namespace lacuna
