#pragma once
// SPIR-V, instruction by instruction.

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

namespace lacuna {

constexpr size_t spirvHeader = 5;  // words

using Instruction = std::span<const uint32_t>;

inline uint32_t opcode(Instruction instruction) {
  return instruction[0] & 0xffffU;
}

inline bool isOp(Instruction instruction, spv::Op op) {
  return opcode(instruction) == static_cast<uint32_t>(op);
}

inline bool declaresType(Instruction instruction) {
  return opcode(instruction) >= static_cast<uint32_t>(spv::Op::OpTypeVoid) &&
         opcode(instruction) <= static_cast<uint32_t>(spv::Op::OpTypeForwardPointer);
}

// Stops at an instruction whose length can't be right.
inline std::vector<Instruction> instructionsOf(const std::vector<uint32_t>& words) {
  std::vector<Instruction> all;
  size_t length = 0;
  for (size_t at = spirvHeader; at < words.size(); at += length) {
    length = words[at] >> 16U;
    if (length == 0 || length > words.size() - at)
      break;
    all.push_back(Instruction(words).subspan(at, length));
  }
  return all;
}

}  // namespace lacuna
