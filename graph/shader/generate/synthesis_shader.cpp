#include <fmt/format.h>

#include "graph/shader/generate/part_text.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

struct SynthesisParts {
  Body body;
  GeneratedShader shader;
  std::string types;  // State, Sample, Tap, Inputs, Outputs and the body
};

SynthesisParts begin(const ShaderContext& context, const std::vector<Role>& roles, const std::string& extra,
                     int first, int end) {
  const std::string prefix = ownPrefix;
  SynthesisParts parts{ownBody(context), {}, {}};
  parts.shader.block = paramBlock(context, first, end);
  parts.shader.glsl = shaderHead({32, 8, context.inTiles()}) + parts.shader.block.glsl + declareRoles(roles) +
                      extra + stencilMacros(context, stateType(context)) + tapTypes(context) +
                      declareInputs(prefix, inputMembers(context)) +
                      declareOutputs(prefix, outputMembers(context)) + parts.body.text +
                      "#line 1 \"generated\"\n";
  return parts;
}

constexpr const char* mainHead = R"(void main() {
  const ivec2 e = push.extent;
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= e.x || at.y >= e.y) { return; }
)";

}  // namespace

GeneratedShader synthesisShader(const ShaderContext& context, const StencilSchedule& schedule,
                                const std::vector<Role>& roles) {
  const bool permuted = schedule.permutes() && context.node.description->stencil.dilated;
  SynthesisParts parts = begin(
      context, roles, permutationFunctions(schedule.embedding) + declareCodecs(resultTypes(context), roles),
      context.node.own, static_cast<int>(context.node.parts.size()));
  const int levels = context.node.levels;
  const auto dilation = [&](int level) { return context.node.description->stencil.dilated ? 1 << level : 1; };
  std::string text =
      "  ivec2 q = at;\n  n0_State fine = load_levels(0, at);\n  n0_State coarse;\n  n0_State sum;\n";
  for (int level = 0; level < levels; ++level) {
    const bool restored = level == levels - 1;
    if (permuted && !restored) {
      text += fmt::format("  q = ivec2(nextPlace(q.x, at.x, e.x, {0}), nextPlace(q.y, at.y, e.y, {0}));\n",
                          level);
    }
    text += fmt::format("  coarse = load_levels({}, {});\n", level + 1, restored ? "at" : "q");
    text += fmt::format(
        "  {} n0_detail(fine, coarse, {});\n  fine = coarse;\n", level == 0 ? "sum =" : "sum = sum +",
        pixelText(context.inTiles(), "at", "e", std::to_string(level), std::to_string(dilation(level))));
  }
  const std::string pixel = pixelText(context.inTiles(), "at", "e", std::to_string(levels - 1),
                                      std::to_string(dilation(levels - 1)));
  text += fmt::format("  storeResult(fine + sum, {});\n", pixel);
  parts.shader.glsl += declareResult(context, parts.body) + mainHead + text + "}\n";
  return parts.shader;
}

GeneratedShader initShader(const ShaderContext& context, const std::vector<Role>& roles) {
  SynthesisParts parts =
      begin(context, roles, declareCodecs(firstStateTypes(context), roles), 0, context.node.own + 1);
  parts.shader.glsl += declareFirstState(context) + mainHead + "  store_out_state(at, firstState(at));\n}\n";
  return parts.shader;
}

}  // namespace lacuna
