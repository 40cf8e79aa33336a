#pragma once
// The contents of lacuna.h's handles, and the runtime's pixels, types of images and schedules as those of
// lacuna.h.

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/door/lacuna/lacuna.h"
#include "graph/door/lacuna/vulkan.h"
#include "graph/frame/frame_graph.h"
#include "graph/load/file_numbers.h"
#include "graph/load/load.h"
#include "graph/nodes/warm_up.h"
#include "graph/record/device_state.h"
#include "graph/record/frame_recorder.h"
#include "graph/run/profile.h"
#include "graph/run/resume.h"
#include "graph/run/stream.h"
#include "graph/values/image_type.h"
#include "graph/vk/hosted_memory.h"

namespace lacuna::door {

// A loaded graph, with or without errors.
struct GraphState {
  LoadedGraph loaded;
  std::vector<std::string> modulePath;
  WarmUp warmUp;
  FramesToRun plan;
  FrameSet frames;  // of the plan, as users number them
  std::vector<Message> messages;
  Missing missing = Missing::error;
  int askedFrames = 0;
  FrameSet finished;  // in users' numbers: those that GraphOptions::resume or keepOutputs skips
  std::array<size_t, outputStates> outputs{};  // number of all frames, if some are resumed
  std::vector<std::string> damagedRecords;
  std::optional<Recording> recording;
  bool skipDamaged = false;
  bool isListed = false;  // GraphOptions::files
  // What it was loaded from, for the same graph of other sizes.
  std::string name;
  std::optional<std::string> text;  // none: of the file `name`
  GraphOptions options;
};

struct PipelineState {
  std::shared_ptr<DeviceState> device;
  std::shared_ptr<const GraphState> graph;
  std::shared_ptr<Trace> trace;      // null: none
  std::shared_ptr<Session> session;  // also of frames that are recorded, as long as they run
  PlanReport plan;
  std::vector<Message> warnings;
  std::vector<FilterTimes> measured;
  MemoryPorts ports;
  double measuringSeconds = 0.0;
  std::optional<int> last;  // the frame that run() of one frame may continue
  std::atomic<bool> isRunning = false;
  std::unique_ptr<FrameRecorder> recorder;   // null: it runs by itself
  std::unique_ptr<vk::HostedMemory> hosted;  // of a bundle whose images are the host's; else null
};

// A session of the graph on the device. With `given` it is to be recorded.
std::unique_ptr<PipelineState> openPipeline(std::shared_ptr<DeviceState> device,
                                            std::shared_ptr<const GraphState> graph,
                                            const PipelineOptions& options, GivenPlaces given = {});

// A frame of a pipeline with `hosted`.
void runHosted(PipelineState& state, int number, const std::map<std::string, ConstImageView>& sources,
               const std::map<std::string, ImageView>& sinks, const std::vector<std::string>& parameters);

// The pipeline is this thread's for as long as this lives.
class Running : NoCopy {
 public:
  explicit Running(PipelineState& state);
  ~Running() { state_.isRunning = false; }

 private:
  PipelineState& state_;
};

// The frame's index. Throws Error if the number is too small or too large.
int indexOf(const PipelineState& state, int number);
// Whether the history of a frame is that of the one that ran last.
bool followsLast(const PipelineState& state, int index);

struct TraceState {
  Profile profile;
};

// A frame in a callback, which may use it on several threads.
struct FrameState {
  FrameState(const PipelineState& itsPipeline, const StreamFrame& itsMemory, int itsNumber)
      : pipeline(itsPipeline), memory(itsMemory), number(itsNumber) {}
  const PipelineState& pipeline;
  const StreamFrame& memory;
  int number;

  void give(const std::string& source) const;
  // Throws Error if a source that needs an image was not given one: its memory has an earlier frame's.
  void checkGiven() const;

 private:
  mutable std::mutex mutex_;
  mutable std::set<std::string> given_;
};

// Throws Error.
void record(PipelineState& pipeline, VkCommandBuffer commands, const GivenFrame& frame);

// What Graph::outputFiles() returns.
std::vector<std::string> outputFiles(const GraphState& graph, int frame);

// Those of frame_recorder.h, which throw Error here.
const MemoryPort& portNamed(const PipelineState& pipeline, const std::string& name);
const MemoryPort& portNamed(const PipelineState& pipeline, const std::string& name, bool isSource);

// Returns a handle's contents.
struct Access {
  static const std::shared_ptr<DeviceState>& of(const Device& device) { return device.state_; }
  static const std::shared_ptr<const GraphState>& of(const Graph& graph) { return graph.state_; }
  static Device device(std::shared_ptr<DeviceState> state) { return Device(std::move(state)); }
  static Graph graph(std::shared_ptr<const GraphState> state) { return Graph(std::move(state)); }
  static Profile* of(const std::shared_ptr<Trace>& trace) {
    return trace ? &trace->state_->profile : nullptr;
  }
  static PipelineState& of(Pipeline& pipeline) { return *pipeline.state_; }
  static Pipeline pipeline(std::unique_ptr<PipelineState> state) { return Pipeline(std::move(state)); }
  static Frame frame(const FrameState& state) { return Frame(state); }
};

ValueType valueTypeOf(const ImageType& type, const std::string& name);  // throws Error: a size without pixels
// Throws Error for what is not an image: arrays, planes, packed words.
ImageType imageTypeOf(const ValueType& type, const std::string& name);

// An image in a frame's memory. Three components are stored as four.
ImageView viewOf(const ImageType& type, std::span<std::byte> memory);

// Throws Error where the pixels of `view` can't be those of an image, `name`, of this type.
void checkView(const ConstImageView& view, const ImageType& type, const std::string& name);

// A schedule. `built`: the graph before it was culled and fused.
PlanReport planOf(const FrameGraph& schedule, const NodeGraph& built);
std::vector<PassReport> passReports(const Passes& passes);

}  // namespace lacuna::door
