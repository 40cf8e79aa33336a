// Sequences: callbacks, feedback, cancelling, and the state after an error.

#include <atomic>
#include <future>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "tests/door/embedder.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

constexpr int width = 6, height = 5;

class Runs : public Validated {};

// The mean of the frames so far.
Graph meanGraph(const Frames& frames) {
  GraphOptions options = optionsFor({.width = width, .height = height, .format = PixelFormat::f32});
  options.frames = frames;
  return Graph::fromText(aroundModule("accum"), options);
}

std::vector<float> frameNumbered(int number) {
  return variedPixels(width, height, 17 * number);
}

void fillNumbered(Frame& frame) {
  const std::vector<float> from = frameNumbered(frame.number());
  frame.put("i-memory:in", viewed(from, width, height));
}

// What the pipeline makes of the image of a number in a frame.
std::vector<float> resultOf(Pipeline& pipeline, int frame, int number) {
  const std::vector<float> from = frameNumbered(number);
  std::vector<float> to(from.size());
  pipeline.run(frame, {{"i-memory:in", viewed(from, width, height)}},
               {{"o-memory:out", viewed(to, width, height)}});
  return to;
}

double meanUpTo(int first, int last, size_t i) {
  double sum = 0.0;
  for (int frame = first; frame <= last; ++frame)
    sum += static_cast<double>(frameNumbered(frame)[i]);
  return sum / (last - first + 1);
}

TEST_F(Runs, FillAndTakeFramesInAnyNumberAtATime) {
  for (const int inFlight : {1, 4}) {
    Pipeline pipeline(sharedDevice(), meanGraph("0-8"));
    std::mutex mutex;
    std::map<int, std::vector<float>> results;
    std::vector<int> done;
    RunOptions options;
    options.inFlight = inFlight;
    options.timesPasses = true;
    options.fill = fillNumbered;
    options.take = [&](const Frame& frame) {
      std::vector<float> pixels(numbersIn(width, height, 4));
      frame.get("o-memory:out", viewed(pixels, width, height));
      const std::scoped_lock lock(mutex);
      results[frame.number()] = std::move(pixels);
    };
    const std::thread::id caller = std::this_thread::get_id();
    options.progress = [&](const RunProgress& now) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(now.total, 9);
      EXPECT_EQ(now.passMs.size(), pipeline.plan().passes.size());
      done.push_back(now.done);
    };
    const RunResult result = pipeline.run(options);
    EXPECT_EQ(result.done, 9);
    EXPECT_FALSE(result.cancelled);
    EXPECT_EQ(done, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    ASSERT_EQ(results.size(), 9U);
    for (const auto& [frame, pixels] : results)
      for (size_t i = 0; i < pixels.size(); ++i)
        ASSERT_NEAR(static_cast<double>(pixels[i]), meanUpTo(0, frame, i), 1e-6) << frame;
  }
}

TEST_F(Runs, ContinueFrameByFrameUntilRestarted) {
  Pipeline pipeline(sharedDevice(), meanGraph(Frames::none()));
  const auto run = [&](int frame) { return static_cast<double>(resultOf(pipeline, frame, frame)[6]); };
  EXPECT_NEAR(run(3), meanUpTo(3, 3, 6), 1e-6);
  EXPECT_NEAR(run(4), meanUpTo(3, 4, 6), 1e-6);
  EXPECT_NEAR(run(5), meanUpTo(3, 5, 6), 1e-6);
  pipeline.restart();
  EXPECT_NEAR(run(6), meanUpTo(6, 6, 6), 1e-6);
  EXPECT_NEAR(run(9), (meanUpTo(6, 6, 6) + meanUpTo(9, 9, 6)) / 2, 1e-6);  // without motion, over gaps
}

