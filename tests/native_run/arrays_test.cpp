// A source that delivers arrays, other ones in each frame, with several frames in flight.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <mutex>

#include "graph/run/stream.h"
#include "graph/shader/compile.h"
#include "tests/native/places.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

constexpr int frameCount = 11;
constexpr uint32_t height = 3;

struct Sizes {
  uint32_t width, weights, ids;
};

MemoryGraph arraysGraph(const Sizes& sizes, double step) {
  MemoryGraph graph;
  graph.modulePath = {testModules, ownModules, testFolder() + "/gpu/modules"};
  graph.text = fmt::format(
      "frames:{}\narrays array-look-up o-memory:out\n"
      "arrays:01:weights weights=array-look-up:01:id o-memory:id\narrays:01:ids ids=array-look-up\n"
      "param:arrays:01:width:{}\nparam:arrays:01:weights:{}\nparam:arrays:01:ids:{}\n"
      "keyframe:0:arrays:01:step:{}\nkeyframe:{}:arrays:01:step:{}\n",
      frameCount, sizes.width, sizes.weights, sizes.ids, step, frameCount - 1, step + frameCount - 1);
  return graph;
}

using Words = std::vector<uint32_t>;

Words wordsOf(const StreamFrame& frame, const std::string& value) {
  const auto memory = frame.downloadMemory(value);
  Words words(memory.size() / 4);
  std::memcpy(words.data(), memory.data(), memory.size());
  return words;
}

void expectFrame(int frame, const Sizes& sizes, double step, const Words& out, const Words& id) {
  ASSERT_EQ(out.size(), size_t{sizes.width} * height);
  ASSERT_EQ(id.size(), out.size());
  for (uint32_t i = 0; i < out.size(); ++i) {
    float found = 0;
    std::memcpy(&found, &out[i], sizeof found);
    const double wanted = 1000.0 * frame + i + (step + frame) * (i % sizes.weights) + frame;
    ASSERT_NEAR(found, wanted, 1e-5 * std::max(1.0, wanted)) << "frame " << frame << ", pixel " << i;
    ASSERT_EQ(id[i], 2654435761U * static_cast<uint32_t>(frame + 1) + i % sizes.ids)
        << "frame " << frame << ", pixel " << i;
  }
}

TEST(NativeArrays, RandomDifferFromFrameToFrameInFlight) {
  std::mt19937_64& random = testRandom();
  for (int round = 0; round < 3; ++round) {
    const auto pick = [&](uint32_t most) { return 1 + static_cast<uint32_t>(random() % most); };
    const Sizes sizes = round == 0 ? Sizes{1, 1, 1} : Sizes{pick(200), pick(400), pick(400)};
    const double step = static_cast<double>(random() % 64) / 8;
    const MemoryGraph graph = arraysGraph(sizes, step);
    Session session(testDevice(), scheduleOf(graph, "auto"), graph.modulePath, ShaderCache::defaultFolder());
    for (const int inFlight : {1, 4}) {
      SCOPED_TRACE(testing::Message() << sizes.width << ", " << sizes.weights << ", " << sizes.ids << ", "
                                      << inFlight << " in flight");
      std::map<int, std::pair<Words, Words>> results;
      std::mutex mutex;
      StreamOptions options;
      options.frames = FrameSet::range(0, frameCount - 1);
      options.inFlight = inFlight;
      options.take = [&](const StreamFrame& frame) {
        const std::scoped_lock lock(mutex);
        results[frame.index()] = {wordsOf(frame, "array-look-up:01:main.output"),
                                  wordsOf(frame, "array-look-up:01:main.id")};
      };
      EXPECT_EQ(stream(session, options).done, frameCount);
      for (int frame = 0; frame < frameCount; ++frame)
        expectFrame(frame, sizes, step, results[frame].first, results[frame].second);
    }
  }
  EXPECT_EQ(testDevice().validationMessages(), std::vector<std::string>());
}

}  // namespace
}  // namespace lacuna::test
