#pragma once
// Timed dispatches on a device: the parts of the layers below graphs that a micro-benchmark needs.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/compile/compile.h"

namespace lacuna {

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

}  // namespace lacuna