TEST_F(Runs, ContinueTheSequenceThatRanBefore) {
  Pipeline pipeline(sharedDevice(), meanGraph("2-4"));
  RunOptions options;
  options.fill = fillNumbered;
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(pipeline.run(options).done, 3);  // frames 0 and 1 are computed, too
    EXPECT_NEAR(static_cast<double>(resultOf(pipeline, 5, 5)[6]), meanUpTo(0, 5, 6), 1e-6);
  }
}

// Motion leads from a frame to the one before, so behind a gap there is no history.
TEST_F(Runs, WithMotionBeginAgainBehindAGap) {
  GraphOptions options = optionsFor({.width = width, .height = height, .format = PixelFormat::f32});
  options.images["i-memory:motion"] = {.width = width,
                                       .height = height,
                                       .channels = PixelChannels::mv,
                                       .format = PixelFormat::f32,
                                       .colour = PixelColour::data};
  options.frames = Frames::none();
  Pipeline pipeline(
      sharedDevice(),
      Graph::fromText(
          graphText(aroundModule("taa") +
                    "i-memory:motion motion=taa\nparam:taa:01:gamma:1000\nparam:taa:01:sampling:bilinear\n"),
          options));
  const std::vector<float> still(numbersIn(width, height, 2));
  const auto run = [&](int frame) {
    const std::vector<float> from = frameNumbered(frame);
    std::vector<float> to(from.size());
    pipeline.run(frame,
                 {{"i-memory:in", viewed(from, width, height)},
                  {"i-memory:motion",
                   {.pixels = still.data(), .width = width, .height = height, .order = ChannelOrder::xy}}},
                 {{"o-memory:out", viewed(to, width, height)}});
    return to;
  };
  EXPECT_EQ(run(0), frameNumbered(0));
  EXPECT_NE(run(1), frameNumbered(1));
  EXPECT_EQ(run(3), frameNumbered(3));
  EXPECT_EQ(run(2), frameNumbered(2));
}

