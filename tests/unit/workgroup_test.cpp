// The workgroups of kernels: by schedule, but where a body is written for one.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/shader/generate/shaders.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;
using Workgroup = std::array<uint32_t, 2>;

Workgroup workgroupOfCrop(Extent extent) {
  const NodeGraph graph = graphOf("i-memory:in crop o-memory:out\n", extent);
  const Node* node = findNamed(graph.nodes, "crop:01:main");
  return node == nullptr ? Workgroup{} : workgroupOf(graph, *node);
}

TEST(Workgroups, FollowFromTheNumberOfInvocations) {
  EXPECT_EQ(workgroupOfCrop({1920, 1080}), (Workgroup{32, 8}));
  EXPECT_EQ(workgroupOfCrop({264, 256}), (Workgroup{32, 8}));
  EXPECT_EQ(workgroupOfCrop({263, 256}), (Workgroup{8, 8}));
  EXPECT_EQ(workgroupOfCrop({7, 3}), (Workgroup{8, 8}));
  EXPECT_EQ(workgroupOfCrop({1, 1}), (Workgroup{1, 1}));
  EXPECT_EQ(workgroupOfCrop({33, 1}), (Workgroup{64, 1}));
  EXPECT_EQ(workgroupOfCrop({16384, 1}), (Workgroup{64, 1}));
}

// All that state one in modules, TOML or native code: how often in a file, and why.
const std::map<std::string, std::pair<int, const char*>> stated = {
    {"alpha-join/module.toml", {1, "energy's means"}},
    {"alpha/module.toml", {2, "a tile in shared memory"}},
    {"chroma/module.toml", {1, "energy's means"}},
    {"cnn-unet/lattice.cpp", {1, "invocations hold fragments, groups share parts of sums"}},
    {"cnn-unet/module.cpp", {2, "means of blocks of 8x8, and their sum in one workgroup"}},
    {"cnn-unet/past_nodes.cpp", {2, "a sum in one workgroup; svgf's tile in shared memory"}},
    {"demosaic/module.cpp", {3, "chosen with the figures of its beads"}},
    {"eaw/module.toml", {5, "sums and medians in a workgroup, with an invocation for each number"}},
    {"energy/module.toml", {1, "means of blocks of 8x8"}},
    {"mend/module.toml", {1, "means of blocks of 8x8"}},
    {"mix-irradiance/module.toml", {1, "sums of blocks of 8x8"}},
    {"pathtrace/module.cpp", {2, "rays of a subgroup stay close together"}},
    {"rawprep/module.toml", {1, "medians in a workgroup"}},
    {"rhf/module.cpp", {6, "shared tiles, sums in a workgroup, and a measured one (select)"}},
    {"svgf/module.toml", {1, "a sum in one workgroup"}},
    {"wiener/module.cpp", {3, "a workgroup for a group of blocks, and measured ones (means, match)"}},
};

TEST(Workgroups, AreStatedWhereThereIsAReason) {
  std::map<std::string, int> found;
  const std::regex states(R"(workgroup = \[)");
  for (const auto& entry : fs::recursive_directory_iterator(LACUNA_MODULE_FOLDER)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".toml" && ending != ".cpp" && ending != ".h")
      continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, states))
        ++found[fs::relative(entry.path(), LACUNA_MODULE_FOLDER).string()];
  }
  for (const auto& [file, count] : found)
    EXPECT_EQ(count, stated.contains(file) ? stated.at(file).first : 0) << file;
  EXPECT_EQ(found.size(), stated.size());
}

// A body whose invocations work together can't run in any workgroup.
TEST(Workgroups, MissingOnesAreMistakesWhereBodiesNeedThem) {
  const NodeGraph graph = graphOf("i-memory:in eaw o-memory:out\n", {64, 48});
  NodeGraph changed = graph;
  const Node* fits = findNamed(changed.nodes, "eaw:01:fits");
  ASSERT_NE(fits, nullptr);
  NodeDescription description = *fits->description;
  description.kernel.workgroup = {0, 0};
  for (Node& node : changed.nodes)
    if (node.name == "eaw:01:fits")
      node.description = &description;
  Diagnostics diagnostics;
  CompileOptions options;
  options.device = wideDevice();
  FrameGraph passes = passesOf(changed, options, diagnostics);
  try {
    generateShaders(passes, {LACUNA_MODULE_FOLDER});
    FAIL() << "no mistake";
  } catch (const ShaderSourceError& error) {
    EXPECT_NE(std::string(error.what()).find("doesn't state its workgroup"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lacuna::test
