#pragma once
// Says what compilers take long for, and is the end of shaders that take them for ever. Compilers can't be
// stopped, so the program ends; that is before a frame is computed, and Ctrl-C ends it then, too.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lacuna {

// For as long as it lives, a shader may take as many seconds as LACUNA_SHADER_SECONDS says, 600 if it isn't
// set. Then the program prints which one it was and exits with 1. On a terminal a line says after two seconds
// what is being compiled. Throws std::runtime_error where the variable is no number.
class CompilerWatch {
 public:
  CompilerWatch();
  ~CompilerWatch();
  CompilerWatch(const CompilerWatch&) = delete;
  CompilerWatch& operator=(const CompilerWatch&) = delete;

  static void keepQuiet() { isQuiet_ = true; }  // for -q: no line

 private:
  void watch();

  static inline std::atomic<bool> isQuiet_ = false;

  double seconds_;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
};

}  // namespace lacuna
