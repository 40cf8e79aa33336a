#include "graph/run/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "graph/frame/stages.h"
#include "graph/load/file_numbers.h"
#include "graph/run/profile.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// How often the calling thread asks whether to stop while it waits.
constexpr std::chrono::milliseconds stopInterval{50};

// A frame that is computed.
struct Step {
  size_t position = 0;  // position among all frames
  int frame = 0;
  bool isWarmUp = false;
  bool first = false;
};

class Stream {
 public:
  Stream(Session& session, const StreamOptions& options, FrameSet computed, int slots)
      : session_(session),
        options_(options),
        computed_(std::move(computed)),
        wantedTotal_(static_cast<int>(options.frames.size())),
        warmUpTotal_(static_cast<int>(options.warmUp.size())),
        total_(computed_.size()),
        slots_(slots),
        next_(computed_.begin()),
        failed_(total_) {}

  RunResult run() {
    session_.stopWhen([this] {
      askToStop();
      return isStopped();
    });
    if (slots_ == 1 || !runThreads())
      workAlone();
    session_.stopWhen({});
    if (error_)
      std::rethrow_exception(error_);
    const size_t ended = static_cast<size_t>(done_) + static_cast<size_t>(warmedUp_) + damaged_.size();
    return {done_, warmedUp_, damaged_, stopped_ && ended < total_};
  }

 private:
  // A thread for each slot, or as many as are available (ulimit -u); false if there is none.
  bool runThreads() {
    std::vector<std::jthread> threads;
    try {
      for (int slot = 0; slot < slots_; ++slot)
        threads.emplace_back([this, slot] { workOnThread(slot); });
    } catch (const std::system_error&) {
      // The threads that have started take all frames.
    }
    const int started = static_cast<int>(threads.size());
    std::unique_lock lock(mutex_);
    while (ended_ < started || !finished_.empty()) {
      changed_.wait_for(lock, stopInterval, [&] { return ended_ == started || !finished_.empty(); });
      lock.unlock();
      guarded(total_, [&] { report(); });
      lock.lock();
    }
    return started > 0;
  }

  void workOnThread(int slot) {
    if (session_.profile() != nullptr)
      session_.profile()->nameThread(fmt::format("frames {}", slot));
    while (workOnce(slot)) {
    }
    const std::scoped_lock lock(mutex_);
    ++ended_;
    changed_.notify_all();
  }

  void workAlone() {
    while (workOnce(0))
      guarded(total_, [&] { report(); });
  }

  // A frame of a slot; false if there are no more.
  bool workOnce(int slot) {
    std::optional<Step> step;
    guarded(total_, [&] { step = take(); });
    if (step)
      guarded(step->position, [&] { runFrame(*step, slot); });
    return step.has_value();
  }

  std::optional<Step> take() {
    askToStop();
    const std::scoped_lock lock(mutex_);
    if (isDropped(begun_) || begun_ == total_)
      return std::nullopt;
    const int frame = *next_++;
    const bool isFirst = begun_ == 0 || options_.starts.contains(frame);
    return Step{begun_++, frame, options_.warmUp.contains(frame), isFirst};
  }

  void runFrame(const Step& step, int slot) {
    const int frame = step.frame;
    Profile* profile = session_.profile();
    const Profile::Span whole(profile, fmt::format("frame {}", frame), frame);
    const StreamFrame view(session_, frame, slot);
    RunProgress progress;
    progress.frame = frame;
    progress.isWarmUp = step.isWarmUp;
    const Clock::time_point begun = Clock::now();
    progress.damaged = upload(view, slot, step);
    progress.readSeconds = secondsSince(begun);
    if (!awaitTurn(step.position, frame))
      return;
    starts_ = starts_ || step.first;
    if (!progress.damaged.empty()) {
      cutAfter(progress);
      passTurn();
      finish(std::move(progress));
      return;
    }
    const Clock::time_point submitted = Clock::now();
    const bool timed = options_.timesPasses || profile != nullptr;
    if (options_.timesPasses && step.position == 0)
      warmDevice(frame, slot);
    progress.damaged = submit(step, slot, timed ? vk::Timed::perPass : vk::Timed::no);
    if (!progress.damaged.empty())
      cutAfter(progress);
    passTurn();
    if (!progress.damaged.empty()) {
      finish(std::move(progress));
      return;
    }
    const vk::Timings timings = session_.wait(slot);
    progress.computeSeconds = computedSince(submitted);
    askToStop();
    if (isDroppedNow(step.position))
      return;
    const Clock::time_point computed = Clock::now();
    if (!step.isWarmUp)
      progress.damaged = deliver(view, slot);
    progress.writeSeconds = secondsSince(computed);
    if (options_.timesPasses)
      progress.passMs.assign(timings.passMs.begin(), timings.passMs.end());
    finish(std::move(progress));
  }

