#pragma once
// Frames through a session, several in flight: while the device computes one, worker threads read the files
// of the next and write those of the ones before. Results are those of Session::run() frame by frame.
//
//   StreamOptions options;
//   options.frames = FrameSet::range(0, 239);
//   options.progress = [](const RunProgress& p) { std::cout << p.done << " of " << p.total << "\n"; };
//   const RunResult end = stream(session, options);
//
// A frame goes through one worker thread: sources are read into its slot's memory, it is submitted (in the
// order of frames, so that feedback is right), waited for, and its sinks are written; only then is the slot
// taken by another frame. So there are never more frames in flight, nor memory for more, than slots. Files
// are complete or missing; files of neighbouring frames may appear in any order.
//
// A sequence starts from zero: its first frame has frame.first set and feedback is zero there. Frames that it
// depends on can be computed before it (warmUp; framesToRun() in file_numbers.h says which).

#include <functional>
#include <vector>

#include "graph/files/frame_set.h"
#include "graph/load/file_numbers.h"
#include "graph/run/run_result.h"
#include "graph/run/session.h"

namespace lacuna {

// A frame in flight, for a program with its own images.
class StreamFrame {
 public:
  StreamFrame(Session& session, int frame, int slot) : session_(session), frame_(frame), slot_(slot) {}
  int index() const { return frame_; }
  // As Session::uploadMemory and downloadMemory; the frame's own until the callback returns.
  std::span<std::byte> uploadMemory(const std::string& valueName) const;
  std::span<const std::byte> downloadMemory(const std::string& valueName) const;

 private:
  Session& session_;
  int frame_, slot_;
};

struct StreamOptions {
  FrameSet frames;
  FrameSet warmUp;   // none of `frames`: computed in their order among them, if later ones depend on it
  FrameSet starts;   // those of both sets in which feedback begins with zeros, as in the earliest one
  int inFlight = 0;  // frames at a time, at most; 0: framesInFlight()
  // Every pass is timed by timestamps. The device runs the first frame once before, without timestamps.
  bool timesPasses = false;
  // Frames whose sources can't be read are skipped. Feedback then continues from the frame before, or begins
  // with zeros.
  bool skipDamaged = false, cutsAtGaps = false;
  // So are those whose sinks can't be written, because frames are pictures of their own.
  bool skipUnwritten = false;
  // Frames whose files are missing, or are still being written, wait for them (Missing::wait).
  bool waits = false;

  // Called on worker threads, for several frames at once. fill: sources of files are read, the program fills
  // the rest, all of it in every frame. take: results are complete, sinks of files not yet written; not
  // called for frames of the warm-up.
  std::function<void(const StreamFrame&)> fill, take;
  // Called on the thread that called stream(), once for each finished frame.
  std::function<void(const RunProgress&)> progress;
  // Asked several times a second from any of the threads; if true, no further frame begins, frames in flight
  // are dropped, and files that are being written are finished.
  std::function<bool()> cancelled;
};

// Throws the error of the earliest frame that failed, or a callback's: FileError, vk::DeviceError. Frames
// before it are finished, later ones dropped or finished, never half written. The session stays usable
// afterwards.
RunResult stream(Session& session, const StreamOptions& options);

// As many as keep device and processor cores busy, within two gigabytes of staging memory.
int framesInFlight(const FrameGraph& schedule);

// For several machines: splits frames into at most `count` parts of neighbours, so that the most expensive
// part costs as little as possible, with no more parts than needed for that. `cost`: of a part, such as its
// frames and those of its warm-up; it never falls when a part grows at its end.
std::vector<FrameSet> chunksOf(const FrameSet& frames, size_t count,
                               const std::function<size_t(const FrameSet& part)>& cost);

}  // namespace lacuna
