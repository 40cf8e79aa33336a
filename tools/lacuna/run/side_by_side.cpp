#include "tools/lacuna/run/side_by_side.h"

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "graph/files/standard_streams.h"
#include "graph/parallel.h"
#include "tools/lacuna/commands.h"

namespace lacuna {
namespace {

constexpr uint64_t alone = std::numeric_limits<uint64_t>::max();

// Bytes that a batch takes on the device and in host memory, about.
uint64_t bytesOf(const std::vector<size_t>& batch, const std::vector<DenoiseJob>& jobs) {
  constexpr size_t fewPictures = 3;  // more keep the device and cores busy by themselves
  constexpr uint64_t bytesPerPixel = 128;
  const DenoiseJob& job = jobs[batch.front()];
  const bool isSmall = batch.size() < fewPictures && !job.input.isSequence() && job.input.others.empty() &&
                       job.input.file != standardStream && job.output != standardStream &&
                       job.method != Method::rhf;
  return isSmall ? std::max<uint64_t>(1, pixelCount(job.input.info.extent)) * bytesPerPixel : alone;
}

// Whether another run on the device would change what this one measures or may take.
bool sharesDevice(const RunArguments& run, const std::vector<Device>& devices) {
  return devices.size() == 1 && run.graph.memory == 0 && run.inFlight != 1 && !run.time &&
         run.profile.empty();
}

class Sides {
 public:
  Sides(std::vector<uint64_t> bytes, uint64_t room, const std::function<int(size_t)>& work)
      : bytes_(std::move(bytes)), room_(room), work_(work), codes_(bytes_.size(), exitOk) {}

  int run(size_t most) {
    inParallel(std::min(most, bytes_.size()), [this](size_t) {
      while (const std::optional<size_t> batch = take()) {
        end(*batch, runOrFail(*batch));
      }
    });
    return code();
  }

 private:
  std::optional<size_t> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return isOver() || running_ == 0 || (bytes_[next_] <= room_ - std::min(room_, taken_));
    });
    if (isOver()) {
      return std::nullopt;
    }
    ++running_;
    taken_ += std::min(bytes_[next_], room_);
    return next_++;
  }

  void end(size_t batch, int code) {
    const std::scoped_lock lock(mutex_);
    codes_[batch] = code;
    --running_;
    taken_ -= std::min(bytes_[batch], room_);
    isStopped_ = isStopped_ || code >= exitSignal;
    changed_.notify_all();
  }

  // After an exception nothing more begins; inParallel() passes it on.
  int runOrFail(size_t batch) {
    try {
      return work_(batch);
    } catch (...) {
      end(batch, exitSignal);
      throw;
    }
  }

  int code() const {
    const auto failed = std::ranges::find_if(codes_, [](int code) { return code != exitOk; });
    return isStopped_ ? *std::ranges::max_element(codes_) : failed == codes_.end() ? exitOk : *failed;
  }

  bool isOver() const { return next_ == bytes_.size() || isStopped_; }

  const std::vector<uint64_t> bytes_;
  const uint64_t room_;
  const std::function<int(size_t)>& work_;
  std::mutex mutex_;  // over all below
  std::condition_variable changed_;
  size_t next_ = 0, running_ = 0;
  uint64_t taken_ = 0;
  bool isStopped_ = false;
  std::vector<int> codes_;
};

}  // namespace

int runSideBySide(const std::vector<std::vector<size_t>>& batches, const std::vector<DenoiseJob>& jobs,
                  const RunArguments& run, std::vector<Device>& devices,
                  const std::function<int(const std::vector<size_t>&)>& work) {
  std::vector<uint64_t> bytes;
  for (const std::vector<size_t>& batch : batches) {
    bytes.push_back(bytesOf(batch, jobs));
  }
  size_t most = 1;
  uint64_t room = 0;
  if (std::ranges::count_if(bytes, [](uint64_t each) { return each != alone; }) > 1) {
    openDevices(devices, run);
    most = !sharesDevice(run, devices) ? 1
           : run.inFlight > 0          ? static_cast<size_t>(run.inFlight)
                                       : batches.size();
    room = devices.front().description().memoryBytes / 4;
  }
  return Sides(std::move(bytes), room, [&](size_t i) { return work(batches[i]); }).run(most);
}

}  // namespace lacuna
