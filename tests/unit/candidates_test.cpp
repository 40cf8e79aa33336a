// Candidates of a chain: bytes and passes are those that the whole graph's layout gets.

#include "graph/schedule/candidates.h"

#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent candidatesExtent{97, 61};

void expectAsLaidOut(const NodeGraph& graph, const std::string& end) {
  const Node& node = nodeNamed(graph, end);
  for (const ChainCandidate& candidate : chainCandidates(graph, node, wideDevice())) {
    SCOPED_TRACE(candidate.told.schedule);
    ASSERT_EQ(candidate.told.rejected, "");
    const Schedule whole = compiled(graph, candidate.told.schedule);
    uint64_t bytes = 0;
    int passes = 0;
    for (const Pass& pass : whole.passes) {
      if (pass.name.starts_with(node.name + ".")) {
        bytes += pass.bytesRead + pass.bytesWritten;
        ++passes;
      }
    }
    EXPECT_EQ(candidate.told.passes, passes);
    EXPECT_EQ(candidate.told.bytes, bytes);
    EXPECT_GT(candidate.told.bytes, floorBytes(graph, node));
  }
}

TEST(Candidates, BytesAndPassesAreTheLayouts) {
  expectAsLaidOut(fuse(cull(graphOf(eawText(4), candidatesExtent)), wideDevice()), "eaw:01:atrous");
  expectAsLaidOut(fuse(cull(graphOf(guidedText(3), candidatesExtent)), wideDevice()),
                  "atrous-guided:01:levels");
}

// By hand: the colour comes and goes in half, and the guided filter reads eight bytes of geometry and, for
// what follows it, the input's alpha beside it.
TEST(Candidates, FloorByHand) {
  constexpr uint64_t pixels = uint64_t{97} * 61;
  const NodeGraph eaw = fuse(cull(graphOf(eawText(4), candidatesExtent)), wideDevice());
  EXPECT_EQ(floorBytes(eaw, nodeNamed(eaw, "eaw:01:atrous")), pixels * (8 + 8));
  const NodeGraph guided = fuse(cull(graphOf(guidedText(4), candidatesExtent)), wideDevice());
  EXPECT_EQ(floorBytes(guided, nodeNamed(guided, "atrous-guided:01:levels")), pixels * (8 + 8 + 8 + 8));
}

TEST(Candidates, AskedForWorkgroupsJoinTheList) {
  const NodeGraph graph = fuse(cull(graphOf(eawText(4), candidatesExtent)), wideDevice());
  const Node& node = nodeNamed(graph, "eaw:01:atrous");
  const auto usual = chainCandidates(graph, node, wideDevice());
  const auto more = schedulesNamed("tiled@8x8/buffer/carried", true);
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(chainCandidates(graph, node, wideDevice(), more).size(), usual.size() + 1);
  EXPECT_EQ(chainCandidates(graph, node, wideDevice(), {usual.front().schedule}).size(), usual.size());
}

}  // namespace
}  // namespace lacuna::test
