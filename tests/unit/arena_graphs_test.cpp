// Memory of whole graphs at 3840x2160, planned without a device: near the largest set of live resources.

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/check_barriers.h"
#include "tests/unit/layout_support.h"
#include "tests/unit/stage_random.h"

namespace lacuna::test {
namespace {

constexpr Extent ultraHd{3840, 2160};

// Filters, branches and joins over images of 4 to 16 bytes a pixel; `count` modules beside sources and sinks.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {
    for (const char* name : {"first", "second", "normal", "depth"})
      text_ += fmt::format("module:i-memory:{}\n", name);
    images_ = {"i-memory:first:output", "i-memory:second:output"};
  }

  std::string make(int count) {
    for (int i = 0; i < count; ++i)
      addModule(i);
    std::vector<std::string> unused = images_;  // unread values go to a sink, so that nothing is culled
    unused.insert(unused.end(), {"i-memory:normal:output", "i-memory:depth:output"});
    std::erase_if(unused,
                  [this](const std::string& image) { return text_.find(image + " ") != std::string::npos; });
    for (size_t i = 0; i < unused.size(); ++i)
      text_ += fmt::format("{} o-memory:{}\n", unused[i], i);
    return text_;
  }

 private:
  // One of the latest images more often than an old one.
  std::string pick(const std::vector<std::string>& from) {
    const int last = static_cast<int>(from.size()) - 1;
    return from[static_cast<size_t>(last - random_.upTo(random_.oneIn(3) ? last : std::min(last, 2)))];
  }

  void connect(const std::string& from, const std::string& module, const std::string& input) {
    text_ += fmt::format("{} {}={}\n", from, input, module);
  }

  void addModule(int i) {
    static const std::vector<std::string> kinds = {"eaw", "atrous-guided", "exposure", "join", "join"};
    const std::string& kind = kinds[static_cast<size_t>(random_.upTo(static_cast<int>(kinds.size()) - 1))];
    const std::string module = fmt::format("{}:{}", kind, i);
    connect(pick(images_), module, "input");
    if (kind == "eaw") {
      text_ += fmt::format("param:{0}:levels:{1}\nparam:{0}:noise:{2}\n", module, 1 + random_.upTo(6),
                           random_.oneIn(2) ? "0" : "0.1");
      text_ += fmt::format("param:{}:precision:{}\n", module, random_.oneIn(4) ? "f32" : "f16");
    } else if (kind == "atrous-guided") {
      text_ += fmt::format("param:{}:levels:{}\n", module, 1 + random_.upTo(5));
      connect("i-memory:normal:output", module, "normal");
      connect("i-memory:depth:output", module, "depth");
    } else if (kind == "join") {
      connect(pick(images_), module, "other");
    }
    images_.push_back(module + ":output");
  }

  Random random_;
  std::string text_;
  std::vector<std::string> images_;
};

TEST(ArenaOfGraphs, RandomThirtyNodesNearTheLargestLiveSet) {
  double worst = 0.0;
  uint64_t planned = 0, unaliased = 0;
  forSeeds(12, [&](unsigned seed) {
    const std::string text = RandomGraph(seed).make(30);
    const NodeGraph graph =
        graphOf(text, ultraHd, Format::f16, {LACUNA_MODULE_FOLDER, LACUNA_TEST_FOLDER "/unit/modules"});
    ASSERT_GE(graph.nodes.size(), 30U);
    DeviceModel device = wideDevice();
    device.cpu = seed % 2 == 0;
    const FrameGraph schedule = compiled(graph, "auto", device);
    ASSERT_GE(schedule.arenaBytes, schedule.largestLiveBytes) << text;
    const double ratio =
        static_cast<double>(schedule.arenaBytes) / static_cast<double>(schedule.largestLiveBytes);
    EXPECT_LT(ratio, 1.15) << text;
    EXPECT_EQ(checkBarriers(schedule), std::vector<std::string>{}) << text;
    worst = std::max(worst, ratio);
    planned += schedule.arenaBytes;
    unaliased += schedule.unaliasedBytes;
  });
  EXPECT_LT(planned, unaliased / 2);
  RecordProperty("worstRatio", fmt::format("{:.4f}", worst));
}

}  // namespace
}  // namespace lacuna::test
