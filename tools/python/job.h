#pragma once
// Runs work on its own thread, while Python waits without its lock and receives Ctrl-C.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace lacuna::python {

// Called with Python's lock, which `work` runs without. Exceptions of `work` are thrown here. If Ctrl-C comes
// first, `cancelled` becomes true, and KeyboardInterrupt is thrown a moment later, whether the work has ended
// or not; the captures of `work` live as long as it runs.
void runJob(std::function<void(const std::atomic<bool>& cancelled)> work);

// What `work` returns. It holds all that it uses.
template <class Work>
auto resultOf(Work work) -> decltype(work()) {
  const auto result = std::make_shared<std::optional<decltype(work())>>();
  runJob([result, work = std::move(work)](const auto&) { result->emplace(work()); });
  return std::move(**result);
}

// Called as Python ends, until all jobs have ended, those that Ctrl-C left behind, too. False: not within the
// seconds. Calls of other threads, which Python does not wait for, no longer return: they would need its
// lock.
bool waitForJobs(double seconds);

}  // namespace lacuna::python
