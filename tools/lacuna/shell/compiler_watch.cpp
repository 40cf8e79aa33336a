#include "tools/lacuna/shell/compiler_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "graph/compiling.h"
#include "graph/config/text.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

constexpr const char* variable = "LACUNA_SHADER_SECONDS";

double secondsAllowed() {
  const char* text = std::getenv(variable);
  if (text == nullptr)
    return 600.0;
  const auto seconds = parseNumber(text);
  if (!seconds || !(*seconds > 0.0))
    throw std::runtime_error(fmt::format("{} is '{}', but must be a number above 0", variable, text));
  return *seconds;
}

}  // namespace

CompilerWatch::CompilerWatch() : seconds_(secondsAllowed()), thread_([this] { watch(); }) {}

CompilerWatch::~CompilerWatch() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void CompilerWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::milliseconds(200), [this] { return over_; })) {
    const auto oldest = Compiling::oldest();
    const auto age = oldest ? Compiling::Clock::now() - oldest->since : Compiling::Clock::duration::zero();
    if (std::chrono::duration<double>(age).count() > seconds_) {
      printError(fmt::format("{} is still compiling after {:g} seconds; {}=N allows N", oldest->name,
                             seconds_, variable));
      // Other threads can't be joined, and must not see what they use destroyed.
      _exit(exitFailed);
    }
  }
}

}  // namespace lacuna
