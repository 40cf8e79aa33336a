#include "tools/lacuna/run/many_devices.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

class Team {
 public:
  explicit Team(const PartedRun& asked) : asked_(asked), parts_(asked.parts.begin(), asked.parts.end()) {
    for (const FrameSet& part : parts_)
      total_ += static_cast<int>(part.size());
  }

  PartedResult run(std::vector<Device>& devices) {
    std::vector<std::jthread> threads;
    for (Device& device : devices)
      threads.emplace_back([this, &device] { work(device); });
    threads.clear();  // joins
    if (error_)
      std::rethrow_exception(error_);
    for (const FrameSet& part : parts_)
      result_.left = result_.left.with(part);
    return std::move(result_);
  }

 private:
  void work(Device& device) {
    while (const std::optional<FrameSet> part = take()) {
      FrameSet ended;
      try {
        runPart(device, *part, ended);
        giveBack({});
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::device)
          return fail();
        const std::scoped_lock lock(mutex_);
        result_.failed.push_back(fmt::format("{}: {}", device.description().name, error.what()));
        giveBackLocked(part->without(ended));
        return;
      } catch (...) {
        return fail();
      }
    }
  }

  void runPart(Device& device, const FrameSet& part, FrameSet& ended) {
    PipelineOptions options = asked_.pipeline;
    options.frames = static_cast<int>(part.size());
    Pipeline pipeline(device, asked_.graphOf(part), options);
    RunOptions run = asked_.run;
    run.progress = [&](const RunProgress& now) {
      if (!now.isWarmUp)
        ended.add(now.frame);
      report(now);
    };
    run.warning = [&](const std::string& text) {
      const std::scoped_lock lock(mutex_);
      asked_.run.warning(text);
    };
    run.cancelled = [&] { return hasFailed() || asked_.run.cancelled(); };
    const RunResult end = pipeline.run(run);
    const std::scoped_lock lock(mutex_);
    result_.run.damaged = result_.run.damaged.with(end.damaged);
    result_.run.cancelled = result_.run.cancelled || end.cancelled;
  }

  void report(RunProgress now) {
    const std::scoped_lock lock(mutex_);
    RunResult& sum = result_.run;
    if (now.damaged.empty())
      ++(now.isWarmUp ? sum.warmedUp : sum.done);
    now.done = sum.done;
    now.total = total_;
    now.warmedUp = now.warmUpTotal = sum.warmedUp;
    now.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    asked_.run.progress(now);
  }

  // Waits while a device is busy, because it may still fail. None if all is done, or nothing more is to
  // begin.
  std::optional<FrameSet> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !parts_.empty() || busy_ == 0 || error_; });
    if (parts_.empty() || error_ || result_.run.cancelled)
      return std::nullopt;
    FrameSet part = std::move(parts_.front());
    parts_.pop_front();
    ++busy_;
    return part;
  }

  void giveBack(FrameSet part) {
    const std::scoped_lock lock(mutex_);
    giveBackLocked(std::move(part));
  }

  void giveBackLocked(FrameSet part) {
    if (!part.empty())
      parts_.push_front(std::move(part));
    --busy_;
    changed_.notify_all();
  }

  void fail() {
    const std::scoped_lock lock(mutex_);
    error_ = error_ ? error_ : std::current_exception();
    giveBackLocked({});
  }

  bool hasFailed() {
    const std::scoped_lock lock(mutex_);
    return error_ != nullptr;
  }

  const PartedRun& asked_;
  const Clock::time_point start_ = Clock::now();
  int total_ = 0;

  std::mutex mutex_;  // over all below, and callbacks
  std::condition_variable changed_;
  std::deque<FrameSet> parts_;  // that no device has
  int busy_ = 0;                // devices with a part
  PartedResult result_;
  std::exception_ptr error_;
};

}  // namespace

PartedResult runOnDevices(std::vector<Device>& devices, const PartedRun& asked) {
  return Team(asked).run(devices);
}

}  // namespace lacuna
