// Mistakes that an author of a module may make: each gives one error, at its place.

#include <fmt/format.h>

#include "graph/module/registry.h"
#include "graph/nodes/node_graph.h"
#include "graph/shader/check_shaders.h"
#include "tests/shader/body_support.h"
#include "tests/shader/mistakes.h"

namespace lacuna::test {
namespace {

class Mistakes : public testing::TestWithParam<Mistake> {
 protected:
  // Everything that `lacuna check FOLDER` reports of a module's files.
  Diagnostics check(const ModuleFiles& files) {
    for (const auto& [name, text] : files)
      folder.write("lone/" + name, text);
    Diagnostics diagnostics;
    const auto module = readModule(folder.file("lone"), diagnostics);
    if (module != nullptr) {
      ShaderCheck shaders({}, {});
      for (const NodeGraph& graph : loneGraphs(module, diagnostics))
        shaders.add(graph);
      shaders.report(diagnostics);
    }
    return diagnostics;
  }

  Folder folder;
};

TEST_P(Mistakes, AreReportedOnceAtTheirPlace) {
  const Mistake& mistake = GetParam();
  ModuleFiles files = rightModule(mistake.kind);
  std::string& text = files.at(mistake.file);
  const size_t at = text.find(mistake.from);
  ASSERT_NE(at, std::string::npos) << mistake.from;
  text.replace(at, std::string(mistake.from).size(), mistake.to);
  const Diagnostics diagnostics = check(files);
  const auto found = diagnostics.sorted();
  const auto place = [&](const Diagnostic& error) {
    const std::string path = error.where.file < 0 ? "" : diagnostics.fileName(error.where.file);
    return fmt::format("{}:{}:{}", path.substr(path.rfind('/') + 1), error.where.line, error.where.column);
  };
  const auto there = std::find_if(found.begin(), found.end(),
                                  [&](const Diagnostic& each) { return place(each) == mistake.place; });
  ASSERT_NE(there, found.end()) << diagnostics.render();
  const Diagnostic& error = *there;
  // A mistake in one table of a description may cause mistakes in others.
  if (std::string(mistake.file) != "module.toml")
    EXPECT_EQ(found.size(), 1U) << diagnostics.render();
  EXPECT_TRUE(error.message.starts_with(mistake.message)) << diagnostics.render();
  EXPECT_NE(error.hint.find(mistake.hint), std::string::npos) << diagnostics.render();
  EXPECT_EQ(diagnostics.render().find("generated"), std::string::npos) << diagnostics.render();
}

std::string nameOf(const testing::TestParamInfo<Mistake>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(OfBodies, Mistakes, testing::ValuesIn(bodyMistakes()), nameOf);
INSTANTIATE_TEST_SUITE_P(OfDescriptions, Mistakes, testing::ValuesIn(descriptionMistakes()), nameOf);

class RightModules : public Mistakes {};

TEST_P(RightModules, HaveNone) {
  EXPECT_EQ(check(rightModule(GetParam().kind)).render(), "");
}

INSTANTIATE_TEST_SUITE_P(Kinds, RightModules,
                         testing::Values(Mistake{"Pointwise", "pointwise"}, Mistake{"Stencil", "stencil"},
                                         Mistake{"Reduce", "reduce"}, Mistake{"Kernel", "kernel"}),
                         nameOf);

// Several bodies, and several mistakes in one, are all reported at once.
class ManyMistakes : public Mistakes {};

TEST_P(ManyMistakes, AreAllReported) {
  ModuleFiles files = rightModule("stencil");
  const auto change = [&](const std::string& from, const std::string& to) {
    std::string& text = files.at("main.glsl");
    text.replace(text.find(from), from.size(), to);
  };
  change("inout Acc a", "Acc a");
  change("param.edge", "param.egde");
  change("o.log2Weight", "o.log2weight");
  change("State finish", "State finsh");
  EXPECT_EQ(check(files).sorted().size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(One, ManyMistakes, testing::Values(Mistake{"Stencil", "stencil"}), nameOf);

}  // namespace
}  // namespace lacuna::test
