#include "tools/lacuna/shell/compiler_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "graph/compiling.h"
#include "graph/config/text.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

constexpr const char* variable = "LACUNA_SHADER_SECONDS";
constexpr double secondsUntold = 2.0, secondsBetween = 10.0;  // before a line, between lines

double secondsAllowed() {
  const char* text = std::getenv(variable);
  if (text == nullptr)
    return 600.0;
  const auto seconds = parseNumber(text);
  if (!seconds || !(*seconds > 0.0))
    throw std::runtime_error(fmt::format("{} is '{}', but must be a number above 0", variable, text));
  return *seconds;
}

double secondsSince(Compiling::Clock::time_point then) {
  return std::chrono::duration<double>(Compiling::Clock::now() - then).count();
}

// Lines on a terminal, few of them: of each compilation at most one.
class SlowCompilations {
 public:
  void tell(const Compiling::Work& work) {
    const bool isLong = secondsSince(work.since) > secondsUntold;
    if (isLong && isTerminal_ && work.since != told_ && secondsSince(at_) > secondsBetween) {
      printNote(fmt::format("compiling {}; later runs find it in the cache", work.name));
      told_ = work.since;
      at_ = Compiling::Clock::now();
    }
  }

 private:
  bool isTerminal_ = isatty(STDERR_FILENO) != 0;
  Compiling::Clock::time_point told_, at_;
};

}  // namespace

CompilerWatch::CompilerWatch() : seconds_(secondsAllowed()) {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // No more threads may be had (ulimit -u): nobody watches then.
  }
}

CompilerWatch::~CompilerWatch() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable())
    thread_.join();
}

void CompilerWatch::watch() {
  SlowCompilations slow;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::milliseconds(200), [this] { return over_; })) {
    const auto oldest = Compiling::oldest();
    if (oldest && !isQuiet_) {
      slow.tell(*oldest);
    }
    if (oldest && secondsSince(oldest->since) > seconds_) {
      printError(fmt::format("{} is still compiling after {:g} seconds; {}=N allows N", oldest->name,
                             seconds_, variable));
      // Other threads can't be joined, and must not see what they use destroyed.
      _exit(exitFailed);
    }
  }
}

}  // namespace lacuna
