#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/nodes/node_graph.h"

namespace lacuna {
namespace {

std::string print(const ParameterValues& values) {
  std::string out;
  for (const ParameterValue& value : values) {
    out += out.empty() ? "" : " ";
    if (const auto* text = std::get_if<std::string>(&value)) {
      out += quote(*text);
    } else if (const auto* integer = std::get_if<int64_t>(&value)) {
      out += fmt::format("{}", *integer);
    } else if (const auto* boolean = std::get_if<bool>(&value)) {
      out += *boolean ? "true" : "false";
    } else {
      out += fmt::format("{}", std::get<double>(value));
    }
  }
  return out;
}

}  // namespace

std::string print(const ModuleGraph& graph) {
  std::string out = fmt::format("frames {}, {} a second{}\n", graph.frames, graph.framesPerSecond,
                                graph.writesLast ? ", the last one is written" : "");
  out += graph.firstNumber == 0 ? "" : fmt::format("frame 0 is number {}\n", graph.firstNumber);
  for (const ModuleInstance& module : graph.modules) {
    if (!module.builtFrom.empty()) {
      continue;
    }
    out += module.name() + "\n" + (module.native == nullptr ? "" : "  with native code\n");
    if (!module.there.empty()) {
      out += fmt::format("  has files of {} frames, {} to {}\n", module.there.size(), module.there.front(),
                         module.there.back());
    }
    for (const auto& [name, connection] : module.inputs) {
      const ModuleInstance& producer = graph.modules[connection.producer];
      out += fmt::format("  {} <- {}:{}{}\n", name, producer.name(), connection.connector,
                         connection.feedback ? " (last frame)" : "");
    }
    for (const Parameter& parameter : module.parameters) {
      const bool isDefault = parameter.where.file < 0;
      out += fmt::format("  {} = {}{}\n", parameter.description->name, print(parameter.values),
                         isDefault ? " (default)" : "");
      for (const Keyframe& key : parameter.keyframes) {
        out += fmt::format("    frame {}: {}{}\n", key.frame, print(key.values),
                           key.linear ? ", linear" : ", step");
      }
    }
  }
  return out;
}

std::string print(const Sources& sources) {
  std::string out = print(sources.modules);
  if (sources.frames && !sources.frames->empty()) {
    out += fmt::format("run: {} frames, {} to {}; files of frame {} are read first\n", sources.frames->size(),
                       sources.frames->front(), sources.frames->back(), sources.modules.firstFrame);
  }
  for (const auto& [source, types] : sources.types) {
    for (const auto& [output, type] : types) {
      out += fmt::format("{} delivers {} {}\n", sources.modules.modules[source].name(), output, print(type));
    }
  }
  return out;
}

}  // namespace lacuna
