#pragma once
// Frames of a graph in a program's command buffers and on its memory. It needs no compiler: the graph's
// passes were made just before, or come from a bundle.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/lists.h"
#include "graph/record/fill_block.h"
#include "graph/values/image_type.h"
#include "graph/vk/executable.h"
#include "graph/vk/given.h"

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
bool hasSizeOf(const VulkanImage& image, Extent extent);

// A graph for sources of one size, on a device.
struct RecordedGraph {
  std::shared_ptr<const void> owner;  // of the executable and the blocks
  vk::Executable* executable = nullptr;
  ParameterBlocks* blocks = nullptr;
  MemoryPorts ports = {};
  GivenPlaces places = {};
  bool cutsAtGaps = false;  // as in WarmUp
};

// The memory of a source or sink in a frame.
struct FramePlane {
  std::string_view name;
  VulkanImage image;
  std::optional<bool> isSource = {};  // if the program states which of the two it means
};

// RecordedFrame, as it comes through either interface.
struct GivenFrame {
  int number = 0;
  bool cuts = false;
  std::span<const FramePlane> planes = {};  // of all sources and sinks
  std::vector<std::string> parameters = {};
};

// Throws CallError for wrong arguments; then nothing was recorded.
class FrameRecorder : NoCopy {
 public:
  // The same graph for sources of these sizes.
  using Resize = std::function<RecordedGraph(const std::map<std::string, VulkanImage>& sources)>;

  // `inFlight`: frames on the device at a time.
  FrameRecorder(RecordedGraph graph, int inFlight, Resize resize);

  // lacuna::record(). Neither allocates nor searches where frames are alike.
  void record(VkCommandBuffer commands, const GivenFrame& frame);
  void restart() { last_.reset(); }  // history begins again in the next frame

 private:
  // What record() needs of a source or sink.
  struct End {
    std::string name;
    Extent extent;
    bool isSource = false, isUsed = false, isImage = false;
    bool isCopied = false;        // a transfer reads or writes it
    std::optional<size_t> place;  // in Executable::given()
    uint64_t attempt = 0;         // the last one that gave it memory
  };
  const FrameGraph& passes() const { return graph_.executable->schedule(); }
  int indexOf(int number) const;
  size_t endOf(const FramePlane& plane, size_t expected) const;
  void set(const std::string& parameter);
  void setAndKeep(const std::string& parameter);
  void resizeIfNeeded(std::span<const FramePlane> planes);
  void take(RecordedGraph graph);
  static void check(const End& end, const VulkanImage& image);
  void takeMemory(const GivenFrame& frame);

  RecordedGraph graph_;
  std::vector<End> ends_;            // by name, as RecordedGraph::ports
  std::vector<VulkanImage> memory_;  // of the frame, as Executable::given()
  int firstNumber_ = 0;              // of the graph's frames
  bool moves_ = false;               // whether a keyframe changes what shaders read
  uint64_t blocks_ = 1;              // Frame::blocks; another number after each parameter that is set
  int inFlight_;
  Resize resize_;
  std::vector<std::string> parameters_;  // that were set, in their order
  int calls_ = 0;
  uint64_t attempts_ = 0;    // calls, also those that failed
  std::optional<int> last_;  // frame
  // Those of earlier sizes, and the number of frames until theirs have ended.
  std::vector<std::pair<RecordedGraph, int>> retired_;
};

}  // namespace lacuna
