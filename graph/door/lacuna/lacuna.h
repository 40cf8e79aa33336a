#ifndef LACUNA_LACUNA_H
#define LACUNA_LACUNA_H
// Lacuna for programs that embed it: the header of liblacuna.so. It needs C++20 and nothing but the standard
// library. What the runtime's stages use as well is declared in the headers of graph/ that it includes.
//
//   lacuna::Device device;
//   lacuna::GraphOptions options;
//   options.images["i-memory:in"] = {.width = 640, .height = 480};
//   lacuna::Pipeline pipeline(device, lacuna::Graph::fromFile("denoise.cfg", options));
//   pipeline.run(0, {{"i-memory:in", {.pixels = from, .width = 640, .height = 480}}},
//                {{"o-memory:out", {.pixels = to, .width = 640, .height = 480}}});
//
// Errors: whatever fails throws lacuna::Error, and nothing else but std::bad_alloc and what the program's own
// callbacks throw: that ends the run and arrives as it is. Objects stay usable after an error.
//
// Threads: a Device and a Graph may be used by several threads at once, each with a Pipeline of its own; a
// Pipeline by one thread at a time: run() is an error while it runs on another. Callbacks say on which
// threads they run.
//
// Ownership: objects hold what they need, so a Pipeline outlives its Device and Graph. Pixels belong to the
// program; they are read or written during the call that names them, never later.
//
// Units: milliseconds and bytes where a name says so; pixels elsewhere. Frames have the numbers of their
// files ("in.0017.exr" is frame 17); without numbered files they count from 0.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/config/message.h"
#include "graph/files/frame_set.h"
#include "graph/module/channels.h"
#include "graph/pictures/methods.h"
#include "graph/pictures/metrics.h"
#include "graph/run/run_result.h"
#include "graph/schedule/candidate.h"
#include "graph/vk/device_description.h"

#define LACUNA_VERSION_MAJOR 0
#define LACUNA_VERSION_MINOR 1
#define LACUNA_VERSION_PATCH 0

namespace lacuna {

namespace door {  // what the handles below hold
struct Access;
struct DeviceState;
struct FrameState;
struct GraphState;
struct PipelineState;
struct TraceState;
}  // namespace door

std::string version();  // of the library: "0.1.0"

// ---- What is wrong ----

enum class ErrorKind {
  call,      // a wrong argument of the program: a name, a size, an option
  graph,     // the graph file, its modules, its shaders; files that are missing before anything runs
  noDevice,  // there is no such device, or none that can be used
  device,    // the device failed or has too little memory; often the graph is too large for it
  input,     // a file could not be read while frames ran
  file,      // another file: an output, a full disk
  other
};

class Error : public std::runtime_error {  // what() is all messages as printed
 public:
  Error(ErrorKind kind, std::vector<Message> messages);
  Error(ErrorKind kind, const std::string& text);
  ~Error() override;
  ErrorKind kind() const noexcept { return kind_; }
  const std::vector<Message>& messages() const noexcept { return *messages_; }

 private:
  ErrorKind kind_;
  std::shared_ptr<const std::vector<Message>> messages_;
};

// ---- Devices ----

std::vector<DeviceDescription> devices();  // the best one first

struct DeviceOptions {
  // A place in devices(), from "0"; a part of the name, of 3 letters or more; the uuid; or "cpu". If empty,
  // the best device.
  std::string select = {};
  bool validates = false;  // runs with Vulkan's validation layers; an error if they are missing
  // The folder of compiled shaders and measurements; without one ("") every start is slow.
  std::string cacheFolder = defaultCacheFolder();
  static std::string defaultCacheFolder();  // $LACUNA_CACHE, or ~/.cache/lacuna
};

class Device {
 public:
  explicit Device(const DeviceOptions& options = {});
  ~Device();
  const DeviceDescription& description() const;
  std::vector<std::string> validationMessages() const;  // so far