  // Without the time in which the device had the frame before.
  double computedSince(Clock::time_point submitted) {
    const std::scoped_lock lock(mutex_);
    return secondsSince(std::max(submitted, std::exchange(lastComputed_, Clock::now())));
  }

  // Called in the frame's turn.
  void cutAfter(RunProgress& damaged) {
    if (options_.cutsAtGaps) {
      starts_ = true;
      damaged.damaged += "; history begins again after it";
    }
  }

  // Like upload(); in tiles it also reads and writes files.
  std::string submit(const Step& step, int slot, vk::Timed timed) {
    try {
      session_.submit(step.frame, slot, starts_, timed, !step.isWarmUp);
    } catch (const InputError& error) {
      return ifSkipped(options_.skipDamaged, error);
    } catch (const FileError& error) {
      return ifSkipped(options_.skipUnwritten, error);
    }
    starts_ = false;
    return {};
  }

  // Within a catch block.
  static std::string ifSkipped(bool isSkipped, const FileError& error) {
    if (!isSkipped)
      throw;
    return error.what();
  }

  // The device's first run of all passes, in which drivers may still compile. The next frame starts from
  // zero, whatever this one left.
  void warmDevice(int frame, int slot) {
    session_.submit(frame, slot, true, vk::Timed::no);
    session_.wait(slot);
  }

  // A file's error, if such frames are skipped.
  std::string upload(const StreamFrame& view, int slot, const Step& step) {
    try {
      Awaited awaited;
      while (!uploadOrWait(slot, step, awaited)) {
      }
    } catch (const InputError& error) {
      return ifSkipped(options_.skipDamaged, error);
    }
    if (options_.fill) {
      const Profile::Span span(session_.profile(), "fill", view.index());
      options_.fill(view);
    }
    return {};
  }

  // False if a file is not whole yet. True also if the frame is dropped meanwhile.
  bool uploadOrWait(int slot, const Step& step, Awaited& awaited) {
    try {
      session_.upload(step.frame, slot, !step.isWarmUp);
      return true;
    } catch (const InputError&) {
      if (!options_.waits || !isAwaited(session_.schedule().graph.modules, step.frame, awaited))
        throw;
    }
    std::this_thread::sleep_for(stopInterval);
    askToStop();
    return isDroppedNow(step.position);
  }

  // As upload().
  std::string deliver(const StreamFrame& view, int slot) {
    if (options_.take) {
      const Profile::Span span(session_.profile(), "take", view.index());
      options_.take(view);
    }
    try {
      session_.writeSinks(view.index(), slot);
    } catch (const FileError& error) {
      return ifSkipped(options_.skipUnwritten, error);
    }
    return {};
  }

