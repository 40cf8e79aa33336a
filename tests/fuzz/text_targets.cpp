// Graphs, descriptions of modules, scenes and meshes: texts, whose mistakes are reported at their places.

#include "graph/config/config.h"
#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "graph/nodes/module_graph.h"
#include "pathtrace/scene/pack.h"
#include "pathtrace/scene/scene.h"
#include "tests/fuzz/target.h"

namespace lacuna::fuzz {
namespace {

// Modules with a parameter of each type.
Registry& testModules() {
  static Registry registry({LACUNA_TEST_FOLDER "/error/modules"});
  return registry;
}

void checkPrinted(const Config& config, const ModuleGraph& graph) {
  Diagnostics diagnostics;
  const Config back = parseConfigText(print(config), "printed.cfg", diagnostics);
  const ModuleGraph again = buildModuleGraph(back, testModules(), diagnostics);
  expect(!diagnostics.hasErrors(), "a graph that is printed is read again:\n" + diagnostics.render());
  expect(print(again) == print(graph), "a graph that is printed and read is the same");
}

void checkFormatted(const std::string& text, const std::string& name) {
  Diagnostics diagnostics;
  const auto once = formatConfig(text, name, diagnostics);
  expect(once.has_value() == !diagnostics.hasErrors(), "a text is formatted, or its mistakes are reported");
  if (once) {
    const auto twice = formatConfig(*once, name, diagnostics);
    expect(twice == once, "formatting twice changes nothing more");
  }
}

void runGraph(std::string_view input) {
  const std::string text(input), name = scratchFolder() + "/graph.cfg";
  Diagnostics diagnostics;
  const Config config = parseConfigText(text, name, diagnostics);
  const ModuleGraph graph = buildModuleGraph(config, testModules(), diagnostics);
  expectSound(diagnostics, text);
  if (!diagnostics.hasErrors())
    checkPrinted(config, graph);
  checkFormatted(text, name);
}

void runModule(std::string_view input) {
  const std::string path = scratchFile("described/module.toml", input);
  scratchFile("described/main.glsl", "// empty\n");
  Diagnostics diagnostics;
  const auto module = readModule(scratchFolder() + "/described", diagnostics);
  expect((module == nullptr) == diagnostics.hasErrors(), "a module is read, or its mistakes are reported");
  expectSound(diagnostics, std::string(input));
  if (module != nullptr)
    expect(!print(*module).empty() && !printJson(*module).empty(), "a module describes itself");
}

// A scene without mistakes can be packed for the device.
void checkScene(const std::string& text) {
  Diagnostics diagnostics;
  const pathtrace::Scene scene = pathtrace::parseScene(text, scratchFolder() + "/any.scene", diagnostics);
  expectSound(diagnostics, text);
  if (!diagnostics.hasErrors())
    pathtrace::packFrame(scene, pathtrace::packScene(scene), 1.5, 0.5, 64, 36);
}

void runScene(std::string_view input) {
  static const std::string mesh =
      scratchFile("thing.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
  checkScene(std::string(input));
}

void runMesh(std::string_view input) {
  static const std::string scene =
      "scene:1\ncamera eye 0 1 3 target 0 1 0 fov 40\nmaterial white diffuse albedo 0.7\n"
      "material gold glossy albedo 1 0.8 0.3 roughness 0.3\nmesh thing \"mesh.obj\"\n"
      "object a mesh thing material white\nobject b mesh thing material gold translate 1 0 0\n";
  scratchFile("mesh.obj", input);
  checkScene(scene);
}

constexpr Target texts[] = {
    {"graph", runGraph}, {"module", runModule}, {"scene", runScene}, {"mesh", runMesh}};

}  // namespace

const std::span<const Target> textTargets = texts;

}  // namespace lacuna::fuzz
