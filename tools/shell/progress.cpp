#include "tools/shell/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>

#include "tools/shell/messages.h"

namespace lacuna {
namespace {

const auto begun = std::chrono::steady_clock::now();
constexpr double terminalInterval = 0.1, plainInterval = 60.0;  // seconds between lines

bool isTerminal(int stream) {  // that moves its cursor, too
  const char* term = std::getenv("TERM");
  return isatty(stream) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

std::mutex mutex;

// Seconds of all frames so far, also of those of runs without a line of their own.
int timedFrames = 0;
std::map<std::string, double> stages;

// ", slowest: writing, 80 ms"
std::string slowestStage() {
  if (timedFrames == 0)
    return {};
  const auto& [name, seconds] =
      *std::ranges::max_element(stages, {}, [](const auto& each) { return each.second; });
  return fmt::format(", slowest: {}, {:.0f} ms", name, 1e3 * seconds / timedFrames);
}

}  // namespace

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60)
    return seconds < 10.0 ? fmt::format("{:.1f} s", seconds) : fmt::format("{} s", whole);
  return whole < 3600 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                      : fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

double commandSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

Progress::Progress(ShowProgress show, size_t count)
    : shown_(show == ShowProgress::always || (show == ShowProgress::automatic && count > 1)),
      rewrites_(isTerminal(STDERR_FILENO)) {}

Progress::~Progress() {
  clearPassing();
}

void Progress::update(const RunProgress& progress) {
  {
    const std::scoped_lock lock(mutex);
    ++timedFrames;
    stages["reading"] += progress.readSeconds;
    stages["computing"] += progress.computeSeconds;
    stages["writing"] += progress.writeSeconds;
    leftOut_ += progress.damaged.empty() ? 0 : 1;
  }
  const int done = progress.done + progress.warmedUp;
  const std::string how = progress.isWarmUp ? fmt::format("{} of {}", progress.warmedUp, progress.warmUpTotal)
                                            : fmt::format("{} of {} done", progress.done, progress.total);
  update(fmt::format("{} {}: {}", progress.isWarmUp ? "warm-up, frame" : "frame", progress.frame, how), done,
         progress.total + progress.warmUpTotal - leftOut_ - done, progress.seconds);
}

void Progress::update(const std::string& now, int done, int left, double seconds) {
  const std::scoped_lock lock(mutex);
  const double interval = rewrites_ ? terminalInterval : plainInterval;
  if (!shown_ || seconds < lastShown_ + interval || left == 0)
    return;  // the summary reports the end
  lastShown_ = seconds;
  const double rate = done / std::max(seconds, 1e-3);
  const std::string pace =  // none yet, if all so far were skipped
      done > 0 ? fmt::format(", {:.1f} a second, {} left{}", rate, duration(left / rate),
                             rewrites_ ? slowestStage() : "")
               : "";
  rewrites_ ? printPassing(now + pace) : printLine(now + pace);
}

}  // namespace lacuna
