#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

#include "graph/files/standard_streams.h"
#include "graph/parallel.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/kept.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {
namespace {

bool isAlone(const DenoiseJob& job) {
  return job.input.isSequence() || job.input.info.isMosaic || job.input.file == standardStream ||
         job.output == standardStream || !job.histogram.empty() || !job.input.others.empty() ||
         !job.input.guides.empty();
}

// What a graph's nodes depend on: the graph, and the files' types and curves. Throws FileError.
std::string likenessOf(const DenoiseJob& job) {
  DenoiseJob unnamed = job;
  unnamed.input.file = "in";
  unnamed.output = "out" + io::extensionOf(job.output);
  const ImageInfo& info = job.input.info;
  std::string text = fmt::format("{}\n{} {}x{} {} {} {}\n", graphText(unnamed), info.codec, info.extent.width,
                                 info.extent.height, info.pixels, info.bits, info.colour);
  ReadOptions asFile;
  asFile.own = true;
  if (const auto own = io::ownColour({job.input.file, "output", asFile}))
    text += fmt::format("gamma {}\n", own->gamma);
  for (const ImageInfo::Channel& channel : info.channels)
    text += fmt::format("{} {}\n", channel.name, channel.type);
  return text;
}

// What such modules have made.
std::string byOrigin(const LoadedGraph& loaded) {
  std::string text;
  for (const NodeByOrigin& node : loaded.graph.byOrigin)
    text += node.made;
  return text;
}

}  // namespace

std::vector<std::vector<size_t>> batchesOf(const std::vector<DenoiseJob>& jobs,
                                           const std::function<LoadedGraph(const DenoiseJob&)>& load) {
  std::map<std::string, std::string> first;  // of those that are alike, by what the first one's file makes
  std::vector<std::vector<size_t>> batches;
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < jobs.size(); ++i) {
    size_t batch = batches.size();
    try {
      if (jobs.size() > 1 && !isAlone(jobs[i])) {
        std::string likeness = likenessOf(jobs[i]);
        const auto [made, isNew] = first.try_emplace(likeness);
        if (isNew)
          made->second = byOrigin(load(jobs[i]));
        // Graphs without such modules needn't be loaded again.
        likeness += isNew || made->second.empty() ? made->second : byOrigin(load(jobs[i]));
        batch = known.emplace(likeness, batch).first->second;
      }
    } catch (const FileError&) {
      // A file that can't be read is reported later, where it is denoised.
    }
    batches.resize(std::max(batches.size(), batch + 1));
    batches[batch].push_back(i);
  }
  return batches;
}

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
  return devices.size() == 1 && run.graph.pipeline.memoryBytes == 0 && run.inFlight != 1 && !run.time &&
         run.profile.empty();
}

class Sides {
 public:
  Sides(std::vector<uint64_t> bytes, uint64_t room, const std::function<int(size_t)>& work)
      : bytes_(std::move(bytes)), room_(room), work_(work), codes_(bytes_.size(), exitOk) {}

  int run(size_t most) {
    inParallel(std::min(most, bytes_.size()), [this](size_t) {
      while (const std::optional<size_t> batch = take())
        end(*batch, runOrFail(*batch));
    });
    return code();
  }

 private:
  std::optional<size_t> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return isOver() || running_ == 0 || (bytes_[next_] <= room_ - std::min(room_, taken_));
    });
    if (isOver())
      return std::nullopt;
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
  for (const std::vector<size_t>& batch : batches)
    bytes.push_back(bytesOf(batch, jobs));
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
