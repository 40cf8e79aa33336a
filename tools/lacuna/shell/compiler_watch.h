#pragma once
// An end for shaders that take a compiler for ever. Compilers can't be stopped, so the program ends; that is
// before a frame is computed, and Ctrl-C ends it then, too.

#include <condition_variable>
#include <mutex>
#include <thread>

namespace lacuna {

// For as long as it lives, a shader may take as many seconds as LACUNA_SHADER_SECONDS says, 600 if it isn't
// set. Then the program prints which one it was and exits with 1. Throws std::runtime_error where the
// variable is no number.
class CompilerWatch {
 public:
  CompilerWatch();
  ~CompilerWatch();
  CompilerWatch(const CompilerWatch&) = delete;
  CompilerWatch& operator=(const CompilerWatch&) = delete;

 private:
  void watch();

  double seconds_;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
};

}  // namespace lacuna