 private:
  friend struct door::Access;
  explicit Device(std::shared_ptr<door::DeviceState> state);
  std::shared_ptr<door::DeviceState> state_;
};

// ---- Images in memory ----

// Channels and colour tags of images; channels.h explains them.
using PixelChannels = Channels;
using PixelColour = ColourTag;
// u8 and u16 stand for 0 to 1. Values are linear: nothing applies a transfer curve.
enum class PixelFormat { u8, u16, f16, f32 };
// The type of an image that the program passes to a source `i-memory`, or gets from a sink `o-memory`. The
// format of the graph's own memory.
struct ImageType {
  int width = 0, height = 0;
  PixelChannels channels = PixelChannels::rgba;
  PixelFormat format = PixelFormat::f16;
  PixelColour colour = PixelColour::rec709;
};

// Order of components in the program's memory. x: y, depth, any1. xy: mv, any2. If only one side has alpha,
// it is omitted or 1.
enum class ChannelOrder { x, xy, rgb, bgr, rgba, bgra };

// Pixels of the program. Formats are converted: to u8 and u16 rounded and clamped to 0 and 1 (NaN is 0), to
// f16 rounded to the nearest, ties to even.
struct ImageView {
  void* pixels = nullptr;  // of the first row
  int width = 0, height = 0;
  ChannelOrder order = ChannelOrder::rgba;
  PixelFormat format = PixelFormat::f32;
  std::ptrdiff_t rowBytes = 0;  // to the next row; negative: upwards; 0: rows follow each other without gaps
  std::size_t pixelBytes = 0;   // to the next pixel; 0: without gaps
};

struct ConstImageView {
  const void* pixels = nullptr;
  int width = 0, height = 0;
  ChannelOrder order = ChannelOrder::rgba;
  PixelFormat format = PixelFormat::f32;
  std::ptrdiff_t rowBytes = 0;
  std::size_t pixelBytes = 0;
};

ConstImageView readOnly(const ImageView& view);

// Converts; views of one size that don't overlap.
void copy(const ConstImageView& from, const ImageView& to);

// Views of one size; of linear colours. Throws for unknown orders.
Metrics compare(const ConstImageView& image, const ConstImageView& reference);

// ---- Modules ----

// `folders`: to look for modules in, before the usual ones.
std::vector<std::string> moduleNames(const std::vector<std::string>& folders = {});

struct ModuleText {
  std::string text, json;  // as `lacuna describe` prints them
};
ModuleText describeModule(const std::string& name, const std::vector<std::string>& folders = {});

// Properties of an image file without its pixels, as `lacuna info --json` prints them: size, channels,
// planes, colour, metadata.
std::string describeFile(const std::string& path, const std::vector<std::string>& folders = {});

// ---- Graphs ----

// The frames: from the graph, by number, or in words as for --frames: "7", "0-99", "0-99x5", "1,5,9", "all",
// "last".
struct Frames {
  Frames() = default;
  Frames(const char* asText) : text(asText) {}
  Frames(std::string asText) : text(std::move(asText)) {}
  Frames(FrameSet some) : numbers(std::move(some)) {}
  Frames(const std::vector<int>& some) : numbers(some) {}
  Frames(std::initializer_list<int> some) : numbers(some) {}
  static Frames none();  // nothing is run, only planned or tuned: input files aren't looked for
  std::string text;
  FrameSet numbers;
  int most = 0;  // only this many of them; 0: all
  bool areNone = false;
};
inline Frames Frames::none() {
  Frames frames;
  frames.areNone = true;
  return frames;
}

struct GraphOptions {
  std::vector<std::string> modules = {};       // folders to look for modules in, before the usual ones
  std::vector<std::string> includeRoots = {};  // folders, beside the graph's, that it may include from
  std::vector<std::string> parameters = {};    // "eaw:01:levels=4", as -p
  std::vector<std::string> inputs = {};        // "FILE" or "i-exr:01=FILE", as for -i
  std::vector<std::string> outputs = {};       // "FILE" or "o-png:01=FILE", as for -o
  // A file for each frame, of a source or sink by its name "i-file:01", instead of a number in its file name.
  // The frames, from 0 on, are pictures of their own: none depends on earlier ones, and those that can't be
  // read or written are skipped, as by `skipDamaged`.
  std::map<std::string, std::vector<std::string>> files = {};
  std::map<std::string, ImageType> images = {};  // of each source `i-memory`, by its name "i-memory:01"
  Frames frames = {};
  int warmUp = -1;  // frames computed before those; -1: as graph and modules say
  Missing missing = Missing::error;
  // Only frames whose outputs are missing, incomplete, or made by another program or from other modules,
  // parameters or inputs.
  bool resume = false;
  // A file beside the output records what it was made from, FOLDER/.lacuna/NAME.json, for a later `resume`.
  // If there are several frames, there always is one.
  bool records = false;
  bool skipDamaged = false;     // frames whose files can't be read are skipped
  bool overwriteInput = false;  // outputs may replace inputs
  bool keepOutputs = false;     // existing outputs are kept; frames that have all of them are skipped
};

// A graph without mistakes, whose input files exist. Unchangeable; copies share it.
class Graph {
 public:
  static Graph fromFile(const std::string& path, const GraphOptions& options = {});
  // `name`: for messages. Relative files start in the current folder.
  static Graph fromText(const std::string& text, const GraphOptions& options = {},
                        const std::string& name = "graph");

