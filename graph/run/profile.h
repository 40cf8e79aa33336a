#pragma once
// The times of a run: a span for each stage on each thread, and one for each pass on the device, as a Chrome
// trace (chrome://tracing, ui.perfetto.dev; the "Trace Event Format").
//
// Host spans nest within their thread and frames on the device follow each other; times are microseconds
// since the profile's construction. The device's timestamps are converted to the host's clock by
// VK_EXT_calibrated_timestamps. Without that extension, all are shifted by the same amount, so that no frame
// begins before it was submitted.

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/lists.h"
#include "graph/vk/executable.h"

namespace lacuna {

class Profile {
 public:
  using Clock = std::chrono::steady_clock;

  // A stage on the calling thread, as long as the object lives. Null profile: nothing.
  class Span : NoCopy {
   public:
    Span(Profile* profile, std::string name, int frame = -1);
    ~Span();

   private:
    Profile* profile_;
    std::string name_;
    int frame_;
    Clock::time_point begin_;
  };

  void nameThread(const std::string& name);  // the calling one
  // Adds a frame's passes, from Executable::wait() of a frame that was timed per pass. Frames are added in
  // the order of submission.
  void addFrame(const FrameGraph& schedule, int frame, Clock::time_point submitted,
                const vk::Timings& timings);

  std::string json() const;
  void write(const std::string& path) const;  // by rename; throws FileError

 private:
  struct Stage {
    std::string name;
    int frame = -1;
    int track = 0;
    Clock::time_point begin, end;
  };
  struct DeviceFrame {
    int frame = 0;
    Clock::time_point submitted;
    std::optional<int64_t> hostOffset;
    Table<PassId, vk::DeviceSpan> passes;
  };
  int track();  // of the calling thread
  int64_t alignmentAtSubmit() const;

  mutable std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  std::map<std::thread::id, int> tracks_;
  std::vector<std::string> trackNames_;
  std::vector<Stage> stages_;
  Table<PassId, std::string> passNames_;
  std::vector<DeviceFrame> frames_;
};

}  // namespace lacuna