  // Frames are submitted in their order. False if this one stops.
  bool awaitTurn(size_t position, int frame) {
    const Profile::Span span(session_.profile(), "turn", frame);
    askToStop();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return submitted_ == position || isDropped(position); });
    return !isDropped(position);
  }

  void passTurn() {
    const std::scoped_lock lock(mutex_);
    ++submitted_;
    changed_.notify_all();
  }

  void finish(RunProgress progress) {
    const std::scoped_lock lock(mutex_);
    if (!progress.damaged.empty())
      damaged_.add(progress.frame);
    else
      ++(progress.isWarmUp ? warmedUp_ : done_);
    progress.done = done_;
    progress.total = wantedTotal_;
    progress.warmedUp = warmedUp_;
    progress.warmUpTotal = warmUpTotal_;
    progress.seconds = secondsSince(start_);
    finished_.push_back(std::move(progress));
    changed_.notify_all();
  }

  // On the thread that called stream().
  void report() {
    std::deque<RunProgress> finished;
    {
      const std::scoped_lock lock(mutex_);
      finished.swap(finished_);
    }
    askToStop();
    for (const RunProgress& progress : finished)
      if (options_.progress)
        options_.progress(progress);
  }

  // A failure at a position stops all later ones; the caller gets the earliest.
  template <class Work>
  void guarded(size_t position, const Work& work) {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_ || position < failed_) {
        error_ = std::current_exception();
        failed_ = position;
      }
      stopped_ = stopped_ || position == total_;  // a callback's: no frame needs to finish first
      changed_.notify_all();
    }
  }

  // Once it has stopped or thrown, it isn't asked again.
  void askToStop() {
    if (options_.cancelled && !isStopped() && options_.cancelled()) {
      const std::scoped_lock lock(mutex_);
      stopped_ = true;
      changed_.notify_all();
    }
  }

  bool isDropped(size_t position) const { return stopped_ || position > failed_; }
  bool isStopped() {
    const std::scoped_lock lock(mutex_);
    return stopped_;
  }
  bool isDroppedNow(size_t position) {
    const std::scoped_lock lock(mutex_);
    return isDropped(position);
  }

  Session& session_;
  const StreamOptions& options_;
  const FrameSet computed_;
  const int wantedTotal_, warmUpTotal_;
  const size_t total_;  // of both
  const int slots_;
  const Clock::time_point start_ = Clock::now();
  // Feedback is zero in the next frame that is submitted. The frame whose turn it is.
  bool starts_ = false;

  std::mutex mutex_;  // over all below
  std::condition_variable changed_;
  FrameSet::Iterator next_;  // frame that begins next
  size_t begun_ = 0;         // positions that were
  size_t submitted_ = 0;     // positions submitted to the device
  int done_ = 0, warmedUp_ = 0;
  Clock::time_point lastComputed_ = start_;
  FrameSet damaged_;
  int ended_ = 0;                     // threads
  std::deque<RunProgress> finished_;  // not yet reported
  bool stopped_ = false;
  size_t failed_;  // the earliest position; the number of frames if none failed
  std::exception_ptr error_;
};

// The pictures of a frame in host memory.
uint64_t pictureBytes(const FrameGraph& schedule) {
  const uint64_t bytes = stagingBytes(schedule);
  return schedule.tiles ? bytes / pixelCount(schedule.tiles->extent) * pixelCount(schedule.tiles->whole)
                        : bytes;
}

}  // namespace

std::span<std::byte> StreamFrame::uploadMemory(const std::string& valueName) const {
  return session_.uploadMemory(valueName, slot_);
}

std::span<const std::byte> StreamFrame::downloadMemory(const std::string& valueName) const {
  return session_.downloadMemory(valueName, slot_);
}

int framesInFlight(const FrameGraph& schedule) {
  // Three keep one stage busy: a frame on the device, one ready for it, one between files and memory. With
  // more cores than these need, more frames are in flight, since a codec runs on one.
  constexpr int least = 3, most = 32;
  constexpr uint64_t memory = uint64_t{2} << 30;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const uint64_t affordable = std::max<uint64_t>(1, memory / std::max<uint64_t>(1, pictureBytes(schedule)));
  return static_cast<int>(
      std::min<uint64_t>(affordable, static_cast<uint64_t>(std::clamp(cores, least, most))));
}

RunResult stream(Session& session, const StreamOptions& options) {
  if (options.inFlight < 0) {
    throw std::invalid_argument(
        fmt::format("{} frames in flight: expected 1 or more, or 0 for a default", options.inFlight));
  }
  FrameSet computed = options.frames.with(options.warmUp);
  const int wanted = options.inFlight > 0 ? options.inFlight : framesInFlight(session.schedule());
  const int slots = static_cast<int>(std::clamp<size_t>(computed.size(), 1, static_cast<size_t>(wanted)));
  session.reserveSlots(slots);
  RunResult end = Stream(session, options, std::move(computed), slots).run();
  session.warnOfValues();
  return end;
}

}  // namespace lacuna
