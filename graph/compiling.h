#pragma once
// Which shaders compilers are at work on, for whoever watches over the time that they take.

#include <chrono>
#include <list>
#include <mutex>
#include <optional>
#include <string>

namespace lacuna {

// One compilation, for as long as it lives. Any thread.
class Compiling {
 public:
  using Clock = std::chrono::steady_clock;
  struct Work {
    std::string name;  // "the shader of eaw:01:atrous level 0"
    Clock::time_point since;
  };

  explicit Compiling(std::string name) {
    const std::scoped_lock lock(mutex_);
    own_ = all_.insert(all_.end(), {std::move(name), Clock::now()});
  }
  ~Compiling() {
    const std::scoped_lock lock(mutex_);
    all_.erase(own_);
  }
  Compiling(const Compiling&) = delete;
  Compiling& operator=(const Compiling&) = delete;

  static std::optional<Work> oldest() {
    const std::scoped_lock lock(mutex_);
    return all_.empty() ? std::nullopt : std::optional(all_.front());
  }

 private:
  static inline std::mutex mutex_;
  static inline std::list<Work> all_;
  std::list<Work>::iterator own_;
};

}  // namespace lacuna
