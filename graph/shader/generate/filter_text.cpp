#include "graph/shader/generate/filter_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/schedule/alone.h"
#include "graph/schedule/kernel/kernel_maker.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "graph/schedule/stencil/stencil_maker.h"
#include "graph/shader/generate/body_context.h"
#include "graph/shader/generate/shaders.h"

namespace lacuna {
namespace {

// One that every schedule fits.
DeviceModel anyDevice() {
  DeviceModel device;
  device.maxStorageBufferRange = ~uint64_t{0};
  return device;
}

std::string withoutPlaces(const std::string& glsl) {
  std::string text;
  for (size_t begin = 0; begin < glsl.size();) {
    const size_t end = std::min(glsl.find('\n', begin), glsl.size() - 1) + 1;
    if (glsl.compare(begin, 5, "#line") != 0) {
      text.append(glsl, begin, end - begin);
    }
    begin = end;
  }
  return text;
}

std::string shaderText(Passes passes, const Pass& pass, const std::vector<std::string>& includePath) {
  passes.passes = {Pass(pass)};
  generateShaders(passes, includePath);
  return withoutPlaces(passes.passes.front().glsl);
}

std::string chainText(const NodeGraph& alone, const std::vector<std::string>& includePath) {
  const StencilSchedule plain = plainSchedule(alone.nodes.front().description->stencil.synthesis);
  const Passes schedule = passesAlone(alone, *filterSchedule(plain), anyDevice());
  const auto level = std::find_if(schedule.passes.begin(), schedule.passes.end(), [](const Pass& pass) {
    return pass.shader.kind == ShaderKind::stencilLevel;
  });
  return shaderText(schedule, *level, includePath);
}

// What a variant makes of its shader.
std::string detailsText(const VariantDescription& variant) {
  std::string text =
      fmt::format("{} {} {} {}:", variant.name, variant.shader, variant.pixels[0], variant.pixels[1]);
  for (const VariantConstant& constant : variant.constants) {
    text += fmt::format(" {} {}", constant.name, constant.values.front());
  }
  for (const std::string& array : variant.uniform) {
    text += " " + array;
  }
  return text + "\n";
}

std::string kernelText(const NodeGraph& alone, const std::vector<std::string>& includePath) {
  std::string text;
  std::set<std::string> known;  // several variants may be of one shader
  for (const VariantDescription* variant : variantsOf(alone, alone.nodes.front())) {
    if (!whenHolds(alone, alone.nodes.front(), *variant)) {
      continue;
    }
    text += detailsText(*variant);
    if (known.insert(variant->shader).second) {
      const Passes schedule = passesAlone(alone, *filterSchedule(defaultSchedule(*variant)), anyDevice());
      text += shaderText(schedule, schedule.passes.front(), includePath);
    }
  }
  return text;
}

// Structural values that a body reads from its parameters; those that are constants are in its text.
std::string structuralValues(const NodeGraph& graph, const Node& node, const std::string& text) {
  const ModuleInstance& owner = instanceOf(graph, node);
  std::string values;
  for (const ParameterDescription& parameter : owner.description->parameters) {
    if (!parameter.structural || parameter.type == ParameterType::string ||
        text.find(fmt::format("{}_param.{}", ownPrefix, parameter.name)) == std::string::npos) {
      continue;
    }
    values += parameter.name;
    for (const ParameterValue& value : owner.parameter(parameter.name).values) {
      values += std::visit([](const auto& v) { return fmt::format(" {}", v); }, value);
    }
    values += "\n";
  }
  return values;
}

}  // namespace

std::string filterText(const NodeGraph& graph, const Node& node,
                       const std::vector<std::string>& includePath) {
  NodeGraph alone = aloneGraph(graph, node);
  alone.modules = graph.modules;
  const std::string text =
      node.kind == NodeKind::stencil ? chainText(alone, includePath) : kernelText(alone, includePath);
  return structuralValues(graph, node, text) + text;
}

}  // namespace lacuna
