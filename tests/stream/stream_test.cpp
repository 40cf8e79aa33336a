// Frames in flight: the results of frames one by one, never more of them than asked for, and clean ends.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/stream/sequence.h"

namespace lacuna::test {
namespace {

class Streams : public StreamTest {
 protected:
  const std::thread::id caller_ = std::this_thread::get_id();
};

TEST_F(Streams, RandomGiveTheResultsOfOneByOne) {
  for (int i = 0; i < 3; ++i) {
    const Sequence sequence(random_, 9);
    const std::map<int, Words> expected = sequence.oneByOne();
    const auto session = sequence.session();
    // Again on the same session: a sequence starts from zero.
    for (const int inFlight : {4, 1, 2, 0}) {
      SCOPED_TRACE(testing::Message() << "graph " << i << ", " << inFlight << " in flight");
      std::map<int, Words> results;
      StreamOptions options = sequence.options(results);
      options.inFlight = inFlight;
      const RunResult end = stream(*session, options);
      EXPECT_EQ(end.done, 9);
      EXPECT_FALSE(end.cancelled);
      ASSERT_EQ(results, expected);
    }
  }
}

TEST_F(Streams, RandomFromAStartOnAreASequenceOfTheirOwn) {
  const Sequence sequence(random_, 7);
  const std::map<int, Words> uncut = sequence.oneByOne();
  std::map<int, Words> expected = sequence.oneByOne(FrameSet::range(0, 2));
  expected.merge(sequence.oneByOne(FrameSet::range(3, 6)));
  ASSERT_NE(uncut.at(4), expected.at(4)) << "history has an effect";
  const auto session = sequence.session();
  for (const int inFlight : {1, 3}) {
    std::map<int, Words> results;
    StreamOptions options = sequence.options(results);
    options.inFlight = inFlight;
    options.starts = FrameSet::range(3, 3);
    EXPECT_EQ(stream(*session, options).done, 7);
    EXPECT_EQ(results, expected) << inFlight << " in flight";
  }
}

// Both frames must have begun before either continues, and no third one may begin.
TEST_F(Streams, RandomAreInFlightTogetherAndNeverMoreThanAsked) {
  const Sequence sequence(random_, 8);
  const auto session = sequence.session();
  std::map<int, Words> results;
  StreamOptions options = sequence.options(results);
  options.inFlight = 2;
  std::mutex mutex;
  std::condition_variable changed;
  int now = 0, most = 0;
  bool metInTime = true;
  const auto fill = options.fill, take = options.take;
  options.fill = [&](const StreamFrame& frame) {
    {
      std::unique_lock lock(mutex);
      most = std::max(most, ++now);
      changed.notify_all();
      metInTime = changed.wait_for(lock, std::chrono::seconds(60), [&] { return most == 2; }) && metInTime;
    }
    fill(frame);
  };
  options.take = [&](const StreamFrame& frame) {
    take(frame);
    const std::scoped_lock lock(mutex);
    --now;
  };
  EXPECT_EQ(stream(*session, options).done, 8);
  EXPECT_TRUE(metInTime);
  EXPECT_EQ(most, 2);
  EXPECT_EQ(session->slotCount(), 2);
  EXPECT_EQ(results, sequence.oneByOne());
}

TEST_F(Streams, RandomOneFrameTakesOneSlotAndNoThread) {
  const Sequence sequence(random_, 1);
  const auto session = sequence.session();
  std::map<int, Words> results;
  StreamOptions options = sequence.options(results);
  const auto take = options.take;
  options.take = [&](const StreamFrame& frame) {
    EXPECT_EQ(std::this_thread::get_id(), caller_);
    take(frame);
  };
  EXPECT_EQ(stream(*session, options).done, 1);
  EXPECT_EQ(session->slotCount(), 1);
  EXPECT_EQ(results, sequence.oneByOne());
}

TEST_F(Streams, RandomProgressCountsOnTheCallersThread) {
  const Sequence sequence(random_, 7);
  for (const int inFlight : {1, 3}) {
    const auto session = sequence.session();
    std::map<int, Words> results;
    StreamOptions options = sequence.options(results);
    options.inFlight = inFlight;
    options.timesPasses = true;
    std::vector<int> done;
    std::map<int, size_t> timed;
    options.progress = [&](const RunProgress& progress) {
      EXPECT_EQ(std::this_thread::get_id(), caller_);
      EXPECT_EQ(progress.total, 7);
      EXPECT_GE(progress.seconds, 0.0);
      done.push_back(progress.done);
      timed[progress.frame] = progress.passMs.size();
    };
    stream(*session, options);
    EXPECT_EQ(done, (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
    ASSERT_EQ(timed.size(), 7U);
    for (const auto& [frame, passes] : timed)
      EXPECT_EQ(passes, session->schedule().passes.size());
  }
}

// Each frame in flight has its own staging memory: two frames of 500 MiB in and out fit, or one of 3 GiB.
TEST(FramesInFlight, AreAsManyAsMemoryAllows) {
  const auto framesOf = [](uint64_t bytes) {
    FrameGraph schedule;
    Resource image;
    image.bytes = bytes;
    const ResourceId only = schedule.resources.add(image);
    for (const PassKind kind : {PassKind::upload, PassKind::download}) {
      Pass pass;
      pass.kind = kind;
      pass.accesses.emplace_back();
      pass.accesses.back().resource = only;
      schedule.passes.push_back(pass);
    }
    return framesInFlight(schedule);
  };
  EXPECT_EQ(framesOf(uint64_t{3} << 30), 1);
  EXPECT_EQ(framesOf(uint64_t{500} << 20), 2);
  EXPECT_GE(framesOf(1000), 3);
  EXPECT_LE(framesOf(1000), 32);
}

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Frame 6 fails before frame 4 does, and frame 4 is reported.
TEST_F(Streams, RandomTheEarliestErrorStopsAllLaterFrames) {
  const Sequence sequence(random_, 30);
  const std::map<int, Words> expected = sequence.oneByOne();
  const auto session = sequence.session();
  for (const bool whileTaking : {false, true}) {
    std::map<int, Words> results;
    StreamOptions options = sequence.options(results);
    options.inFlight = 4;
    std::atomic<bool> laterFailed = false;
    std::atomic<int> begun = 0;
    const auto fill = options.fill;
    options.fill = [&](const StreamFrame& frame) {
      ++begun;
      fill(frame);
      if (frame.index() == 6) {
        laterFailed = true;
        throw Broken("6");
      }
      if (frame.index() == 4 && !whileTaking) {
        while (!laterFailed)
          std::this_thread::yield();
        throw Broken("4");
      }
    };
    const auto take = options.take;
    options.take = [&](const StreamFrame& frame) {
      if (frame.index() == 4 && whileTaking)
        throw Broken("4");
      take(frame);
    };
    try {
      stream(*session, options);
      ADD_FAILURE() << "no error";
    } catch (const Broken& error) {
      EXPECT_EQ(std::string(error.what()), "4");
    }
    EXPECT_LT(begun, 13);
    for (int frame = 0; frame < 4; ++frame)
      EXPECT_EQ(results[frame], expected.at(frame));
    EXPECT_EQ(results.count(4) + results.count(6) + results.count(7), 0U);
  }
  std::map<int, Words> results;
  EXPECT_EQ(stream(*session, sequence.options(results)).done, 30) << "the session goes on";
  EXPECT_EQ(results, expected);
}

TEST_F(Streams, RandomStopDropsWhatIsInFlight) {
  const Sequence sequence(random_, 200);
  const auto session = sequence.session();
  for (const int inFlight : {1, 3}) {
    std::map<int, Words> results;
    StreamOptions options = sequence.options(results);
    options.inFlight = inFlight;
    std::atomic<bool> stop = false;
    options.cancelled = [&] { return stop.load(); };
    options.progress = [&](const RunProgress& progress) { stop = stop || progress.done >= 5; };
    const RunResult end = stream(*session, options);
    EXPECT_TRUE(end.cancelled);
    EXPECT_GE(end.done, 5);
    EXPECT_LT(end.done, 200);
    EXPECT_EQ(results.size(), static_cast<size_t>(end.done));
  }
}

TEST_F(Streams, RandomErrorsOfCallbacksComeThrough) {
  const Sequence sequence(random_, 50);
  const auto session = sequence.session();
  for (const int inFlight : {1, 3}) {
    std::map<int, Words> results;
    StreamOptions options = sequence.options(results);
    options.inFlight = inFlight;
    options.progress = [&](const RunProgress&) { throw Broken("progress"); };
    EXPECT_THROW(stream(*session, options), Broken);
    EXPECT_LT(results.size(), 50U);
  }
}

TEST_F(Streams, RandomRefuseWhatMakesNoSense) {
  const Sequence sequence(random_, 2);
  const auto session = sequence.session();
  std::map<int, Words> results;
  StreamOptions options = sequence.options(results);
  options.inFlight = -1;
  EXPECT_THROW(stream(*session, options), std::invalid_argument);
  options.inFlight = 0;
  options.frames = {};
  EXPECT_EQ(stream(*session, options).done, 0);
  EXPECT_TRUE(results.empty());
  for (const int slot : {-1, session->slotCount(), 1 << 20}) {
    EXPECT_THROW(session->submit(0, slot, true, vk::Timed::no), vk::DeviceError) << slot;
    EXPECT_THROW(session->wait(slot), vk::DeviceError) << slot;
  }
}

}  // namespace
}  // namespace lacuna::test
