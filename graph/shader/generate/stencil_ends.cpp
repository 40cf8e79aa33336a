#include "graph/shader/generate/part_text.h"

#include <fmt/format.h>

#include "graph/shader/generate/pixel_view.h"

namespace lacuna {
namespace {

int partCount(const ShaderContext& context) {
  return static_cast<int>(context.node.parts.size());
}

}  // namespace

std::vector<ValueType> firstStateTypes(const ShaderContext& context) {
  return roundedTypes(context, 0, context.node.own);
}

std::string declareFirstState(const ShaderContext& context) {
  const int own = context.node.own;
  const bool computes = context.node.description->stencil.init;
  return declareParts(context, 0, own) + "n0_State firstState(ivec2 at) {\n" + callParts(context, 0, own) +
         (computes ? readInputs(context, own) + "  return n0_init(n0_in, " +
                         pixelText(context.inTiles(), "at", "push.extent") + ");\n"
                   : fmt::format("  return {};\n", inputExpression(context, own, "state"))) +
         "}\n";
}

std::vector<ValueType> resultTypes(const ShaderContext& context) {
  return roundedTypes(context, context.node.own, partCount(context));
}

std::string declareResult(const ShaderContext& context, const Body& body) {
  const NodePart& own = ownPart(context.node);
  const int followers = context.node.own + 1;
  const bool followed = followers < partCount(context);
  const bool emits = body.defines("output");
  const ValueType state = stateType(context);
  // The last level's state, which is rounded already, unchanged.
  const auto isState = [&](const ValueType& type) {
    return !emits && !context.node.description->stencil.synthesis && type.channels == state.channels &&
           type.format == state.format;
  };
  std::string text = fmt::format(
      "void storeResult(n0_State s, Pixel p) {{\n  ivec2 at = p.position{};\n  n0_Outputs n0_out_;\n",
      context.inTiles() ? " - partOrigin()" : "");
  text += emits ? "  n0_output_(s, n0_out_, p);\n" : "";
  for (size_t i = 0; i < own.outputs.size(); ++i) {
    const NamedValue& output = own.outputs[i];
    const ValueType& type = own.outputTypes[i];
    if (output.name == context.node.description->stencil.tapOutput)
      continue;  // stored by the level that it taps
    const std::string member = "n0_out_." + memberName(output.name);
    text += emits ? "" : fmt::format("  {} = s;\n", member);
    text += followed && !isState(type)
                ? fmt::format("  {0} = round_{1}({0});\n", member, pixelTypeName(type.channels, type.format))
                : "";
    text += output.value ? fmt::format("  store_out_{}(at, {});\n", output.name, member) : "";
  }
  return declareParts(context, followers, partCount(context)) + text +
         callParts(context, followers, partCount(context)) + "}\n";
}

}  // namespace lacuna
