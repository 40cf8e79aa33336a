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

struct LeftJobs {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
};
// Never destroyed: threads may come back while the process ends.
LeftJobs& leftJobs() {
  static auto* jobs = new LeftJobs;
  return *jobs;
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
  const std::lock_guard counted(leftJobs().mutex);
  --leftJobs().count;
  leftJobs().changed.notify_all();
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
    return;
  }
  job.isLeft = true;
  const std::lock_guard counted(leftJobs().mutex);
  ++leftJobs().count;
}

// Vulkan's objects are the parent's alone.
void checkProcess() {
  static const pid_t first = getpid();
  if (getpid() != first) {
    throw Error(
        ErrorKind::call,
        "this process was forked from one that had used lacuna, whose device it can't use; start it by "
        "multiprocessing.get_context(\"spawn\")");
  }
}

}  // namespace

void runJob(std::function<void(const std::atomic<bool>&)> work) {
  checkProcess();
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  std::thread(runOnThread, job).detach();
  while (!endsWithin(*job, 50ms)) {
    if (PyErr_CheckSignals() != 0) {
      py::error_already_set interrupt;
      job->cancelled = true;
      endsWithin(*job, 200ms);
      leave(*job);
      throw interrupt;
    }
  }
  job->work = nullptr;  // the captures hold arrays, and the thread, which lacks Python's lock, may be the
                        // last owner of the job
  if (const std::exception_ptr error = std::exchange(job->error, nullptr)) {
    std::rethrow_exception(error);
  }
}

bool waitForJobs(double seconds) {
  const py::gil_scoped_release unlocked;
  std::unique_lock lock(leftJobs().mutex);
  return leftJobs().changed.wait_for(lock, std::chrono::duration<double>(seconds),
                                     [] { return leftJobs().count == 0; });
}

}  // namespace lacuna::python
