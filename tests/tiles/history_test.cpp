// Sequences in tiles have the bits of whole frames: history stays whole, however far motion reaches.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/nodes/rewrites.h"
#include "tests/support/differences.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

constexpr Extent extent{211, 173};

MemoryGraph graphOf(const std::string& module, const std::vector<std::string>& planes,
                    const std::string& more, size_t frames) {
  MemoryGraph graph;
  graph.text = fmt::format("frames:{2}\n{0} o-memory:out\n{1}", module, more, frames);
  for (const std::string& plane : planes)
    graph.text += fmt::format("i-memory:{0} {0}={1}\n", plane, module);
  return graph;
}

struct HistoryCase {
  const char* module;
  std::vector<std::string> planes;
  const char* more;
  size_t frames = 8;
  std::vector<uint64_t> percents = {70, 30};  // tiles of at most so many of the picture's pixels
};

class HistoryInTiles : public testing::TestWithParam<HistoryCase> {};

TEST_P(HistoryInTiles, RandomFramesAreEqual) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph = graphOf(GetParam().module, GetParam().planes, GetParam().more, GetParam().frames);
  std::vector<std::map<std::string, Image>> frames(GetParam().frames);
  for (auto& frame : frames)
    for (const std::string& plane : GetParam().planes)
      frame[plane] = surfaceImage(random, plane, extent);
  graph.sources = frames.front();
  const auto whole = run(graph, "auto", frames);
  EXPECT_NE(run(graph, "auto", {frames.back()}).front().at("out").words, whole.back().at("out").words)
      << "history has an effect";
  std::string reason;
  const std::optional<Tileable> picture = tileable(cull(load(graph).graph), reason);
  ASSERT_TRUE(picture) << reason;
  for (const uint64_t percent : GetParam().percents) {
    graph.tiles = tilesWithin(*picture, pixelCount(extent) * percent / 100);
    ASSERT_TRUE(graph.tiles);
    SCOPED_TRACE(print(*graph.tiles));
    const auto tiled = run(graph, "auto", frames);
    for (size_t i = 0; i < frames.size(); ++i)
      EXPECT_EQ(differences(whole[i].at("out"), tiled[i].at("out")), "") << "frame " << i;
  }
}

const std::vector<std::string> surfaces = {"input", "albedo", "normal", "depth", "motion"};

INSTANTIATE_TEST_SUITE_P(
    Modules, HistoryInTiles,
    testing::Values(HistoryCase{"svgf", surfaces, "param:svgf:01:levels:2\n"},
                    HistoryCase{"svgf", surfaces, "param:svgf:01:levels:1\nparam:svgf:01:taa:true\n"},
                    HistoryCase{"taa", {"input", "motion", "depth"}, ""},
                    HistoryCase{"accum",
                                {"input"},
                                "keyframe:0:accum:01:reset:false\n"
                                "keyframe:3:accum:01:reset:true\n"
                                "keyframe:4:accum:01:reset:false\n"},
                    HistoryCase{"cnn-unet",
                                surfaces,
                                "param:cnn-unet:01:weights:\"" LACUNA_TEST_FOLDER
                                "/cnn_unet/golden/tiny-rgb-and-past.safetensors\"\n",
                                4,
                                {30}},
                    HistoryCase{"motion-mean", surfaces, "param:motion-mean:01:frames:6\n", 8}));

}  // namespace
}  // namespace lacuna::test
