#include "tools/shell/time_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "graph/config/text.h"
#include "graph/watched.h"
#include "lacuna/lacuna.h"
#include "tools/shell/arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

constexpr const char* shaderVariable = "LACUNA_SHADER_SECONDS";
constexpr const char* frameVariable = "LACUNA_GPU_SECONDS";
constexpr double secondsUntold = 2.0, secondsBetween = 10.0;  // before a line, between lines

double secondsAllowed(const char* variable, double usual) {
  const char* text = std::getenv(variable);
  if (text == nullptr)
    return usual;
  const auto seconds = parseNumber(text);
  if (!seconds || !(*seconds > 0.0))
    throw Error(ErrorKind::call, fmt::format("{} is '{}', but must be a number above 0", variable, text));
  return *seconds;
}

double secondsSince(Compiling::Clock::time_point then) {
  return std::chrono::duration<double>(Compiling::Clock::now() - then).count();
}

// Prints at most one line for each compilation on a terminal.
class SlowCompilations {
 public:
  void tell() {
    if (!isTerminal_ || secondsSince(at_) < secondsBetween)
      return;
    const auto work = Compiling::longerThan(secondsUntold);
    if (work && work->since != told_) {
      printNote(fmt::format("compiling {}; later runs find it in the cache", work->name));
      told_ = work->since;
      at_ = Compiling::Clock::now();
    }
  }

 private:
  bool isTerminal_ = isatty(STDERR_FILENO) != 0;
  Compiling::Clock::time_point told_, at_;
};

[[noreturn]] void end(const std::string& message) {
  printError(message);
  // Other threads can't be joined, and must not see their data destroyed.
  _exit(exitFailed);
}

}  // namespace

TimeWatch::TimeWatch()
    : shaderSeconds_(secondsAllowed(shaderVariable, 600.0)),
      frameSeconds_(secondsAllowed(frameVariable, 3600.0)) {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // If no more threads are available (ulimit -u), nothing is watched.
  }
}

TimeWatch::~TimeWatch() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable())
    thread_.join();
}

void TimeWatch::watch() {
  SlowCompilations slow;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::milliseconds(200), [this] { return over_; })) {
    if (!isQuiet_)
      slow.tell();
    endIfOver();
  }
}

void TimeWatch::endIfOver() const {
  if (const auto graph = CompilingGraph::longerThan(shaderSeconds_)) {
    const auto shader = Compiling::longerThan(0.0);
    end(fmt::format("{} is still compiling after {:g} seconds; {}=N allows N{}", graph->name, shaderSeconds_,
                    shaderVariable, shader ? "\n  now " + shader->name : ""));
  }
  if (const auto shader = Compiling::longerThan(shaderSeconds_)) {
    end(fmt::format("{} is still compiling after {:g} seconds; {}=N allows N", shader->name, shaderSeconds_,
                    shaderVariable));
  }
  if (const auto frame = Computing::longerThan(frameSeconds_)) {
    end(fmt::format(
        "the device is still computing {} after {:g} seconds: a loop that never ends?\n  {}=N allows N",
        frame->name, frameSeconds_, frameVariable));
  }
}

}  // namespace lacuna
