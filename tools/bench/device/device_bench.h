#pragma once
// The micro-benchmarks of a device, after Vannson 2023, sections 3.2 and 4.2, and their common parts.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/compile/compile.h"
#include "tools/bench/curve.h"
#include "tools/bench/lab.h"

namespace lacuna {

// Timed dispatches on a device: the parts of the layers below graphs that a micro-benchmark needs.
struct KernelBuffer {
  std::string name;
  uint64_t bytes = 0;                                                // or those of...
  std::shared_ptr<const std::vector<std::byte>> contents = nullptr;  // ...what it holds from the start
};

// A dispatch. Its buffers stand at the bindings 1, 2, ...
struct KernelDispatch {
  std::string name;
  std::string glsl;
  std::vector<std::pair<size_t, AccessKind>> buffers;
  uint32_t groups = 1;
  std::vector<int32_t> constants = {};     // constant_id 0, 1, ...
  std::optional<MatrixUse> matrices = {};  // with which it includes shared/matrix.glsl
};

class TimedKernel {
 public:
  // Compiles shaders and takes memory. The last of several dispatches is timed; it writes the number of its
  // steps into the first word of its last buffer. Throws vk::DeviceError if the device refuses.
  TimedKernel(vk::Device& device, const std::vector<KernelBuffer>& buffers,
              const std::vector<KernelDispatch>& dispatches);

  // Milliseconds. `steps`, at the shader's binding 0, is the number of repetitions of what is measured.
  // Throws vk::DeviceError if that number is wrong.
  double run(uint32_t steps);
  std::span<const std::byte> result() const;  // the last buffer, after a run

 private:
  std::unique_ptr<vk::Executable> executable_;
};

// Words as a buffer holds them.
template <class Word>
KernelBuffer bufferOf(const std::string& name, const std::vector<Word>& words) {
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  return {name, words.size() * sizeof(Word),
          std::make_shared<const std::vector<std::byte>>(bytes, bytes + words.size() * sizeof(Word))};
}

class DeviceBench {
 public:
  explicit DeviceBench(Lab& lab) : lab_(lab) {}

  vk::Device& device() const { return lab_.device; }
  const vk::DeviceInfo& info() const { return lab_.device.info(); }
  const std::vector<std::string>& modules() const { return lab_.modules; }

  // The measured points of a curve: all, or (--quick) every fourth and the
  // last.
  std::vector<double> chosen(const std::vector<double>& all) const;

  // Nanoseconds of each of `count` more steps, without constant costs: the difference of medians of runs with
  // n and 2 n steps.
  double nsPerStep(TimedKernel& kernel, uint32_t leastSteps = 1);
  // Heats up again before the next point.
  void beginTable() { isWarm_ = false; }

 private:
  Lab& lab_;
  bool isWarm_ = false;
};

// The text of a shader that comes with the program, tools/bench/device/NAME.glsl. Throws FileError.
std::string benchShader(const std::string& name);

// Loads from shared memory by 32 threads at once.
using BankStarts = std::vector<uint32_t>;  // the word where each thread starts

// Nanoseconds of a load by 32 threads; each continues with another word of the bank of its start.
double accessNs(DeviceBench& bench, const BankStarts& starts);

// The number of banks, a power of two up to 64: the least stride that takes as long as one bank for all
// threads. 0: strides cost nothing.
uint32_t measuredBanks(DeviceBench& bench);

// The number of operations of one multiprocessor and of the whole device in a second, by a kernel that does
// nothing else.
struct ThroughputKernel {
  std::string name;
  std::string glsl;         // constant_id 0: threads of a workgroup; binding 2: steps
  KernelBuffer factors;     // at binding 1
  double operations = 0.0;  // of a warp in a step
  uint32_t warpsOfAll = 8;  // in each workgroup, if they fill the device
  uint64_t resultBytes = 8;
  std::optional<MatrixUse> matrices = {};
};

// One workgroup, which runs on one multiprocessor, by its number of warps: nanoseconds a step.
Curve timesByWarps(DeviceBench& bench, const ThroughputKernel& kernel);

struct Throughput {
  double onePerSecond = 0.0;     // operations of a multiprocessor, with the best number of warps
  double devicePerSecond = 0.0;  // all multiprocessors full
};
Throughput throughputOf(DeviceBench& bench, const ThroughputKernel& kernel, const Curve& byWarps);

// Each throws vk::DeviceError where the device can't run it.
ResultTable measureClocks(DeviceBench& bench);
ResultTable measureCopy(DeviceBench& bench);
ResultTable measureLatency(DeviceBench& bench);
ResultTable measureBanks(DeviceBench& bench);
ResultTable measureDivergence(DeviceBench& bench);
ResultTable measureArithmetic(DeviceBench& bench);
ResultTable measureTensor(DeviceBench& bench);

struct DeviceExperiment {
  const char* name;
  ResultTable (*measure)(DeviceBench& bench);
};
const std::vector<DeviceExperiment>& deviceExperiments();  // in the order in which they run
std::vector<std::string> experimentNames();

// Measures one and keeps it in the cache; if the device refuses it, the table says so.
ResultTable measureTable(DeviceBench& bench, const DeviceExperiment& experiment);

}  // namespace lacuna
