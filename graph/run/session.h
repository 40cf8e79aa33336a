#pragma once
// From a graph file to images: the whole way, for the command line, tests and programs that embed Lacuna.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/compile/compile.h"
#include "graph/run/files.h"
#include "graph/run/missing_files.h"
#include "graph/vk/device.h"
#include "graph/vk/executable.h"

namespace lacuna {

// "svgf:01:levels" "4": as a `param:` line of the graph file, after all others; but a file name starts in the
// current folder. `option` is what messages say that it comes from, such as "-p svgf:01:levels=4".
struct Override {
  std::string parameter;
  std::string value;
  std::string option = {};
};

// A file for the graph's only source, or for its only sink, whatever their names are.
struct FileOption {
  bool isOutput = false;
  std::string name;
};

struct LoadOptions {
  std::vector<std::string> modulePath;         // from moduleSearchPath()
  std::vector<std::string> includeRoots = {};  // folders, beside the graph's, that it may include from
  std::vector<Override> overrides;
  std::vector<FileOption> files;
  // The frames that will be run, ascending, of the graph as it was read: their files are looked for. What
  // sources deliver follows from the first one's. They count from 0; ModuleGraph::firstNumber is the number
  // of that frame's files. None: nothing is looked for but the files of frame 0.
  std::function<std::vector<int>(const ModuleGraph&)> frames = {};
  MissingFiles missing = MissingFiles::error;
  // Sinks may replace files that the run reads, in the last frame that does; else that is an error.
  bool overwriteInput = false;
  bool skipDamaged = false;  // what sources deliver follows from the first frame whose headers can be read
  std::map<std::string, ValueType> memory;  // "i-memory:01" -> the type of the image that the program brings
};

// A graph as far as it can be known without a device.
struct LoadedGraph {
  NodeGraph graph;
  Diagnostics diagnostics;
  std::vector<int> frames = {};  // of LoadOptions::frames, without those that are skipped
  // Each module of the graph once, also where the graph has errors.
  std::vector<std::shared_ptr<const ModuleDescription>> descriptions = {};
  bool ok() const { return !diagnostics.hasErrors(); }
};

// Everything that `check` can see: syntax, names, types, ranges, inputs (their headers), outputs.
LoadedGraph loadGraphFile(const std::string& path, const LoadOptions& options);
LoadedGraph loadGraphText(const std::string& text, const std::string& name, const LoadOptions& options);

class Profile;

// A graph on a device. stream.h runs whole sequences; the methods here are its steps. Throws vk::DeviceError,
// ShaderCompileError, ShaderSourceError, FileError.
class Session {
 public:
  // `cacheFolder` for compiled shaders; empty: none on disk. `profile`: gets the spans of all that follows,
  // and must outlive the session; null: none.
  Session(vk::Device& device, Schedule schedule, const std::vector<std::string>& includePath,
          const std::string& cacheFolder, Profile* profile = nullptr);
  ~Session();

  // Takes what native code warns of while it reads and writes, from any thread, the same text once. Before
  // the first frame.
  void onWarning(Warn warn);

  // One frame after the other. The first frame that a session runs has frame.first set.
  void run(int frame);  // reads sources, computes, writes sinks
  void compute(int frame);
  vk::Timings time(int frame, bool perPass);

  // The steps of a frame; frames in different slots may be at different steps, on different threads, but one
  // thread at a time submits. Slot 0 is always there.
  void reserveSlots(int count);  // not while frames are in flight
  int slotCount() const;
  // Reads the sources. Where the frame is not to be written, those that the next frame depends on, and the
  // rest is not computed either.
  void upload(int frame, int slot = 0, bool isWritten = true);
  void submit(int frame, int slot, bool first, vk::Timed timed, bool isWritten = true);
  vk::Timings wait(int slot);
  void writeSinks(int frame, int slot = 0);

  // One list a pass, of a device with DeviceOptions::shaderStatistics.
  std::vector<std::vector<vk::ShaderStatistic>> shaderStatistics() const;
  const Schedule& schedule() const;
  Profile* profile() const;
  // Host memory of the upload or download pass that carries a value (by its name, "i-png:01:file.pixels"),
  // for programs that bring their own images. Empty if there is none.
  std::span<std::byte> uploadMemory(const std::string& valueName, int slot = 0);
  std::span<const std::byte> downloadMemory(const std::string& valueName, int slot = 0);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Writes a node's parameters of a frame into its block.
void fillBlock(const Schedule& schedule, const Pass& pass, int frame, std::span<std::byte> block);

}  // namespace lacuna
