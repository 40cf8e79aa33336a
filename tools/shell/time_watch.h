#pragma once
// Reports slow compilations, and ends the program if a shader's compilation or a frame on a device never
// ends.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "graph/lists.h"

namespace lacuna {

// While it lives, a graph's shaders may take LACUNA_SHADER_SECONDS seconds (600 by default), and a frame on
// the device LACUNA_GPU_SECONDS (3600). Then the program prints the reason and exits with 1. Throws
// std::runtime_error if a variable is not a number.
class TimeWatch : NoCopy {
 public:
  TimeWatch();
  ~TimeWatch();

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
