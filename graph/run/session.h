#pragma once
// The whole way from a graph file to images, for the command line, tests and programs that embed Lacuna.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/compile/compile.h"
#include "graph/load/file_numbers.h"
#include "graph/load/files.h"
#include "graph/record/fill_block.h"
#include "graph/run/recorder.h"
#include "graph/vk/device.h"

namespace lacuna {

class Profile;

// A graph on a device. stream.h runs whole sequences; the methods here are its steps. Throws vk::DeviceError,
// ShaderError, FileError.
class Session {
 public:
  // `cacheFolder` for compiled shaders; if empty, none on disk. `profile`: gets all later spans, and must
  // outlive the session; may be null. `debug`: whether shaders keep their sources.
  Session(vk::Device& device, FrameGraph passes, const std::vector<std::string>& includePath,
          const std::string& cacheFolder, Profile* profile = nullptr, DebugInfo debug = DebugInfo::none);
  ~Session();

  // Receives native code's warnings during reading and writing, from any thread, the same text once. Not
  // while frames are in flight.
  void onWarning(Warn warn);

  // Asked between tiles, on the thread that submits; if true, the frame ends early, and its files are not
  // written. Not while frames are in flight.
  void stopWhen(std::function<bool()> stops);

  // From now on records of outputs are kept, for a later run that resumes this one.
  void record(const Recording& recording);

  // One frame after the other. The first frame that a session runs has frame.first set; if it ended early, so
  // has the next one.
  void run(int frame);  // reads sources, computes, writes sinks
  void compute(int frame);
  vk::Timings time(int frame, bool perPass);

  // The steps of a frame. In tiles submit() does the device's work, and wait() only returns; files whose
  // pictures pass in rows are read and written by submit(), too. Frames in
  // different slots may be at different steps, on different threads, but only one thread submits at a time.
  // Slot 0 always exists.
  void reserveSlots(int count);  // not while frames are in flight
  int slotCount() const;
  // Reads the sources. If the frame is not to be written, only those that the next frame depends on; the rest
  // is not computed either.
  void upload(int frame, int slot = 0, bool isWritten = true);
  void submit(int frame, int slot, bool first, vk::Timed timed, bool isWritten = true);
  vk::Timings wait(int slot);
  // For frames that a program records.
  vk::Executable& executable();
  ParameterBlocks& blocks();
  void writeSinks(int frame, int slot = 0);
  // Warns of NaN and infinities written since the last call, in a line for all frames.
  void warnOfValues();

  // Needs: a device with DeviceOptions::shaderStatistics.
  Table<PassId, std::vector<vk::ShaderStatistic>> shaderStatistics() const;
  const FrameGraph& schedule() const;
  Profile* profile() const;
  // Host memory of the upload or download pass that carries a value (by its name, "i-png:01:file.pixels"),
  // for programs with their own images. Empty if there is none.
  std::span<std::byte> uploadMemory(const std::string& valueName, int slot = 0);
  std::span<const std::byte> downloadMemory(const std::string& valueName, int slot = 0);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lacuna
