#include "tools/python/job.h"

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "lacuna/lacuna.h"

namespace py = pybind11;

namespace lacuna::python {
namespace {

using namespace std::chrono_literals;

struct Job {
  std::function<void(const std::atomic<bool>&)> work;
  std::atomic<bool> cancelled = false;
  std::mutex mutex;
  std::condition_variable changed;
  bool hasEnded = false, isLeft = false;  // isLeft: the job's caller no longer waits, so its thread clears it
  std::exception_ptr error;
};

// Those that have not ended, or whose caller has yet to take Python's lock.
struct Jobs {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  std::optional<std::thread::id> ending;  // the thread that ends Python

  bool isToStay() {  // the thread that asks
    const std::lock_guard lock(mutex);
    return ending && ending != std::this_thread::get_id();
  }
  void add(int change) {
    const std::lock_guard lock(mutex);
    count += change;
    changed.notify_all();
  }
};
// Never destroyed: threads may come back while the process ends.
Jobs& jobs() {
  static auto* all = new Jobs;
  return *all;
}

// Python ends a thread that asks for its lock now by unwinding it, which C++ takes for an error.
[[noreturn]] void stayForever() {
  PyEval_SaveThread();
  for (;;)
    pause();
}

void runOnThread(const std::shared_ptr<Job>& job) {
  try {
    job->work(job->cancelled);
  } catch (...) {
    job->error = std::current_exception();
  }
  std::unique_lock lock(job->mutex);
  job->hasEnded = true;
  if (!job->isLeft) {
    job->changed.notify_all();
    return;
  }
  lock.unlock();
  {
    const py::gil_scoped_acquire locked;  // it holds arrays
    job->work = nullptr;
    job->error = nullptr;
  }
  jobs().add(-1);
}

bool endsWithin(Job& job, std::chrono::milliseconds time) {
  const py::gil_scoped_release unlocked;
  std::unique_lock lock(job.mutex);
  return job.changed.wait_for(lock, time, [&] { return job.hasEnded; });
}

void leave(Job& job) {
  const std::lock_guard lock(job.mutex);
  if (job.hasEnded) {
    job.work = nullptr;
    jobs().add(-1);
    return;
  }
  job.isLeft = true;
}

bool isForked() {
  static const pid_t first = getpid();
  return getpid() != first;
}

// Vulkan's objects are the parent's alone.
void checkProcess() {
  if (isForked()) {
    throw Error(
        ErrorKind::call,
        "this process was forked from one that had used lacuna, whose device it can't use; start it by "
        "multiprocessing.get_context(\"spawn\")");
  }
}

}  // namespace

void runJob(std::function<void(const std::atomic<bool>&)> work) {
  checkProcess();
  if (jobs().isToStay())
    stayForever();
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  std::thread(runOnThread, job).detach();
  jobs().add(1);
  while (!endsWithin(*job, 50ms)) {
    if (PyErr_CheckSignals() != 0) {
      py::error_already_set interrupt;
      job->cancelled = true;
      endsWithin(*job, 200ms);
      leave(*job);
      throw interrupt;
    }
    if (jobs().isToStay()) {
      leave(*job);
      stayForever();
    }
  }
  // It holds arrays; the thread, without Python's lock, may be the last to let go of the job.
  job->work = nullptr;
  jobs().add(-1);
  if (const std::exception_ptr error = std::exchange(job->error, nullptr))
    std::rethrow_exception(error);
}

bool waitForJobs(double seconds) {
  if (isForked())
    return true;  // they are the parent's
  const py::gil_scoped_release unlocked;
  std::unique_lock lock(jobs().mutex);
  jobs().ending = std::this_thread::get_id();
  return jobs().changed.wait_for(lock, std::chrono::duration<double>(seconds),
                                 [] { return jobs().count == 0; });
}

}  // namespace lacuna::python
