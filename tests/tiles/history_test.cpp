// Sequences in tiles have the bits of whole frames: history stays whole, however far motion reaches.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/nodes/cull.h"
#include "tests/support/differences.h"
#include "tests/support/memory_graph.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

constexpr Extent extent{211, 173};

// One surface, slightly rough, so that history is found wherever motion leads inside the picture.
std::map<std::string, Image> randomFrame(std::mt19937_64& random) {
  std::map<std::string, Image> frame;
  frame["input"] = randomImage(random, Channels::rgba, Format::f16, extent, false);
  frame["albedo"] = randomImage(random, Channels::rgb, Format::f16, extent, false);
  Image& normal = frame["normal"] = makeImage(Channels::normal, Format::f16, extent);
  Image& depth = frame["depth"] = makeImage(Channels::depth, Format::f32, extent);
  Image& motion = frame["motion"] = makeImage(Channels::mv, Format::f16, extent);
  const double reach = pick(random, 0, 3) == 0 ? 150.0 : 20.0;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      normal.set(x, y, 2, 1.0);
      depth.set(x, y, 0, uniform(random, 5.0, 5.01));
      motion.set(x, y, 0, uniform(random, -reach, reach));
      motion.set(x, y, 1, uniform(random, -reach, reach));
    }
  }
  return frame;
}

MemoryGraph graphOf(const std::string& module, const std::vector<std::string>& planes,
                    const std::string& more) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "lacuna:1\nframes:20\nmodule:{0}:01\nmodule:o-memory:out\nconnect:{0}:01:output:o-memory:out:input\n{"
      "1}",
      module, more);
  for (const std::string& plane : planes) {
    graph.text += fmt::format("module:i-memory:{0}\nconnect:i-memory:{0}:output:{1}:01:{0}\n", plane, module);
    graph.sources[plane];
  }
  return graph;
}

std::vector<Image> framesOf(MemoryGraph graph, const std::vector<std::map<std::string, Image>>& frames,
                            const std::string& schedule) {
  for (auto& [name, image] : graph.sources) {
    image = frames.front().at(name);
  }
  MemoryRun run(graph, schedule);
  std::vector<Image> made;
  for (size_t i = 0; i < frames.size(); ++i) {
    for (auto& [name, image] : graph.sources) {
      image = frames[i].at(name);
    }
    run.bring(graph.sources);
    run.compute(static_cast<int>(i));
    made.push_back(run.results().at("out"));
  }
  return made;
}

struct HistoryCase {
  const char* module;
  std::vector<std::string> planes;
  const char* more;
};

class HistoryInTiles : public testing::TestWithParam<HistoryCase> {};

TEST_P(HistoryInTiles, RandomFramesAreEqual) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph = graphOf(GetParam().module, GetParam().planes, GetParam().more);
  std::vector<std::map<std::string, Image>> frames(20);
  for (auto& frame : frames) {
    frame = randomFrame(random);
  }
  for (auto& [name, image] : graph.sources) {
    image = frames.front().at(name);
  }
  const std::vector<Image> whole = framesOf(graph, frames, "auto");
  EXPECT_NE(framesOf(graph, {frames.back()}, "auto").front().words, whole.back().words)
      << "history has an effect";
  std::string reason;
  const std::optional<Tileable> picture = tileable(cull(load(graph).graph), reason);
  ASSERT_TRUE(picture) << reason;
  for (const uint64_t percent : {70, 30}) {
    graph.tiles = tilesWithin(*picture, pixelCount(extent) * percent / 100);
    ASSERT_TRUE(graph.tiles);
    SCOPED_TRACE(print(*graph.tiles));
    const std::vector<Image> tiled = framesOf(graph, frames, "auto");
    for (size_t i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(differences(whole[i], tiled[i]), "") << "frame " << i;
    }
  }
}

const std::vector<std::string> surfaces = {"input", "albedo", "normal", "depth", "motion"};

INSTANTIATE_TEST_SUITE_P(Modules, HistoryInTiles,
                         testing::Values(HistoryCase{"svgf", surfaces, "param:svgf:01:levels:2\n"},
                                         HistoryCase{"svgf", surfaces,
                                                     "param:svgf:01:levels:1\nparam:svgf:01:taa:true\n"},
                                         HistoryCase{"taa", {"input", "motion", "depth"}, ""},
                                         HistoryCase{"cnn-unet", surfaces,
                                                     "param:cnn-unet:01:weights:\"" LACUNA_TEST_FOLDER
                                                     "/cnn_unet/golden/tiny-rgb-and-past.safetensors\"\n"}));

}  // namespace
}  // namespace lacuna::test
