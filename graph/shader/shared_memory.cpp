#include "graph/shader/spirv.h"

#include <algorithm>
#include <map>
#include <spirv-tools/optimizer.hpp>
#include <unordered_map>

#include "graph/shader/generate/spirv_instructions.h"

namespace lacuna {
namespace {

bool isShared(Instruction words) {
  return isOp(words, spv::Op::OpVariable) && words[3] == static_cast<uint32_t>(spv::StorageClass::Workgroup);
}

// The module with constants in place of specialization constants.
SpirvWords specialized(const SpirvWords& words, const std::vector<int32_t>& values) {
  std::unordered_map<uint32_t, std::vector<uint32_t>> byId;
  for (uint32_t i = 0; i < values.size(); ++i)
    byId[i] = {static_cast<uint32_t>(values[i])};
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(byId));
  optimizer.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass());
  optimizer.RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  SpirvWords out;
  return optimizer.Run(words.data(), words.size(), &out, options) ? out : SpirvWords();
}

// Sizes of the types declared so far. SPIR-V declares a type's parts before it.
class Sizes {
 public:
  void note(Instruction words) {
    const auto sizeOf = [&](uint32_t id) { return bytes_.count(id) > 0 ? bytes_.at(id) : 0; };
    switch (static_cast<spv::Op>(opcode(words))) {
      case spv::Op::OpConstant:
        constants_[words[2]] = words[3];
        break;
      case spv::Op::OpTypeBool:
        bytes_[words[1]] = 4;
        break;
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
        bytes_[words[1]] = words[2] / 8;
        break;
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
        bytes_[words[1]] = sizeOf(words[2]) * words[3];
        break;
      case spv::Op::OpTypeArray:
        bytes_[words[1]] = sizeOf(words[2]) * constants_[words[3]];
        break;
      case spv::Op::OpTypeStruct:
        for (const uint32_t member : words.subspan(2))
          bytes_[words[1]] += sizeOf(member);
        break;
      case spv::Op::OpTypePointer:
        bytes_[words[1]] = sizeOf(words[3]);  // of what it points to
        break;
      default:
        if (isShared(words))
          shared_ += sizeOf(words[1]);
    }
  }
  uint64_t shared() const { return shared_; }

 private:
  std::map<uint32_t, uint64_t> bytes_;      // by type
  std::map<uint32_t, uint64_t> constants_;  // 32-bit ones
  uint64_t shared_ = 0;
};

}  // namespace

uint64_t sharedMemoryOf(const SpirvWords& words, const std::vector<int32_t>& specialization) {
  const std::vector<Instruction> all = instructionsOf(words);
  if (std::ranges::none_of(all, isShared) || hasMatrixTypes(words))
    return 0;
  const SpirvWords plain = specialized(words, specialization);
  Sizes sizes;
  for (const Instruction each : instructionsOf(plain))
    sizes.note(each);
  return sizes.shared();
}

}  // namespace lacuna
