// Plans, forced schedules, and measurements.

#include <algorithm>
#include <filesystem>

#include "tests/door/embedder.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

constexpr int planWidth = 19, planHeight = 11;

class Plans : public Validated {
 protected:
  static Graph graph(int width = planWidth, int height = planHeight) {
    GraphOptions options = optionsFor({.width = width, .height = height, .format = PixelFormat::f32});
    options.parameters = {"eaw:01:levels=1", "eaw:01:noise=0.1"};
    return Graph::fromText(aroundModule("eaw"), options);
  }
  // The test device, with nothing known of any filter.
  DeviceOptions freshOptions() const {
    DeviceOptions options;
    options.select = sharedDevice().description().uuid;
    options.cacheFolder = cache_.file("");
    return options;
  }
  static size_t measuredIn(const PlanReport& plan) {
    const auto& candidates = plan.filters.at(0).candidates;
    return static_cast<size_t>(std::count_if(candidates.begin(), candidates.end(),
                                             [](const auto& each) { return !each.measured.empty(); }));
  }

  const Folder cache_;
};

TEST_F(Plans, ListCandidatesWithAndWithoutADevice) {
  for (const PlanReport& plan : {lacuna::plan(graph()), lacuna::plan(graph(), sharedDevice())}) {
    ASSERT_EQ(plan.filters.size(), 1U);
    const FilterChoice& filter = plan.filters.front();
    EXPECT_EQ(filter.filter, "eaw:01:atrous");
    EXPECT_FALSE(filter.forced);
    EXPECT_FALSE(filter.reason.empty());
    EXPECT_EQ(filter.floorBytes, uint64_t{2} * 16 * planWidth * planHeight);
    ASSERT_GT(filter.candidates.size(), 10U);
    const auto chosen = std::find_if(filter.candidates.begin(), filter.candidates.end(),
                                     [&](const auto& each) { return each.name == filter.schedule; });
    ASSERT_NE(chosen, filter.candidates.end());
    EXPECT_TRUE(chosen->exact && chosen->rejected.empty());
    EXPECT_GT(chosen->ms, 0.0);
    EXPECT_GT(chosen->bytes, filter.floorBytes / 2);
    EXPECT_GE(plan.passes.size(), 3U);
    EXPECT_TRUE(plan.passes.front().isTransfer && plan.passes.back().isTransfer);
    EXPECT_GT(plan.memoryBytes, 0U);
    EXPECT_GE(plan.unaliasedBytes, plan.memoryBytes);
    EXPECT_EQ(plan.warmUpFrames, 0);
    EXPECT_LE(plan.liveBytes, plan.memoryBytes);
    EXPECT_FALSE(plan.liveTogether.empty());
  }
}

TEST_F(Plans, TakeSchedulesByName) {
  PipelineOptions options;
  options.schedules = {"eaw:01=rows2/buffer/pass"};
  Pipeline forced(sharedDevice(), graph(), options);
  EXPECT_TRUE(forced.plan().filters.at(0).forced);
  EXPECT_EQ(forced.plan().filters.at(0).schedule.substr(0, 5), "rows2");
  options.schedules = {"baseline/buffer/pass"};
  Pipeline baseline(sharedDevice(), graph(), options);
  const std::vector<float> from = variedPixels(planWidth, planHeight);
  std::vector<float> rows(from.size()), plain(from.size());
  forced.run(0, {{"i-memory:in", viewed(from, planWidth, planHeight)}},
             {{"o-memory:out", viewed(rows, planWidth, planHeight)}});
  baseline.run(0, {{"i-memory:in", viewed(from, planWidth, planHeight)}},
               {{"o-memory:out", viewed(plain, planWidth, planHeight)}});
  EXPECT_EQ(rows, plain);
  EXPECT_NE(rows, from);
}

TEST_F(Plans, RefuseWhatCanNotBe) {
  const auto textOf = [](const PipelineOptions& options) {
    const Error error = errorOf([&] { lacuna::plan(graph(), sharedDevice(), options); });
    EXPECT_EQ(error.kind(), ErrorKind::graph);
    return std::string(error.what());
  };
  PipelineOptions options;
  options.schedules = {"rowz"};
  EXPECT_NE(textOf(options).find("rowz"), std::string::npos) << textOf(options);
  options.schedules = {"eaw:02=rows2"};
  EXPECT_EQ(textOf(options),
            "lacuna: error: --schedule eaw:02=...: the graph has no module 'eaw:02'\n"
            "  hint: did you mean 'eaw:01'?");
  options.schedules = {};
  options.memoryBytes = 1000;
  EXPECT_NE(textOf(options).find("memory"), std::string::npos) << textOf(options);
}

TEST_F(Plans, OfLargePicturesHaveTiles) {
  constexpr int width = 1200, height = 40;
  const Graph wide = graph(width, height);
  PipelineOptions options;
  options.memoryBytes = lacuna::plan(wide).memoryBytes / 2;
  const PlanReport plan = lacuna::plan(wide, options);
  ASSERT_TRUE(plan.tiles);
  EXPECT_GT(plan.tiles->columns, 1U);
  EXPECT_EQ(plan.tiles->rows, 1U);
  EXPECT_LT(plan.tiles->width, uint32_t{width});
  EXPECT_EQ(plan.tiles->height, uint32_t{height});
  options.schedules = {"eaw:01=tiled-mirrored/buffer/pass"};
  const std::string refused = errorOf([&] { lacuna::plan(wide, options); }).what();
  EXPECT_NE(refused.find("the schedule of eaw:01:atrous"), std::string::npos) << refused;
  EXPECT_NE(refused.find("isn't exact"), std::string::npos) << refused;
}

