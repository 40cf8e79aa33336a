#pragma once
// Bodies and graphs for tests without a device.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "graph/compile/compile.h"
#include "graph/module/registry.h"
#include "graph/shader/compile.h"
#include "graph/shader/generate/shaders.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"
#include "tests/support/sources.h"

namespace lacuna::test {

namespace fs = std::filesystem;

// Compiles a graph's text without a device: sources are i-memory with this type.
inline FrameGraph scheduleOfText(const std::string& text, const std::vector<std::string>& modulePath,
                                 const std::string& schedule, ValueType type) {
  Diagnostics diagnostics;
  Registry registry(modulePath);
  const Config config = parseConfigText(graphText(text), "graph.cfg", diagnostics);
  ModuleGraph modules = buildModuleGraph(config, registry, diagnostics);
  const auto typesOf = [&](const ModuleInstance& source) {
    ValueType given = type;
    if (source.instance == "normal" || source.instance == "depth") {
      given.channels = source.instance == "normal" ? Channels::normal : Channels::depth;
      given.colour = ColourTag::data;
    }
    return std::map<std::string, ValueType>{{"output", given}};
  };
  NodeGraph graph = buildNodeGraph(sourcesOf(std::move(modules), typesOf), diagnostics);
  CompileOptions options;
  options.device = {true, 128ULL << 20U, 16384, 32768, 1024};
  options.schedules[""] = schedule;
  FrameGraph result;
  if (!diagnostics.hasErrors())
    result = compile(std::move(graph), options, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return result;
}

}  // namespace lacuna::test
