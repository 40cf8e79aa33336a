#pragma once
// Says what compilers take long for, and is the end of what can't be stopped: shaders that take a compiler
// for ever, frames that never end on a device.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lacuna {

// For as long as it lives, a graph's shaders may take as many seconds as LACUNA_SHADER_SECONDS says (600 if
// it isn't set), and a frame on the device LACUNA_GPU_SECONDS (3600). Then the program prints what it was and
// exits with 1. Throws std::runtime_error where a variable is not a number.
class TimeWatch {
 public:
  TimeWatch();
  ~TimeWatch();
  TimeWatch(const TimeWatch&) = delete;
  TimeWatch& operator=(const TimeWatch&) = delete;

  static void keepQuiet() { isQuiet_ = true; }  // for -q: no line

 private:
  void watch();
  void endIfOver() const;

  static inline std::atomic<bool> isQuiet_ = false;

  double shaderSeconds_, frameSeconds_;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
};

}  // namespace lacuna
