// The GLSL that families write calls functions of GLSL, its own, and those that it includes; the shader has
// these.

#include <set>

#include "graph/families/family.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "graph/shader/generate/body_outline.h"
#include "graph/shader/generate/shaders.h"
#include "graph/shader/generate/tokens.h"
#include "tests/support/places.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

using FunctionNames = std::set<std::string>;

// Words before a parenthesis that are no keywords, types or functions of GLSL.
FunctionNames calledIn(const std::string& text) {
  FunctionNames known;
  for (const auto* words : {&builtInFunctions(), &glslTypes(), &glslKeywords()})
    known.insert(words->begin(), words->end());
  const Outline outline = outlineOf(tokenize(text));
  FunctionNames called;
  for (size_t i = 0; i + 1 < outline.tokens.size(); ++i) {
    const PlacedToken& token = outline.tokens[i];
    if (token.isWord() && outline.tokens[i + 1].is("(") && known.count(token.text) == 0)
      called.insert(token.text);
  }
  return called;
}

void expectIncludes(const ThreadMapping& mapping, const FunctionNames& inShader, const std::string& name) {
  FunctionNames called;
  for (const std::string* text :
       {&mapping.declarations, &mapping.main, &mapping.columnCentre, &mapping.columnStep, &mapping.rowCentre,
        &mapping.rowStep, &mapping.tapCall, &mapping.mirroredColumn, &mapping.mirroredRow})
    called.merge(calledIn(*text));
  for (const std::string& own : outlineOf(tokenize(mapping.declarations)).names())
    called.erase(own);
  EXPECT_EQ(called, FunctionNames(mapping.includes.begin(), mapping.includes.end())) << name;
  for (const std::string& include : mapping.includes)
    EXPECT_EQ(inShader.count(include), 1U) << name << " has no " << include;
}

const std::vector<std::string> modulesAndExamples = {LACUNA_MODULE_FOLDER, exampleFolder()};

void expectIncludesOf(const NodeGraph& graph, const std::string& name) {
  const Shaders shaded = shade(compiled(graph, name), modulesAndExamples);
  bool isTried = false;
  for (const Pass& pass : shaded.passes) {
    if (pass.shader.kind != ShaderKind::stencilLevel)
      continue;
    const StencilUse use{shaded.graph, shaded.graph.nodes[pass.node], pass.shader.schedule};
    const FunctionNames inShader = outlineOf(tokenize(pass.glsl)).names();
    const StencilFamily& family = *pass.shader.schedule.family;
    const size_t levels = std::max<size_t>(1, family.fusedLevels(use).size());
    for (size_t level = 0; level < levels; ++level)
      expectIncludes(family.threads(use, static_cast<int>(level)), inShader, pass.name + " as " + name);
    isTried = true;
  }
  EXPECT_TRUE(isTried) << name;
}

TEST(FamilyIncludes, AreWhatTheirTextCalls) {
  for (const bool synthesis : {true, false}) {
    const NodeGraph graph =
        graphOf(synthesis ? eawText(3, "param:eaw:01:noise:0\n") : guidedText(3), {60, 44});
    std::vector<std::string> names = scheduleFamilies();
    names.insert(names.end(), {"permuted-mirrored/buffer", "permuted-local/image", "tiled-mirrored/buffer",
                               "tiled-reshaped/buffer", "tiled-padded/image", "tiled-unstaged/buffer"});
    for (const std::string& name : names)
      if (!schedulesNamed(name, false).front().family->sharesPatches())
        expectIncludesOf(graph, name == "fused3" ? name + "@16x8" : name);  // for less shared memory
  }
}

TEST(FamilyIncludes, AreWhatTheirTextCallsOfPatches) {
  const NodeGraph graph =
      graphOf("i-memory:in non-local-means o-memory:out\nparam:non-local-means:01:radius:2\n", {60, 44},
              Format::f16, modulesAndExamples);
  for (const char* name : {"strips8/image", "strips8/buffer"})
    expectIncludesOf(graph, name);
}

}  // namespace
}  // namespace lacuna::test