  const std::vector<Message>& warnings() const;
  const FrameSet& frames() const;  // that Pipeline::run() writes
  int firstNumber() const;         // the frame that keyframes call 0
  int finishedBefore() const;      // frames that `resume` or `keepOutputs` found done
  // The files that a frame is written to, one for each sink; "-": standard output.
  std::vector<std::string> outputFiles(int frame) const;

 private:
  friend struct door::Access;
  explicit Graph(std::shared_ptr<const door::GraphState> state);
  std::shared_ptr<const door::GraphState> state_;
};

// All mistakes of a graph, its files and its shaders: errors and warnings. Needs no device.
std::vector<Message> checkFile(const std::string& path, const GraphOptions& options = {});
std::vector<Message> checkText(const std::string& text, const GraphOptions& options = {},
                               const std::string& name = "graph");

// ---- Plans ----

struct PassReport {
  std::string name;  // "eaw:01:atrous.level2"
  std::array<uint32_t, 3> groups{1, 1, 1};
  uint64_t bytesRead = 0, bytesWritten = 0;
  uint32_t sharedBytes = 0;  // of a workgroup
  bool isTransfer = false;   // to or from the program's or a file's memory
};

// A picture that runs in tiles, each with the pixels that its core depends on.
struct TileReport {
  size_t columns = 1, rows = 1;
  uint32_t width = 0, height = 0;  // of each, with its halo
  uint32_t halo = 0;
  double work = 1.0;  // the pixels that are computed, relative to the picture's
};

struct PlanReport {
  std::vector<FilterChoice> filters;
  std::vector<PassReport> passes;
  std::optional<TileReport> tiles;        // if none, the passes are those of the whole picture
  uint64_t memoryBytes = 0;               // on the device
  uint64_t unaliasedBytes = 0;            // without sharing
  uint64_t liveBytes = 0;                 // the lower bound: the resources that live together at the pass...
  std::string livePass;                   // ...of this name
  std::vector<std::string> liveTogether;  // names of that
  size_t barriers = 0;
  int warmUpFrames = 0;      // that a part of a sequence depends on, before its first frame; -1: all
  std::string warmUpReason;  // "svgf:01 96, accum:01 128"
  // The largest distance from an output's pixel to the input pixels that it depends on; -1 if it depends on
  // all.
  double reachPixels = 0.0;
  std::string reachReason;
};

// Times of the pipeline: a span for each stage on each thread, and one for each pass on the device, as a
// Chrome trace (ui.perfetto.dev).
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  std::string json() const;
  void write(const std::string& path) const;

 private:
  friend struct door::Access;
  std::unique_ptr<door::TraceState> state_;
};

struct PipelineOptions {
  std::vector<std::string> schedules = {};  // "rows4" or "eaw:01=rows4/buffer", as for --schedule
  // The most memory that the graph may take on the device; 0 for any. Pictures that need more run in tiles,
  // with equal results, or the graph is refused.
  uint64_t memoryBytes = 0;
  bool fuses = true;  // if false, every node has passes of its own
  int frames = 0;     // number of frames; 0: unknown, which disables the next two
  // Unmeasured filters are measured first where that pays, for at most 10 s each. Images in the program's
  // memory are zero meanwhile.
  bool tunes = false;
  // For few frames, filters take schedules that compile fast rather than those that run fast, unless these
  // are already compiled.
  bool startsFast = false;
  bool debugShaders = false;               // shaders keep sources and lines, for debuggers
  std::shared_ptr<Trace> trace = nullptr;  // gets the times of the pipeline, from its construction on
};

// Without a device: with Vulkan's guaranteed limits.
PlanReport plan(const Graph& graph, const PipelineOptions& options = {});
PlanReport plan(const Graph& graph, const Device& device, const PipelineOptions& options = {});

// ---- Tuning ----

struct TuningOptions {
  // The schedules to measure: "rows4" or "eaw:01=rows4". If empty, all schedules are measured; for kernels a
  // search is made.
  std::vector<std::string> schedules = {};
  int runs = 20;          // timed ones of a schedule, at most
  double seconds = 60.0;  // for each filter, at most; 0: as many as it takes
  // Called on the calling thread before a schedule is first timed.
  std::function<void(const std::string& filter, const std::string& schedule)> trying = {};
};

