#pragma once
// Work that can't be stopped and may take for ever: compilers on shaders, devices on frames. Whoever limits
// the time of such a step uses this.

#include <algorithm>
#include <chrono>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>

#include "graph/lists.h"

namespace lacuna {

// A piece of work of one kind, for as long as it lives. Any thread.
template <class Kind>
class Watched : NoCopy {
 public:
  using Clock = std::chrono::steady_clock;
  struct Work {
    std::string name;  // "the shader of eaw:01:atrous level 0"
    Clock::time_point since;
  };

  // `name` is asked while the work goes on, on another thread.
  explicit Watched(std::function<std::string()> name) {
    const std::scoped_lock lock(mutex_);
    own_ = all_.insert(all_.end(), {std::move(name), Clock::now()});
  }
  explicit Watched(const std::string& name) : Watched([name] { return name; }) {}
  ~Watched() {
    const std::scoped_lock lock(mutex_);
    all_.erase(own_);
    lastEnd_ = Clock::now();
  }

  // The work that has run for longest, if that is longer than `seconds`.
  static std::optional<Work> longerThan(double seconds) {
    const std::scoped_lock lock(mutex_);
    if (all_.empty())
      return std::nullopt;
    const Clock::time_point begin =
        Kind::isInTurn ? std::max(all_.front().since, lastEnd_) : all_.front().since;
    const double taken = std::chrono::duration<double>(Clock::now() - begin).count();
    return taken > seconds ? std::optional(Work{all_.front().name(), begin}) : std::nullopt;
  }

 private:
  struct Begun {
    std::function<std::string()> name;
    Clock::time_point since;
  };
  static inline std::mutex mutex_;
  static inline std::list<Begun> all_;
  static inline Clock::time_point lastEnd_;
  typename std::list<Begun>::iterator own_;
};

// One after another: the next one's time begins when the previous one has ended, even if it was added before.
struct OfShaders {
  static constexpr bool isInTurn = false;
};
struct OfGraphs {
  static constexpr bool isInTurn = false;
};
struct OfFrames {
  static constexpr bool isInTurn = true;
};
using Compiling = Watched<OfShaders>;      // a shader or a pipeline
using CompilingGraph = Watched<OfGraphs>;  // all of a graph's
using Computing = Watched<OfFrames>;       // a frame on a device

}  // namespace lacuna
