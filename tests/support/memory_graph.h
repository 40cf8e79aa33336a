#pragma once
// Graphs whose images come from and go to memory, for tests that need a device.

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "graph/compile/compile.h"
#include "graph/families/stencil_schedule.h"
#include "graph/run/session.h"
#include "tests/support/places.h"

namespace lacuna::test {

struct Image {
  ValueType type;
  std::vector<uint32_t> words;

  // Components of a pixel as numbers, in order; three-component images have four stored. In an array x is a
  // number's index.
  double at(uint32_t x, uint32_t y, int component) const;
  void set(uint32_t x, uint32_t y, int component, double value);  // rounded to the format
};

Image makeImage(Channels channels, Format format, Extent extent, ColourTag colour = ColourTag::rec709);

double roundToHalf(double value);

// Tests run under Vulkan's validation layers, unless LACUNA_TEST_NO_VALIDATION is set.
bool isValidated();

// LACUNA_TEST_MATRICES=nv|emulated: less than the device has; else all.
MatrixKind testedMatrices();

// The options of all tests' devices: LACUNA_TEST_DEVICE selects one, and memory is full of NaN.
vk::DeviceOptions deviceOptions();

// The device that all tests of a process share, with validation on.
vk::Device& testDevice();
// The same device, but it binds at most 16 bytes as a storage buffer.
vk::Device& narrowDevice();

struct MemoryGraph {
  std::string text;  // for graphText(); sources i-memory:NAME, sinks o-memory:NAME
  // By NAME; planes are from i-planes:NAME, arrays from i-array:NAME (tests/gpu).
  std::map<std::string, Image> sources;
  bool asGpu = false;               // schedules as for a GPU, also on a CPU device
  vk::Device* device = nullptr;     // null: testDevice()
  bool fuses = true;                // if false, every node has its own passes
  std::optional<Tiles> tiles = {};  // of the picture; if none, it is computed as a whole
  ForcedSchedules schedules;        // for single nodes, whatever schedule is requested
  std::vector<std::string> modulePath = {moduleFolder(), benchModules()};
};

LoadedGraph load(const MemoryGraph& graph);
FrameGraph scheduleOf(const MemoryGraph& graph, const std::string& schedule);
// Whether the test device refuses a schedule, for stencil chains that have no other.
bool isRejected(const MemoryGraph& graph, const StencilSchedule& schedule);

// A graph on the test device under a schedule, frame after frame. Fails the test for a violation that
// checkBarriers finds, and, at its end, for validation messages.
class MemoryRun {
 public:
  MemoryRun(const MemoryGraph& graph, const std::string& schedule);  // with the images of its sources
  ~MemoryRun();

  void bring(const std::map<std::string, Image>&
                 sources);  // from the next frame on; those of culled sources are left
  void compute(int frame);
  void stopWhen(std::function<bool()> stops) { session_->stopWhen(std::move(stops)); }
  std::map<std::string, Image> results() const;  // of all sinks, by NAME

 private:
  std::string schedule_;
  vk::Device& device_;
  std::unique_ptr<Session> session_;
};

// Runs frame 0 (to frames - 1) under a schedule and returns the images of all sinks, by NAME. Fails the test
// on a diagnostic, a validation message or a violation that checkBarriers finds.
std::map<std::string, Image> run(const MemoryGraph& graph, const std::string& schedule, int frames = 1);
// The images of all sinks in each of these frames of the sources.
std::vector<std::map<std::string, Image>> run(const MemoryGraph& graph, const std::string& schedule,
                                              const std::vector<std::map<std::string, Image>>& frames);

}  // namespace lacuna::test
