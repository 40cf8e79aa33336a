#pragma once
// Common parts of benchmarks on a device, and their small graphs. It includes what they all need of the
// runtime.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/door/load_graph.h"
#include "graph/door/state.h"
#include "graph/run/bandwidth.h"
#include "graph/run/session.h"
#include "tools/bench/report.h"

namespace lacuna {

// How long measurements take.
struct BenchEffort {
  int runs = 20;             // timed runs at most,
  double seconds = 3.0;      // no run begins after these seconds, except the first `fewestRuns`
  double preheatMs = 200.0;  // as for preheat()
};
constexpr int fewestRuns = 3;

// Counts runs until there are enough, or the time is over.
class BenchRuns {
 public:
  explicit BenchRuns(const BenchEffort& effort) : effort_(effort) {}
  bool next() {
    const std::chrono::duration<double> spent = Clock::now() - start_;
    return count_ < effort_.runs && (count_ < fewestRuns || spent.count() < effort_.seconds) && ++count_ > 0;
  }
  int count() const { return count_; }

 private:
  using Clock = std::chrono::steady_clock;
  BenchEffort effort_;
  Clock::time_point start_ = Clock::now();
  int count_ = 0;
};

// Images by the name of their value: "i-memory:colour:image.output".
using BenchPixels = std::map<std::string, std::shared_ptr<const std::vector<std::byte>>>;

struct Lab {
  explicit Lab(const BenchArguments& arguments);

  // Throws Error. `memory`: types of i-memory.
  NodeGraph graphOf(const std::string& text, const std::map<std::string, ValueType>& memory = {}) const;
  // By the measurements of `lacuna tune`. `refused`: why the device can't run it, or empty.
  FrameGraph passesOf(NodeGraph graph, const ForcedSchedules& schedules, std::string& refused,
                      bool fuses = true) const;
  // The same, to run. Throws Error, vk::DeviceError.
  std::unique_ptr<Session> open(NodeGraph graph);
  std::unique_ptr<Session> open(FrameGraph passes);

  bool isCpu() const { return device.info().isCpu(); }
  double bandwidth() const { return copyBandwidth(device); }
  // --size, or the default.
  std::vector<Extent> sizes(const std::vector<Extent>& usual, const std::vector<Extent>& usualOfCpu) const;
  std::vector<Extent> sizes(const std::vector<Extent>& usual) const { return sizes(usual, usual); }

  const BenchArguments& arguments;
  mutable vk::Device device;
  std::vector<std::string> modules;  // folders to search
  BenchEffort effort;
  Report report;
};

// Values that were made before, in buffers, become constants.
NodeGraph withConstants(NodeGraph graph, const BenchPixels& pixels);

// The images as constants on the device, copied to the place of sources' uploads: a frame then moves nothing
// to the device, and memory is aliased as usual.
FrameGraph replaceUploads(FrameGraph schedule, const BenchPixels& pixels);

// The node of this name, or the last one whose name begins so. Throws Error.
const Node& nodeNamed(const NodeGraph& graph, const std::string& name);

// Throws Error with all names of --schedule that are unknown. `expected`: that of one of them.
template <class IsKnown>
void checkSchedules(const BenchArguments& arguments, const IsKnown& isKnown, const std::string& expected) {
  Diagnostics wrong;
  for (const std::string& name : arguments.schedules)
    if (!isKnown(name))
      wrong.error({}, fmt::format("--schedule {}: {}", name, expected));
  if (wrong.hasErrors())
    throw Error(ErrorKind::call, wrong.messages());
}

// Times of a session's frames, in turn.
struct SessionTimes {
  Table<PassId, std::vector<double>> passes;  // milliseconds of each run
  std::vector<double> totals;                 // without timestamps between passes, without transfers
  std::vector<double> walls;                  // by the host's clock
};
// Preheats on the first of them, which is already uploaded.
SessionTimes timesOf(Session& session, const std::vector<int>& frames, const BenchEffort& effort);

}  // namespace lacuna
