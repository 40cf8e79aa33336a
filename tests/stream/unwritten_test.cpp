// Frames that are computed but not written: other results are the same as if all were written, and only
// passes run that later frames depend on.

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/frame/stages.h"
#include "graph/run/profile.h"
#include "graph/shader/compile.h"
#include "tests/stream/sequence.h"
#include "tests/support/check_barriers.h"

namespace lacuna::test {
namespace {

class UnwrittenFrames : public StreamTest {
 protected:
  // Some of these frames, always including the last one.
  FrameSet someFrames(int count) {
    FrameSet frames;
    for (int frame = 0; frame < count; ++frame)
      if (frame == count - 1 || pick(random_, 0, 2) == 0)
        frames.add(frame);
    return frames;
  }
};

TEST_F(UnwrittenFrames, RandomLeaveTheOthersAsTheyAre) {
  constexpr int count = 9;
  for (int i = 0; i < 3; ++i) {
    const Sequence sequence(random_, count);
    const std::map<int, Words> all = sequence.oneByOne();
    const auto session = sequence.session();
    for (const int inFlight : {4, 1, 2}) {
      SCOPED_TRACE(testing::Message() << "graph " << i << ", " << inFlight << " in flight");
      std::map<int, Words> results, expected;
      StreamOptions options = sequence.options(results);
      options.inFlight = inFlight;
      options.frames = someFrames(count);
      for (int frame = 0; frame < count; ++frame)
        if (options.frames.contains(frame))
          expected[frame] = all.at(frame);
        else
          options.warmUp.add(frame);
      const RunResult end = stream(*session, options);
      EXPECT_EQ(end.done + end.warmedUp, count);
      ASSERT_EQ(results, expected);
    }
  }
}

// The values of a schedule's sinks after a frame.
std::vector<Words> sinksOf(Session& session) {
  std::vector<Words> sinks;
  for (const Pass& pass : session.schedule().passes) {
    if (pass.kind == PassKind::download) {
      const ValueId value = session.schedule().resources[pass.accesses.front().resource].value;
      const auto bytes = session.downloadMemory(session.schedule().graph.values[value].name);
      sinks.emplace_back(bytes.size() / 4);
      std::memcpy(sinks.back().data(), bytes.data(), bytes.size());
    }
  }
  return sinks;
}

void bring(Session& session, const std::map<std::string, Image>& images) {
  for (const auto& [name, image] : images) {
    const auto memory = session.uploadMemory("i-memory:" + name + ":image.output");
    std::memcpy(memory.data(), image.words.data(), memory.size());
  }
}

// Frames with new images; one session writes only `written`, another writes all.
void expectEqualFrames(const MemoryGraph& graph, const std::string& schedule,
                       const std::vector<std::map<std::string, Image>>& frames, const FrameSet& written) {
  const auto sessionOf = [&] {
    return std::make_unique<Session>(testDevice(), scheduleOf(graph, schedule), graph.modulePath,
                                     ShaderCache::defaultFolder());
  };
  const auto all = sessionOf(), some = sessionOf();
  const FrameGraph part = unwrittenFrame(some->schedule());
  EXPECT_EQ(checkBarriers(part), std::vector<std::string>());
  EXPECT_EQ(checkBarriers(some->schedule(), part), std::vector<std::string>());
  EXPECT_EQ(checkBarriers(part, some->schedule()), std::vector<std::string>());
  for (int frame = 0; frame < static_cast<int>(frames.size()); ++frame) {
    bring(*all, frames[static_cast<size_t>(frame)]);
    bring(*some, frames[static_cast<size_t>(frame)]);
    all->compute(frame);
    some->submit(frame, 0, frame == 0, vk::Timed::no, written.contains(frame));
    some->wait(0);
    if (written.contains(frame))
      ASSERT_EQ(sinksOf(*some), sinksOf(*all)) << schedule << ", frame " << frame;
  }
}

// The first level's state is next frame's history: coarser levels don't run. With taa all levels lead to it.
TEST_F(UnwrittenFrames, RandomSvgf) {
  for (const char* schedule : {"rows4", "tiled", "fused2", "lattice/image"}) {
    RandomCase c = randomSvgf(random_);
    c.graph.text += "param:svgf:01:levels:4\n";
    SCOPED_TRACE(c.description);
    std::vector<std::map<std::string, Image>> frames(5, c.graph.sources);
    for (std::map<std::string, Image>& images : frames) {
      Image& input = images.at("input");
      input = randomImage(random_, input.type.channels, input.type.format, input.type.extent, c.specials);
    }
    expectEqualFrames(c.graph, schedule, frames, someFrames(5));
    const Table<PassId, bool> runs = passesForNextFrame(scheduleOf(c.graph, schedule));
    const bool hasTaa = c.graph.text.find("taa:true") != std::string::npos;
    EXPECT_GE(std::count(runs.begin(), runs.end(), false), hasTaa ? 1 : 3);
  }
}

TEST_F(UnwrittenFrames, RandomRayHistograms) {
  MemoryGraph graph;
  const Extent extent = randomExtent(random_);
  graph.text = "i-memory:in ray-histogram o-memory:out\nray-histogram:01:histogram o-array:bins\n";
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  std::vector<std::map<std::string, Image>> frames(6);
  for (std::map<std::string, Image>& images : frames)
    images["in"] = randomImage(random_, Channels::rgb, Format::f32, extent, true);
  graph.sources = frames.front();
  expectEqualFrames(graph, "auto", frames, someFrames(6));
}

TEST_F(UnwrittenFrames, RandomProfilesShowWhatRan) {
  constexpr int count = 6;
  const Sequence sequence(random_, count);
  Profile profile;
  const auto session = sequence.session(&profile);
  std::map<int, Words> results;
  StreamOptions options = sequence.options(results);
  options.frames = {count - 1};
  options.warmUp = FrameSet::range(0, count - 2);
  stream(*session, options);
  std::map<std::string, int> shown;
  const nlohmann::json trace = readJson(profile.json());
  for (const nlohmann::json& event : trace.at("traceEvents"))
    ++shown[event.at("name").get<std::string>()];
  const Table<PassId, bool> runs = passesForNextFrame(session->schedule());
  for (const PassId p : runs.ids()) {
    const Pass& pass = session->schedule().passes[p];
    EXPECT_EQ(shown[pass.name], runs[p] ? count : 1) << pass.name;
    EXPECT_TRUE(pass.kind != PassKind::download || !runs[p]);
  }
}

}  // namespace
}  // namespace lacuna::test