// Measures the schedules of the graph's filters and keeps the times in the device's cache folder, where
// pipelines find them. Equal filters are measured once.
std::vector<FilterTimes> tune(Device& device, const Graph& graph, const TuningOptions& options = {});

// Drops the measurements of the graph's filters. Returns the number of filters that had measurements.
size_t forgetMeasurements(const Device& device, const Graph& graph);
void forgetMeasurements(const std::string& cacheFolder = DeviceOptions::defaultCacheFolder());  // all

// What was measured on this machine for the device, as JSON that other machines with such a device can
// import.
std::string exportMeasurements(const Device& device);

struct ImportedMeasurements {
  size_t filters = 0;                 // whose measurements are kept
  size_t stayed = 0;                  // that were measured on this machine, which counts more
  std::vector<std::string> warnings;  // of another driver or version, which are imported nevertheless
};
// Keeps the measurements of such a text. Throws for a damaged one, another format, and another device.
ImportedMeasurements importMeasurements(const Device& device, const std::string& json);

// ---- Running ----

// A frame in a callback; valid until that returns.
class Frame {
 public:
  int number() const;
  void put(const std::string& source, const ConstImageView& from);
  void get(const std::string& sink, const ImageView& to) const;
  // The frame's own memory, to be filled or read in place.
  ImageView source(const std::string& name);
  ConstImageView sink(const std::string& name) const;

 private:
  friend struct door::Access;
  explicit Frame(const door::FrameState& state) : state_(&state) {}
  const door::FrameState* state_;
};

struct RunOptions {
  int inFlight = 0;          // frames at a time; 0: as many as keep device and processor busy
  bool timesPasses = false;  // on the device, which runs the first frame once before, untimed
  // Called on worker threads, for several frames at once. fill: puts the images of all sources `i-memory`
  // into every frame; a missing one is an error. take: gets those of the sinks; not for frames of the
  // warm-up.
  std::function<void(Frame&)> fill = {};
  std::function<void(const Frame&)> take = {};
  // Called on the thread that called run().
  std::function<void(const RunProgress&)> progress = {};
  // Called on any thread until run() returns: warnings about reading and writing files, each text once.
  std::function<void(const std::string& text)> warning = {};
  std::function<void(const std::string& text)> note = {};  // likewise: what modules have found
  // Asked several times a second, on any thread. If it returns true, no further frame begins, frames in
  // flight are dropped, and files that are being written are finished.
  std::function<bool()> cancelled = {};
};

// A graph on a device, ready to run.
class Pipeline {
 public:
  Pipeline(Device& device, const Graph& graph, const PipelineOptions& options = {});
  // Of a file that `lacuna export` wrote, for one of its sizes: without a compiler and without modules. It
  // runs frame by frame. Images have the numbers and channels that the bundle's have.
  static Pipeline fromBundle(Device& device, const std::string& file, int width, int height);
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;

  const PlanReport& plan() const;
  // Names of the sources `i-memory` that need images, and of the sinks `o-memory`.
  std::vector<std::string> sources() const;
  std::vector<std::string> sinks() const;
  // The type of a source `i-memory` or a sink `o-memory`.
  ImageType imageType(const std::string& name) const;
  // With PipelineOptions::tunes: the results of measuring, or why nothing was measured.
  const std::vector<FilterTimes>& measured() const;
  const std::vector<Message>& warnings() const;

  // Graph::frames(), and the frames that they depend on; several in flight. Starts from nothing: feedback is
  // zero in the first frame. If a frame fails, earlier ones are finished, later ones dropped or finished, and
  // its error is thrown.
  RunResult run(const RunOptions& options);

  // One frame, with the images of all sources and sinks in memory. It continues the frame that ran last.
  // If a filter takes motion, which leads to the frame before, it does so only from the number before.
  // `parameters`: of a bundle, new values from this frame on, "svgf:01:levels=4".
  void run(int frame, const std::map<std::string, ConstImageView>& sources,
           const std::map<std::string, ImageView>& sinks, const std::vector<std::string>& parameters = {});
  void restart();  // the next frame doesn't continue another one

 private:
  friend struct door::Access;
  explicit Pipeline(std::unique_ptr<door::PipelineState> state);
  std::unique_ptr<door::PipelineState> state_;
};

struct BundleSize {
  int width = 0, height = 0;
};
// The sizes that a bundle was exported for.
std::vector<BundleSize> bundleSizes(const std::string& file);

}  // namespace lacuna

#endif