TEST_F(Runs, WarmUpWithoutTakingFrames) {
  Pipeline pipeline(sharedDevice(), meanGraph({4, 6}));
  std::set<int> filled, taken;
  RunOptions options;
  options.inFlight = 1;
  options.fill = [&](Frame& frame) {
    filled.insert(frame.number());
    fillNumbered(frame);
  };
  options.take = [&](const Frame& frame) {
    taken.insert(frame.number());
    const ConstImageView view = frame.sink("o-memory:out");
    ASSERT_EQ(view.format, PixelFormat::f32);
    EXPECT_NEAR(static_cast<double>(static_cast<const float*>(view.pixels)[2]),
                meanUpTo(0, frame.number(), 2), 1e-6);
  };
  options.progress = [](const RunProgress& now) {
    EXPECT_EQ(now.total, 2);
    EXPECT_EQ(now.warmUpTotal, 5);
  };
  const RunResult result = pipeline.run(options);
  EXPECT_EQ(result.done, 2);
  EXPECT_EQ(result.warmedUp, 5);
  EXPECT_EQ(filled, (std::set<int>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(taken, (std::set<int>{4, 6}));
  EXPECT_EQ(pipeline.plan().warmUpFrames, -1);
  EXPECT_EQ(pipeline.plan().warmUpReason, "accum:01");
}

TEST_F(Runs, StopWhenTheyAreCancelledAndRunAgain) {
  Pipeline pipeline(sharedDevice(), meanGraph("0-999"));
  std::atomic<bool> isEnough = false;
  RunOptions options;
  options.fill = fillNumbered;
  options.progress = [&](const RunProgress& now) { isEnough = now.done >= 3; };
  options.cancelled = [&] { return isEnough.load(); };
  const RunResult result = pipeline.run(options);
  EXPECT_TRUE(result.cancelled);
  EXPECT_GE(result.done, 3);
  EXPECT_LT(result.done, 1000);
  isEnough = false;
  EXPECT_TRUE(pipeline.run(options).cancelled);
  // What comes after the last frame stops nothing.
  Pipeline whole(sharedDevice(), meanGraph("0-2"));
  isEnough = false;
  const RunResult all = whole.run(options);
  EXPECT_EQ(all.done, 3);
  EXPECT_TRUE(isEnough);
  EXPECT_FALSE(all.cancelled);
}

struct Mine {
  int number;
};

TEST_F(Runs, PassOnWhatCallbacksThrow) {
  Pipeline pipeline(sharedDevice(), meanGraph("0-3"));
  RunOptions options;
  EXPECT_EQ(errorOf([&] { pipeline.run(options); }).messages().front().text,
            "run: i-memory:in needs an image in every frame: set RunOptions::fill");
  options.fill = [](Frame& frame) {
    if (frame.number() == 2) {
      throw Mine{7};
    }
    fillNumbered(frame);
  };
  try {
    pipeline.run(options);
    ADD_FAILURE();
  } catch (const Mine& mine) {
    EXPECT_EQ(mine.number, 7);
  }
  // A type that the runtime throws, too.
  options.fill = [](Frame&) { throw std::system_error(std::make_error_code(std::errc::io_error)); };
  EXPECT_THROW(pipeline.run(options), std::system_error);
  options.fill = [](Frame& frame) { frame.put("i-memory:in", {}); };
  EXPECT_EQ(errorOf([&] { pipeline.run(options); }).kind(), ErrorKind::call);
  options.fill = fillNumbered;
  EXPECT_EQ(pipeline.run(options).done, 4);
}

TEST_F(Runs, PassOnWhatCancelledThrowsWhileFramesAreInFlight) {
  for (const int inFlight : {1, 4}) {
    Pipeline pipeline(sharedDevice(), meanGraph("0-99"));
    std::atomic<int> filled = 0;
    RunOptions options;
    options.inFlight = inFlight;
    options.fill = [&](Frame& frame) {
      ++filled;
      fillNumbered(frame);
    };
    options.cancelled = [&]() -> bool {
      if (filled > 5) {
        throw Mine{inFlight};
      }
      return false;
    };
    try {
      pipeline.run(options);
      ADD_FAILURE();
    } catch (const Mine& mine) {
      EXPECT_EQ(mine.number, inFlight);
    }
    EXPECT_LT(filled, 50);
    options.cancelled = {};
    EXPECT_EQ(pipeline.run(options).done, 100);
  }
}

// The sum of i-memory:in and i-memory:other.
Graph sumGraph() {
  const ImageType type{.width = width, .height = height, .format = PixelFormat::f32};
  GraphOptions options = optionsFor(type);
  options.images["i-memory:other"] = type;
  options.frames = "0-5";
  options.parameters = {"exposure:01:stops=1"};
  return Graph::fromText(graphText("i-memory:in mix exposure o-memory:out\ni-memory:other other=mix\n"),
                         options);
}

TEST_F(Runs, NeedAnImageForEachSourceInEveryFrame) {
  for (const int inFlight : {1, 3}) {
    Pipeline pipeline(sharedDevice(), sumGraph());
    std::set<int> left = {2};
    std::atomic<int> right = 0;
    RunOptions options;
    options.inFlight = inFlight;
    options.fill = [&](Frame& frame) {
      fillNumbered(frame);
      if (left.count(frame.number()) == 0) {  // in place
        const ImageView other = frame.source("i-memory:other");
        copy(viewed(frameNumbered(frame.number() + 1), width, height), other);
      }
    };
    options.take = [&](const Frame& frame) {
      std::vector<float> sums(numbersIn(width, height, 4));
      frame.get("o-memory:out", viewed(sums, width, height));
      const std::vector<float> a = frameNumbered(frame.number()), b = frameNumbered(frame.number() + 1);
      right += std::abs(sums[9] - (a[9] + b[9])) < 1e-6F ? 1 : 0;
    };
    const Error error = errorOf([&] { pipeline.run(options); });
    EXPECT_EQ(error.kind(), ErrorKind::call);
    EXPECT_EQ(error.messages().front().text,
              "run: frame 2 has no image for i-memory:other; every frame needs one for each source");
    EXPECT_EQ(right, 2);  // the frames before
    left = {};
    right = 0;
    EXPECT_EQ(pipeline.run(options).done, 6);
    EXPECT_EQ(right, 6);
  }
}

TEST_F(Runs, AreOfOneThreadAtATime) {
  Pipeline pipeline(sharedDevice(), meanGraph("0-3"));
  const std::vector<float> from = frameNumbered(0);
  const auto refused = [&] {
    for (const std::function<void()>& call : std::initializer_list<std::function<void()>>{
             [&] { pipeline.run(RunOptions()); },
             [&] {
               pipeline.run(0, {{"i-memory:in", viewed(from, width, height)}}, {});
             },
             [&] { pipeline.restart(); }}) {
      const Error error = errorOf(call);
      EXPECT_EQ(error.kind(), ErrorKind::call);
      EXPECT_EQ(std::string(error.what()).substr(0, 44), "lacuna: error: run: this pipeline is running");
    }
  };
  RunOptions options;
  options.fill = [&](Frame& frame) {
    fillNumbered(frame);
    std::async(std::launch::async, refused).get();
    refused();
  };
  EXPECT_EQ(pipeline.run(options).done, 4);
  EXPECT_EQ(pipeline.run(options).done, 4);  // it is free again
}

TEST_F(Runs, RefuseWhatCanNotBe) {
  Pipeline pipeline(sharedDevice(), meanGraph("0-3"));
  RunOptions options;
  options.fill = fillNumbered;
  options.inFlight = -1;
  const Error negative = errorOf([&] { pipeline.run(options); });
  EXPECT_EQ(negative.kind(), ErrorKind::call);
  EXPECT_EQ(negative.messages().front().text, "run: RunOptions::inFlight is -1, but must be 0 or more");

  const Folder folder;
  DeviceOptions inTheWay;
  inTheWay.select = sharedDevice().description().uuid;
  inTheWay.cacheFolder = folder.file("");
  folder.write("debug-shaders", "a file in the folder's place");
  Device device(inTheWay);
  PipelineOptions debugged;
  debugged.debugShaders = true;
  const Error unwritable = errorOf([&] { Pipeline(device, meanGraph("0"), debugged); });
  EXPECT_EQ(unwritable.kind(), ErrorKind::file);
  EXPECT_NE(std::string(unwritable.what()).find("debug-shaders"), std::string::npos) << unwritable.what();
}

// A PNG file of one pixel, whose Exif data is damaged.
std::string damagedExif() {
  const unsigned char bytes[] = {0x89, 'P', 'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,    0,    13,   'I',
                                 'H',  'D', 'R',  0,    0,    0,    1,    0,    0,    0,    1,    8,    2,
                                 0,    0,   0,    0x90, 0x77, 0x53, 0xde, 0,    0,    0,    6,    'e',  'X',
                                 'I',  'f', 'b',  'r',  'o',  'k',  'e',  'n',  0x90, 0x13, 0xe9, 0xe2, 0,
                                 0,    0,   12,   'I',  'D',  'A',  'T',  0x78, 0x9c, 0x63, 0x70, 0x68, 0x38,
                                 0,    0,   0x02, 0x84, 0x01, 0x81, 0x26, 0x97, 0xa7, 0x2b, 0,    0,    0,
                                 0,    'I', 'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82};
  return {std::begin(bytes), std::end(bytes)};
}

TEST_F(Runs, WarnUntilTheyEnd) {
  const Folder folder;
  GraphOptions graph = treeModules();
  graph.inputs = {folder.file("in%d.png")};
  for (int frame = 0; frame < 3; ++frame)
    folder.write("in" + std::to_string(frame) + ".png", damagedExif());
  Pipeline pipeline(sharedDevice(), Graph::fromText(graphText("i-png o-memory:out\n"), graph));
  {
    std::mutex mutex;
    std::set<std::string> warnings;
    RunOptions options;
    options.warning = [&](const std::string& text) {
      const std::scoped_lock lock(mutex);
      EXPECT_TRUE(warnings.insert(text).second) << text;
    };
    EXPECT_EQ(pipeline.run(options).done, 3);
    EXPECT_EQ(warnings.size(), 2U);  // the first file's was the graph's
  }
  pipeline.run(2, {}, {});  // the receiver of warnings is gone
  RunOptions options;
  options.warning = [](const std::string&) {
    throw std::system_error(std::make_error_code(std::errc::io_error));
  };
  EXPECT_THROW(pipeline.run(options), std::system_error);
  options.warning = {};
  EXPECT_EQ(pipeline.run(options).done, 3);
}

TEST_F(Runs, LeaveATrace) {
  PipelineOptions options;
  options.trace = std::make_shared<Trace>();
  Pipeline pipeline(sharedDevice(), meanGraph("0-1"), options);
  RunOptions run;
  run.fill = fillNumbered;
  pipeline.run(run);
  for (const char* span : {"compile", "shaders", "fill", "accum:01:main"})
    EXPECT_NE(options.trace->json().find(span), std::string::npos) << span;
  const Folder folder;
  options.trace->write(folder.file("trace.json"));
  EXPECT_TRUE(std::filesystem::exists(folder.file("trace.json")));
  EXPECT_EQ(errorOf([&] { options.trace->write(folder.file("trace.json/trace.json")); }).kind(),
            ErrorKind::file);
}

TEST_F(Runs, OfTwoThreadsOnOneDeviceDontMeet) {
  const auto work = [](int seed) {
    Pipeline pipeline(sharedDevice(), meanGraph(Frames::none()));
    for (int frame = seed; frame < seed + 20; ++frame) {
      const std::vector<float> to = resultOf(pipeline, frame, frame);
      for (size_t i = 0; i < to.size(); ++i)
        ASSERT_NEAR(static_cast<double>(to[i]), meanUpTo(seed, frame, i), 1e-6) << seed;
    }
  };
  // An exception in a thread fails the test, not the program.
  std::future<void> other = std::async(std::launch::async, work, 100);
  work(0);
  other.get();
}

// Shaders and the driver's pipelines are compiled and cached side by side.
TEST_F(Runs, OfManyThreadsOnANewDeviceDontMeet) {
  const Folder folder;
  DeviceOptions fresh;
  fresh.select = sharedDevice().description().uuid;
  fresh.cacheFolder = folder.file("");
  Device device(fresh);
  const auto work = [&](int stops) {
    GraphOptions options = optionsFor({.width = width, .height = height, .format = PixelFormat::f32});
    options.parameters = {"exposure:01:stops=" + std::to_string(stops)};
    Pipeline pipeline(device,
                      Graph::fromText(aroundModule(stops % 2 == 0 ? "exposure" : "accum"),
                                      stops % 2 == 0 ? options : optionsFor(options.images.begin()->second)));
    const float factor = stops % 2 == 0 ? static_cast<float>(1 << stops) : 1.0F;
    EXPECT_EQ(resultOf(pipeline, 0, 1)[0], factor * frameNumbered(1)[0]) << stops;
  };
  std::vector<std::future<void>> threads;
  for (int stops = 0; stops < 4; ++stops)
    threads.push_back(std::async(std::launch::async, work, stops));
  for (std::future<void>& thread : threads)
    thread.get();
}

TEST_F(Runs, OutliveTheirDeviceAndGraph) {
  const auto made = [] {
    Device device;
    return Pipeline(device, meanGraph(Frames::none()));
  };
  Pipeline pipeline = made();
  EXPECT_EQ(resultOf(pipeline, 0, 1), frameNumbered(1));
}

}  // namespace
}  // namespace lacuna::test
