#include "graph/shader/generate/body_rules.h"

#include <algorithm>

#include "graph/lists.h"
#include "graph/shader/generate/body_context.h"
#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/prelude.h"

namespace lacuna {
namespace {

EntryPoint entryOf(std::string head, bool isRequired = true, std::string neverCalled = {}) {
  return {std::move(head), isRequired, std::move(neverCalled)};
}

bool emitsByItself(const ShaderContext& context, const NodePart& part) {
  const ValueType state = stateType(context);
  const auto members = outputMembers(context, part);
  return std::all_of(members.begin(), members.end(), [&](const Member& member) {
    return member.name == part.description->stencil.tapOutput ||
           glslType(member.type.channels, member.type.format) == glslType(state.channels, state.format);
  });
}

void addStencil(const ShaderContext& context, const NodePart& part, BodyRules& rules) {
  const StencilDescription& stencil = part.description->stencil;
  const bool computes = std::any_of(stencil.tap.begin(), stencil.tap.end(),
                                    [](const TapField& field) { return field.from.empty(); });
  const bool hasPatch = context.node.patch > 0;
  rules.structs = {"Centre", "Acc"};
  rules.entries = {
      entryOf("Centre centre(Tap t, Pixel p)"),
      entryOf("Acc start(Centre c)"),
      entryOf(hasPatch ? "void gather(inout Acc a, Centre c, Tap t, Offset o, float patchDifference)"
                       : "void gather(inout Acc a, Centre c, Tap t, Offset o)"),
      entryOf("float difference(Tap a, Tap b)", hasPatch, hasPatch ? "" : "[node.stencil] needs `patch`"),
      entryOf("State finish(Acc a, Centre c, Pixel p)"),
      entryOf("void load(inout Tap t, Sample s)", computes),
      entryOf("float weight(int steps)", stencil.weight,
              stencil.weight ? "" : "[node.stencil] needs `weight = true`"),
      entryOf("int reach()", stencil.reach, stencil.reach ? "" : "[node.stencil] needs `reach = true`"),
      entryOf("State init(Inputs i, Pixel p)", stencil.init,
              stencil.init ? "" : "[node.stencil] needs `init = true`"),
      entryOf("State detail(State fine, State coarse, Pixel p)", stencil.synthesis,
              stencil.synthesis ? "" : "[node.stencil] needs `synthesis = true`"),
      entryOf("void output(State s, inout Outputs o, Pixel p)", !emitsByItself(context, part))};
  const ValueType state = stateType(context);
  rules.stand["State"] = glslType(state.channels, state.format);
  rules.types.insert({"Tap", "Sample", "Offset"});
  rules.unset = {stencil.tapOutput};
  rules.negativeWeights =
      std::any_of(stencil.weights.begin(), stencil.weights.end(), [](float weight) { return weight < 0; });
}

void addReduce(const ReduceDescription& reduce, BodyRules& rules) {
  if (reduce.bins > 0) {
    rules.entries = {entryOf("int bin(Inputs i, Pixel p)"),
                     entryOf("void finish(uint total, inout Outputs o)", !reduce.counts,
                             reduce.counts ? "[node.reduce] has `counts = true`" : "")};
    return;
  }
  rules.entries = {entryOf("Value identity()"), entryOf("Value map(Inputs i, Pixel p)"),
                   entryOf("Value combine(Value a, Value b)"),
                   entryOf("void finish(Value v, uint count, inout Outputs o)")};
  rules.stand["Value"] = reduce.value;
}

// Macros that kernels and stencils see for #if.
void addMacros(const NodeDescription& node, const ModuleDescription& module, BodyRules& rules) {
  for (const Format format : {Format::u8, Format::u16, Format::f16, Format::f32, Format::u32})
    rules.macros.insert("format_" + std::string(name(format)));
  if (node.kind == NodeKind::kernel)
    rules.macros.insert(matrixMacros().begin(), matrixMacros().end());
  else
    rules.macros.insert("format_initial");
  for (const auto* ends : {&rules.inputs, &rules.outputs}) {
    for (const std::string& end : *ends)
      if (rules.planes.count(end) > 0)
        rules.macros.insert("planes_" + end);
      else
        rules.macros.insert({"channels_" + end, "format_" + end, "small_" + end, "pattern_" + end});
  }
  for (const NodeConstant& constant : node.constants) {
    const ParameterDescription* parameter = module.parameter(constant.parameter);
    if (parameter != nullptr && !isNumber(parameter->type))
      rules.macros.insert(constant.name);
  }
}

std::vector<std::string> namesOf(const std::vector<Member>& members) {
  std::vector<std::string> names;
  for (const Member& member : members)
    names.push_back(member.name);
  return names;
}

}  // namespace

std::string EntryPoint::name() const {
  const size_t begin = head.find(' ') + 1;
  return head.substr(begin, head.find('(') - begin);
}

const EntryPoint* BodyRules::entry(const std::string& name) const {
  return findWhere(entries, [&](const EntryPoint& each) { return each.name() == name; });
}

BodyRules rulesOf(const ShaderContext& context, const NodePart& part) {
  BodyRules rules;
  const NodeDescription& node = *part.description;
  rules.kind = node.kind;
  rules.node = node.name;
  rules.matrices = context.matrices;
  const std::vector<Member> inputs = inputMembers(context, part), outputs = outputMembers(context, part);
  rules.inputs = namesOf(inputs);
  rules.outputs = namesOf(outputs);
  for (const Member& output : outputs)
    if (!output.type.isArray())
      rules.components[output.name] = componentCount(output.type.channels);
  for (const auto* members : {&inputs, &outputs}) {
    for (const Member& member : *members)
      if (member.type.isPlanes())
        rules.planes.insert(member.name);
  }
  const auto& module = *context.graph.modules.modules[part.module].description;
  for (const ParameterDescription& parameter : module.parameters)
    if (parameter.type != ParameterType::string && !parameter.settled)
      rules.parameters.push_back(parameter.name);
  rules.types = {"Pixel", "Frame"};
  if (node.kind != NodeKind::kernel)
    rules.types.insert({"Inputs", "Outputs"});
  if (node.kind == NodeKind::pointwise) {
    rules.entries = {entryOf("void apply(Inputs i, inout Outputs o, Pixel p)")};
  } else if (node.kind == NodeKind::stencil) {
    addStencil(context, part, rules);
    addMacros(node, module, rules);
  } else if (node.kind == NodeKind::reduce) {
    addReduce(node.reduce, rules);
  } else {
    rules.entries = {entryOf("void run(Pixel p)")};
    addMacros(node, module, rules);
  }
  return rules;
}

}  // namespace lacuna