TEST_F(Plans, KnowWhatWasMeasured) {
  Device device(freshOptions());
  EXPECT_EQ(measuredIn(lacuna::plan(graph(), device)), 0U);
  EXPECT_EQ(lacuna::plan(graph(), device).filters.front().floorMs, 0.0) << "no bandwidth is known";
  TuningOptions options;
  options.schedules = {"eaw:01=rows2/buffer/pass"};
  options.runs = 2;
  std::vector<std::string> tried;
  options.trying = [&](const std::string& filter, const std::string& schedule) {
    tried.push_back(filter + " " + schedule);
  };
  const std::vector<FilterTimes> times = tune(device, graph(), options);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times.front().filter, "eaw:01:atrous");
  ASSERT_EQ(times.front().measured.size(), 2U);  // with the one that was taken before
  EXPECT_EQ(tried.size(), 2U);
  EXPECT_GT(times.front().measured.front().ms, 0.0);
  EXPECT_LE(times.front().measured.front().ms, times.front().measured.back().ms);
  const PlanReport after = lacuna::plan(graph(), device);
  EXPECT_EQ(measuredIn(after), 2U);
  EXPECT_GT(after.filters.front().floorMs, 0.0);
  EXPECT_EQ(after.filters.front().schedule, times.front().measured.front().name);

  EXPECT_EQ(forgetMeasurements(device, graph()), 1U);
  EXPECT_EQ(forgetMeasurements(device, graph()), 0U);
  EXPECT_EQ(measuredIn(lacuna::plan(graph(), device)), 0U);

  options.schedules = {"rowz", "eaw:03=rows2"};
  const Error error = errorOf([&] { tune(device, graph(), options); });
  EXPECT_EQ(error.kind(), ErrorKind::graph);
  EXPECT_EQ(error.messages().size(), 2U) << error.what();
}

TEST_F(Plans, AreMeasuredQuietlyBeforeLongRuns) {
  const Environment always("LACUNA_TUNE_ALWAYS", "1");
  Device device(freshOptions());
  PipelineOptions options;
  EXPECT_TRUE(Pipeline(device, graph(), options).measured().empty());
  options.frames = 5;
  options.tunes = true;
  const Pipeline first(device, graph(), options);
  ASSERT_EQ(first.measured().size(), 1U);
  EXPECT_GE(measuredIn(first.plan()), 2U);
  EXPECT_EQ(first.plan().filters.front().schedule, first.measured().front().measured.front().name);
  EXPECT_TRUE(first.warnings().empty());
  EXPECT_TRUE(Pipeline(device, graph(), options).measured().empty());  // known by now
}

TEST_F(Plans, OfShortRunsCompileFastUntilTheFasterScheduleIsCompiled) {
  Device device(freshOptions());
  PipelineOptions options;
  options.frames = 1;
  options.startsFast = true;
  // So large that a schedule with more code is the fastest.
  const auto chosen = [&](const PipelineOptions& asked) {
    return Pipeline(device, graph(640, 480), asked).plan().filters.front().schedule;
  };
  const std::string fast = chosen(options);
  EXPECT_EQ(chosen(options), fast);
  const std::string usual = chosen({});
  EXPECT_NE(usual, fast);
  EXPECT_EQ(chosen(options), usual);
}

// The file on which filters are measured disappears: this is reported, and the pipeline is still made.
TEST_F(Plans, SayWhyNothingWasMeasured) {
  const Environment always("LACUNA_TUNE_ALWAYS", "1");
  std::string file = "PF\n2 1\n-1.0\n";
  const std::vector<float> pixels = {1.0F, 0.5F, 0.25F, 0.125F, 2.0F, 3.0F};
  file.append(reinterpret_cast<const char*>(pixels.data()), pixels.size() * sizeof(float));
  GraphOptions options = treeModules();
  options.inputs = {cache_.write("in.pfm", file)};
  options.parameters = {"eaw:01:levels=1", "eaw:01:noise=0.1"};
  const Graph graph = Graph::fromText(graphText("i-pfm eaw o-memory:out\n"), options);
  std::filesystem::remove(cache_.file("in.pfm"));
  Device device(freshOptions());
  PipelineOptions quiet;
  quiet.frames = 5;
  quiet.tunes = true;
  Pipeline pipeline(device, graph, quiet);
  EXPECT_TRUE(pipeline.measured().empty());
  ASSERT_EQ(pipeline.warnings().size(), 1U);
  EXPECT_NE(pipeline.warnings().front().text.find("in.pfm"), std::string::npos)
      << pipeline.warnings().front().text;
  EXPECT_EQ(errorOf([&] { pipeline.run(0, {}, {}); }).kind(), ErrorKind::input);
}

}  // namespace
}  // namespace lacuna::test
