#pragma once
// Dispatches on a device, timed: the least that a micro-benchmark needs of the layers below graphs.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/vk/executable.h"

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
  std::optional<MatrixUse> matrices = {};  // that it includes shared/matrix.glsl with
};

class TimedKernel {
 public:
  // Compiles shaders and takes memory. The last of several dispatches is timed; the first word of its last
  // buffer is the number of steps that it did. Throws vk::DeviceError where the device refuses.
  TimedKernel(vk::Device& device, const std::vector<KernelBuffer>& buffers,
              const std::vector<KernelDispatch>& dispatches);

  // Milliseconds. `steps`, which the shader finds at binding 0, says how often it repeats what is measured.
  // Throws vk::DeviceError where it did more or fewer of them.
  double run(uint32_t steps);

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
