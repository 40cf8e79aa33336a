// Pointwise nodes before, between and behind chains give the same bits in the chains' passes as in passes of
// their own, whatever the schedule.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

int dispatches(const FrameGraph& schedule) {
  int count = 0;
  for (const Pass& pass : schedule.passes)
    count += pass.kind == PassKind::dispatch ? 1 : 0;
  return count;
}

// Returns how many passes were saved.
int expectFusedEqual(MemoryGraph graph, const std::string& schedule, int frames) {
  SCOPED_TRACE(schedule);
  const auto fused = runChecked(graph, schedule, frames);
  const int few = dispatches(scheduleOf(graph, schedule));
  graph.fuses = false;
  const auto apart = runChecked(graph, schedule, frames);
  for (const auto& [name, image] : apart)
    EXPECT_EQ(differences(image, fused.at(name)), "") << name;
  return dispatches(scheduleOf(graph, schedule)) - few;
}

// Modules in a row, with side branches: each reads the last one's image and sometimes an earlier one's.
class RandomRow {
 public:
  explicit RandomRow(std::mt19937_64& random) : random_(random), extent_(randomExtent(random)) {
    constexpr Format formats[] = {Format::f16, Format::f32, Format::u8};
    const Format format = formats[upTo(2)];
    source("in", Channels::rgba, format, format != Format::u8);
    images_ = {"i-memory:in"};
    trace = fmt::format("{}x{} {}:", extent_.width, extent_.height, name(format));
  }

  void pointwise(int count) {
    static const char* const names[] = {"exposure", "tonemap", "noise", "blend", "accum"};
    for (int i = 0; i < count; ++i) {
      const std::string module = add(names[upTo(4)]);
      if (module.starts_with("blend"))
        line(anyImage(1) + " back=" + module);
      if (module.starts_with("exposure"))
        line(fmt::format("param:{}:stops:{}", module, 0.37 * upTo(4) - 0.7));
    }
  }

  void chain() {
    const bool guided = upTo(2) == 0;
    const std::string module = add(guided ? "atrous-guided" : "eaw");
    if (guided) {
      // A source that nothing reads would be warned of.
      if (!graph_.sources.contains("normal")) {
        source("normal", Channels::normal, Format::f16, true);
        source("depth", Channels::depth, Format::f32, true);
      }
      line("i-memory:normal normal=" + module + "\ni-memory:depth depth=" + module);
      graph_.schedules[module + ":variance"] = "baseline/buffer";
    } else {
      line("param:" + module + (upTo(2) == 0 ? ":noise:0" : ":noise:0.05"));
    }
    line(fmt::format("param:{}:levels:{}\nparam:{}:precision:{}", module, 1 + upTo(2), module,
                     upTo(1) == 0 ? "f16" : "f32"));
  }

  // Sinks of the last image and of some others.
  MemoryGraph finish() {
    sink(images_.back());
    for (int i = upTo(2); i > 0; --i)
      sink(anyImage());
    return graph_;
  }

  std::string trace;

 private:
  int upTo(int last) { return std::uniform_int_distribution<int>(0, last)(random_); }
  void line(const std::string& text) { graph_.text += text + "\n"; }
  // But the latest `without` ones.
  std::string anyImage(size_t without = 0) {
    return images_[static_cast<size_t>(upTo(static_cast<int>(images_.size() - without) - 1))];
  }

  std::string add(const std::string& name) {
    const std::string module = fmt::format("{}:{:02}", name, ++instances_);
    line(images_.back() + " " + module);
    images_.push_back(module);
    trace += " " + module;
    return module;
  }

  void source(const std::string& name, Channels channels, Format format, bool specials) {
    line("module:i-memory:" + name);
    graph_.sources[name] = randomImage(random_, channels, format, extent_, specials);
  }

  void sink(const std::string& from) { line(fmt::format("{} o-memory:{}", from, ++instances_)); }

  std::mt19937_64& random_;
  Extent extent_;
  MemoryGraph graph_;
  std::vector<std::string> images_;
  int instances_ = 0;
};

class Fused : public testing::TestWithParam<int> {};

TEST_P(Fused, RowsOfModules) {
  std::mt19937_64& random = testRandom();
  RandomRow row(random);
  row.pointwise(1);
  row.chain();
  row.pointwise(1 + GetParam() % 2);
  if (GetParam() % 2 == 0) {
    row.chain();
    row.pointwise(1);
  }
  const MemoryGraph graph = row.finish();
  SCOPED_TRACE(row.trace + "\n" + graph.text);
  const std::vector<StencilSchedule> all = allSchedules(true);
  EXPECT_GT(expectFusedEqual(graph, print(all[random() % all.size()]), 2), 0);
}

INSTANTIATE_TEST_SUITE_P(Random, Fused, testing::Range(0, 4));

MemoryGraph withTestModules(const std::string& text) {
  MemoryGraph graph;
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  graph.text = text;
  return graph;
}

// A chain with its own init, whose tapped level is read beside its result, and whose result is kept.
TEST(FusedEndsOnRandomImages, InitAndTap) {
  std::mt19937_64& random = testRandom();
  const Extent extent = randomExtent(random);
  MemoryGraph graph = withTestModules(R"(module:i-memory:in
module:i-memory:guide
module:exposure:before
module:smooth:01
module:exposure:behind
module:exposure:tapped
module:o-memory:result
module:o-memory:graded
module:o-memory:tapped
param:exposure:before:stops:0.3
param:exposure:behind:stops:-0.7
param:exposure:tapped:stops:1
connect:i-memory:in:output:exposure:before:input
connect:exposure:before:output:smooth:01:input
connect:i-memory:guide:output:smooth:01:guide
connect:smooth:01:output:exposure:behind:input
connect:smooth:01:output:o-memory:result:input
connect:exposure:behind:output:o-memory:graded:input
connect:smooth:01:first:exposure:tapped:input
connect:exposure:tapped:output:o-memory:tapped:input
)");
  graph.sources["in"] = randomImage(random, Channels::rgba, Format::f32, extent, true);
  graph.sources["guide"] = randomImage(random, Channels::y, Format::f16, extent, false);
  for (const char* schedule : {"baseline/image", "rows3/buffer", "permuted/buffer", "lattice/image"})
    EXPECT_EQ(expectFusedEqual(graph, schedule, 1), 2) << "`before` and `behind` join, `tapped` does not";
}

// A parameter that the graph computes, and last frame's value.
TEST(FusedEndsOnRandomImages, BoundParameterAndFeedback) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph = withTestModules(R"(module:i-memory:in
module:normalise:01
module:disc:01
module:history:01
module:o-memory:out
connect:i-memory:in:output:normalise:01:input
connect:normalise:01:output:disc:01:input
connect:disc:01:output:history:01:input
connect:history:01:output:o-memory:out:input
)");
  graph.sources["in"] = randomImage(random, Channels::y, Format::f16, randomExtent(random), false);
  for (const char* schedule : {"rows2/image", "tiled/buffer"})
    EXPECT_EQ(expectFusedEqual(graph, schedule, 3), 2) << "history's two nodes join the chain";
}

}  // namespace
}  // namespace lacuna::test
