#pragma once
// The passes of a frame on a device: memory bound, pipelines made, commands recorded, ready to run frame
// after frame.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/frame/arena_plan.h"
#include "graph/frame/frame_graph.h"
#include "graph/lists.h"
#include "graph/vk/device.h"

struct VkCommandBuffer_T;

namespace lacuna {
struct VulkanImage;
}  // namespace lacuna

namespace lacuna::vk {

using Spirv = std::vector<uint32_t>;
using Code = Table<PassId, std::shared_ptr<const Spirv>>;  // empty for passes that are no dispatch

struct Frame {
  int index = 0;
  bool first = true;
  // Writes the parameter block of a pass (Pass::blockBytes long, zeroed before).
  std::function<void(PassId pass, std::span<std::byte> block)> fillBlock;
  // Frames with the same number other than 0 have the same blocks, which a slot then keeps.
  uint64_t blocks = 0;
  // Runs the native code of a host pass, between two submissions of the frame, on memory in the order of its
  // accesses. What it throws leaves submit().
  std::function<void(PassId pass, const Tile& tile, const std::vector<std::span<std::byte>>& memory)>
      compute = {};
  // Otherwise only those passes run that lead to the next frame's persistent values (frame/stages.h), and
  // nothing is downloaded.
  bool isWritten = true;
  // Number of runs of a pass in a row, between its two timestamps and each after the one before: for
  // benchmarks. If 0, the pass doesn't run, and its previous output stays, unless another pass uses its
  // memory. Without this function each pass runs once.
  std::function<int(PassId pass)> repeats = {};
  // Computes nothing, but makes drivers compile shaders that they compile when they are first dispatched
  // (Mesa's CPU driver).
  bool onlyCompiles = false;
  // In tiles: this one, and whether it is the first of the frame, which endFrame() ends.
  Tile tile = {};
  bool begins = true;
};

// When a pass ran, in nanoseconds of the device's own clock.
struct DeviceSpan {
  int64_t begin = 0, end = 0;
  bool ran = true;
};

struct Timings {
  Table<PassId, double> passMs;  // from timestamps
  double totalMs = 0.0;          // from the first pass's start to the last one's end
  Table<PassId, DeviceSpan> passes;
  // The offset from the device's clock to the host's steady one, if the device knows it.
  std::optional<int64_t> hostOffset;
};

// A number that the driver states about a compiled shader, in its own words.
struct ShaderStatistic {
  std::string name, value;
};

// The folder of compiled pipelines for later processes. `key`: everything that one depends on, except the
// device and its driver. Any thread calls them.
struct PipelineFiles {
  std::function<std::vector<std::byte>(const std::string& key)> read = {};  // or empty
  std::function<void(const std::string& key, const std::vector<std::byte>& data)> write = {};
};

// Timestamps around every pass keep neighbours from overlapping; `total` has none between passes.
enum class Timed { no, total, perPass };

// The device's requirements for each resource, by which an Executable places its passes. Throws DeviceError.
MemoryNeeds memoryNeeds(Device& device, const Passes& passes);

// Pipelines are kept by the device and shared between executables: the same SPIR-V and constants once.
class Executable : NoCopy {
 public:
  // `spirv`: shared_ptr since levels share theirs.
  // Places the passes with the device's own sizes and alignments. Throws DeviceError.
  Executable(Device& device, FrameGraph passes, const Code& spirv, const PipelineFiles& files = {});
  ~Executable();

  // Frames in flight: each takes a slot, which has its own staging memory and commands (0 always exists).
  // Throws DeviceError if memory doesn't suffice; not while frames are in flight.
  void reserveSlots(int count);
  int slotCount() const;

  // Host memory of an upload or download pass; pixels in rows without padding, words as in
  // module/image_type.h. Filled before submit(), read after wait(), the slot's own in between.
  std::span<std::byte> uploadMemory(PassId pass, int slot = 0);
  std::span<const std::byte> downloadMemory(PassId pass, int slot = 0);

  // Frames are computed one after the other in the order of their submission, each with the persistent
  // resources as the one before left them. submit() of a graph with host passes returns when the last of
  // these has ended. One thread at a time submits; others may wait for other slots meanwhile. A slot is
  // submitted again only after its wait().
  void submit(const Frame& frame, int slot, Timed timed = Timed::no);
  Timings wait(int slot);  // empty unless timed
  // The sources and sinks whose memory a program gives.
  const std::vector<std::string>& given() const;
  // Adds a frame to a program's command buffer, which is submitted in the order of these calls, on its memory
  // in the order of given(). Needs: no host passes; the slot's last frame has ended.
  void record(VkCommandBuffer_T* commands, Frame frame, int slot, std::span<const VulkanImage> given);
  // In tiles, after all submissions of a frame: the next one reads what they kept. Else submit() does it.
  void endFrame();

  void run(const Frame& frame);                    // submits slot 0 and waits
  Timings time(const Frame& frame, bool perPass);  // the same with timestamps
  // Empty if DeviceOptions::shaderStatistics is off or the driver has none.
  Table<PassId, std::vector<ShaderStatistic>> shaderStatistics() const;
  const FrameGraph& schedule() const;  // the placed schedule

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lacuna::vk
