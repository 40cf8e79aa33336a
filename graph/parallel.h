#pragma once
// The same work for each of a few items, on several threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lacuna {

// Calls work(0) ... work(count - 1) on as many threads as there are cores, or fewer if the system has no
// more, including the caller's. Throws the error of the lowest index, after all have ended.
template <class Work>
void inParallel(size_t count, const Work& work) {
  std::atomic<size_t> next{0};
  std::exception_ptr error;
  size_t failed = count;
  std::mutex errorMutex;
  const auto loop = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::scoped_lock lock(errorMutex);
        error = i < failed ? std::current_exception() : error;
        failed = std::min(failed, i);
      }
    }
  };
  std::vector<std::jthread> threads;
  const size_t wanted = std::min<size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  try {
    for (size_t i = 1; i < wanted; ++i)
      threads.emplace_back(loop);
  } catch (const std::system_error&) {
    // If no more threads are available (ulimit -u), the existing ones and the caller's do the work.
  }
  loop();
  threads.clear();  // joins
  if (error)
    std::rethrow_exception(error);
}

}  // namespace lacuna
