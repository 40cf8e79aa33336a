// The workgroups of kernels: by schedule, but where a body is written for one.

#include <fmt/format.h>

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

// All that state only one in modules, TOML or native code: how often in a file, and why.
const std::map<std::string, std::pair<int, const char*>> stated = {
    {"cnn-unet/lattice.cpp", {1, "invocations hold fragments, groups share parts of sums"}},
    {"cnn-unet/module.cpp", {2, "means of blocks of 8x8, and their sum in one workgroup"}},
    {"cnn-unet/past_nodes.cpp", {2, "a sum in one workgroup; svgf's tile in shared memory"}},
    {"eaw/module.toml", {2, "an invocation holds a pixel's, or a tile's, numbers between barriers"}},
    {"mix-irradiance/module.toml", {1, "sums of blocks of 8x8"}},
    {"rhf/module.cpp", {6, "shared tiles, sums in a workgroup, and a measured one (select)"}},
};
constexpr int mostStated = 14;

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
  int all = 0;
  for (const auto& [file, count] : found) {
    EXPECT_EQ(count, stated.contains(file) ? stated.at(file).first : 0) << file;
    all += count;
  }
  EXPECT_EQ(found.size(), stated.size());
  EXPECT_LE(all, mostStated);
}

// A variant without a shader is the node's own body in other workgroups.
TEST(Workgroups, OfANodesOwnBodyAreCandidates) {
  const NodeGraph graph = graphOf("i-memory:in eaw o-memory:out\n", {64, 48});
  const Node* fits = findNamed(graph.nodes, "eaw:01:fits");
  ASSERT_NE(fits, nullptr);
  const auto variants = variantsOf(graph, *fits);
  ASSERT_EQ(variants.size(), 1U);
  EXPECT_TRUE(variants.front()->shader.empty());
  std::vector<std::string> groups;
  for (const KernelSchedule& schedule : allKernelSchedules(*variants.front())) {
    const auto [across, down] = workgroupsOf(graph, *fits, schedule);
    groups.push_back(fmt::format("{} {}x{}", print(schedule), across, down));
  }
  EXPECT_EQ(groups, (std::vector<std::string>{"fits@64x1/buffer 64x1", "fits@128x1/buffer 32x1",
                                              "fits@256x1/buffer 16x1"}));
  Diagnostics diagnostics;
  CompileOptions options;
  options.device = wideDevice();
  FrameGraph passes = passesOf(graph, options, diagnostics);
  generateShaders(passes, {LACUNA_MODULE_FOLDER});
  const auto pass =
      std::ranges::find_if(passes.passes, [](const Pass& p) { return p.name == "eaw:01:fits"; });
  ASSERT_NE(pass, passes.passes.end());
  EXPECT_NE(pass->glsl.find("sumOf"), std::string::npos);
}

// A body whose invocations work together can't run in any workgroup.
TEST(Workgroups, MissingOnesAreMistakesWhereBodiesNeedThem) {
  const NodeGraph graph = graphOf("i-memory:in eaw o-memory:out\n", {64, 48});
  NodeGraph changed = graph;
  const Node* fits = findNamed(changed.nodes, "eaw:01:tiles");
  ASSERT_NE(fits, nullptr);
  NodeDescription description = *fits->description;
  description.kernel.workgroup = {0, 0};
  for (Node& node : changed.nodes)
    if (node.name == "eaw:01:tiles")
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
