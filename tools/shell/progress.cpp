#include "tools/shell/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tools/shell/messages.h"

namespace lacuna {
namespace {

constexpr double terminalInterval = 0.1, plainInterval = 60.0;  // seconds between lines

bool isTerminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) {
    return seconds < 10.0 ? fmt::format("{:.1f} s", seconds) : fmt::format("{} s", whole);
  }
  return whole < 3600 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                      : fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

Progress::Progress(ShowProgress show, int frames)
    : shown_(show == ShowProgress::always || (show == ShowProgress::automatic && frames > 1)),
      rewrites_(isTerminal()) {}

Progress::~Progress() {
  clearLine();
}

void Progress::clearLine() {
  if (lineIsOpen_) {
    fmt::print(stderr, "\r\x1b[K");
    lineIsOpen_ = false;
  }
}

void Progress::clear() {
  const std::scoped_lock lock(mutex_);
  clearLine();
}

void Progress::message(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  clearLine();
  fmt::print(stderr, "{}\n", terminalText(text));
}

void Progress::update(const RunProgress& progress) {
  const std::scoped_lock lock(mutex_);
  const double interval = rewrites_ ? terminalInterval : plainInterval;
  if (!shown_ || progress.seconds < lastShown_ + interval || progress.done == progress.total) {
    return;  // of the end the summary speaks
  }
  lastShown_ = progress.seconds;
  const int done = progress.done + progress.warmedUp, total = progress.total + progress.warmUpTotal;
  const double rate = done / std::max(progress.seconds, 1e-3);
  const std::string pace =  // none yet, where all frames so far were left out
      done > 0 ? fmt::format(", {:.1f} a second, {} left", rate, duration((total - done) / rate)) : "";
  const std::string how = progress.isWarmUp ? fmt::format("{} of {}", progress.warmedUp, progress.warmUpTotal)
                                            : fmt::format("{} of {} done", progress.done, progress.total);
  const std::string line =
      fmt::format("{} {}: {}{}", progress.isWarmUp ? "warm-up, frame" : "frame", progress.frame, how, pace);
  if (rewrites_) {
    fmt::print(stderr, "\r{}\x1b[K", line);
    std::fflush(stderr);
    lineIsOpen_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
}

}  // namespace lacuna
