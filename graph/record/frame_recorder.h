#pragma once
// Frames of a graph in a program's command buffers and on its memory. It needs no compiler: the graph's
// passes were made just before, or come from a bundle.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/lists.h"
#include "graph/record/fill_block.h"
#include "graph/record/recorded_frame.h"
#include "graph/values/image_type.h"
#include "graph/vk/executable.h"

namespace lacuna {

// A source or sink in memory.
struct MemoryPort {
  std::string valueName;  // empty if nothing needs this source
  ValueType type;
  bool isSource = false;

  bool isUsed() const { return !valueName.empty(); }
};
using MemoryPorts = std::map<std::string, MemoryPort>;  // by module instance

// Throws CallError where there is no such source or sink.
const MemoryPort& portNamed(const MemoryPorts& ports, const std::string& name);
// One of the two, or both.
const MemoryPort& portNamed(const MemoryPorts& ports, const std::string& name, bool isSource);

// A program's memory as sources and sinks see it: all that a frame gives has the size of its port.
bool hasSizeOf(const VulkanImage& image, const ValueType& type);

// A graph for sources of one size, on a device.
struct RecordedGraph {
  std::shared_ptr<const void> owner;  // of the executable and the blocks
  vk::Executable* executable = nullptr;
  ParameterBlocks* blocks = nullptr;
  MemoryPorts ports = {};
  GivenPlaces places = {};
  bool cutsAtGaps = false;  // as in WarmUp
};

// Throws CallError for wrong arguments; then nothing was recorded.
class FrameRecorder : NoCopy {
 public:
  // The same graph for sources of these sizes.
  using Resize = std::function<RecordedGraph(const std::map<std::string, VulkanImage>& sources)>;

  // `inFlight`: frames on the device at a time.
  FrameRecorder(RecordedGraph graph, int inFlight, Resize resize);

  // lacuna::record()
  void record(VkCommandBuffer commands, const RecordedFrame& frame);
  void restart() { last_.reset(); }  // history begins again in the next frame

 private:
  const FrameGraph& passes() const { return graph_.executable->schedule(); }
  int indexOf(int number) const;
  void set(const std::string& parameter);
  void setAndKeep(const std::string& parameter);
  void resizeIfNeeded(const std::map<std::string, VulkanImage>& sources);
  void take(RecordedGraph graph);
  void check(const std::string& name, const VulkanImage& image) const;
  std::map<std::string, VulkanImage> checked(const RecordedFrame& frame) const;

  RecordedGraph graph_;
  std::vector<std::string> copied_;  // sources and sinks that transfers read or write
  int inFlight_;
  Resize resize_;
  std::vector<std::string> parameters_;  // that were set, in their order
  int calls_ = 0;
  std::optional<int> last_;  // frame
  // Those of earlier sizes, and the number of calls until their frames have ended.
  std::vector<std::pair<RecordedGraph, int>> retired_;
};

}  // namespace lacuna
