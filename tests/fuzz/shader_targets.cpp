// Bodies of shaders up to the text that a compiler gets, and shaders in SPIR-V up to the driver.

#include "graph/compile/compile.h"
#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "graph/nodes/node_graph.h"
#include "graph/shader/check_shaders.h"
#include "graph/shader/generate/filter_text.h"
#include "graph/shader/generate/shaders.h"
#include "tests/fuzz/target.h"
#include "tests/shader/mistakes.h"

namespace lacuna::fuzz {
namespace {

// A module in the scratch folder whose shader is the input.
struct Host {
  std::string shader;  // its name
  NodeGraph graph;
  FrameGraph passes;
};

Host hostOf(const std::string& kind, const test::ModuleFiles& files, const std::string& shader) {
  for (const auto& [name, text] : files)
    scratchFile(kind + "/lone/" + name, text);
  Diagnostics diagnostics;
  const auto module = readModule(scratchFolder() + "/" + kind + "/lone", diagnostics);
  expect(module != nullptr, "the host is right:\n" + diagnostics.render());
  Host host{kind + "/lone/" + shader, loneGraphs(module, diagnostics).at(0), {}};
  host.passes = passesOf(host.graph, {}, diagnostics);
  expect(!diagnostics.hasErrors(), "the host is right:\n" + diagnostics.render());
  return host;
}

// Everything that happens to a shader before a compiler or a driver sees it.
void runIn(const Host& host, std::string_view input) {
  scratchFile(host.shader, input);
  ShaderCheck check({}, {});
  check.add(host.graph);
  try {
    Passes passes = host.passes;
    generateShaders(passes, {});
    for (const Pass& pass : passes.passes)
      countWork(pass.glsl);
  } catch (const ShaderSourceError& error) {
    const std::string text = error.what();
    expect(!text.empty() && !firstByteNotText(text), "mistakes are text");
  }
}

void runBody(std::string_view input) {
  static const std::vector<Host> hosts = [] {
    std::vector<Host> made;
    for (const char* kind : {"pointwise", "stencil", "reduce", "kernel"})
      made.push_back(hostOf(kind, test::rightModule(kind), "main.glsl"));
    return made;
  }();
  for (const Host& host : hosts)
    runIn(host, input);
}

// The kernel of tests/shader, with its shader in SPIR-V.
test::ModuleFiles spirvModule() {
  test::ModuleFiles files = test::rightModule("kernel");
  std::string& toml = files.at("module.toml");
  const auto replace = [&](const std::string& from, const std::string& to) {
    toml.replace(toml.find(from), from.size(), to);
  };
  replace("main.glsl", "main.spv");
  replace("constants = { FAST = \"fast\" }\n", "");
  files["main.spv"] = "";
  return files;
}

void runSpirv(std::string_view input) {
  static const Host host = hostOf("spirv", spirvModule(), "main.spv");
  runIn(host, input);
}

constexpr Target shaders[] = {{"body", runBody}, {"spirv", runSpirv}};

}  // namespace

const std::span<const Target> shaderTargets = shaders;

}  // namespace lacuna::fuzz
