#include <set>

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp11>

#include "graph/shader/compile.h"

namespace lacuna {
namespace {

constexpr size_t headerWords = 5;

bool isFloatArithmetic(spv::Op op) {
  switch (op) {
    case spv::Op::OpFNegate:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpDot:
      return true;
    default:
      return false;
  }
}

bool isType(spv::Op op) {
  return op >= spv::Op::OpTypeVoid && op <= spv::Op::OpTypeForwardPointer;
}

}  // namespace

SpirvWords decorateNoContraction(const SpirvWords& words) {
  std::set<uint32_t> results;
  std::set<uint32_t> decorated;
  size_t firstType = 0;
  for (size_t i = headerWords; i < words.size(); i += words[i] >> 16U) {
    const auto op = static_cast<spv::Op>(words[i] & 0xffffU);
    if (firstType == 0 && isType(op)) {
      firstType = i;
    }
    const bool fma = op == spv::Op::OpExtInst && words[i + 4] == GLSLstd450Fma;
    if (isFloatArithmetic(op) || fma) {
      results.insert(words[i + 2]);
    } else if (op == spv::Op::OpDecorate &&
               words[i + 2] == static_cast<uint32_t>(spv::Decoration::NoContraction)) {
      decorated.insert(words[i + 1]);
    }
  }
  SpirvWords out(words.begin(), words.begin() + static_cast<ptrdiff_t>(firstType));
  for (const uint32_t id : results) {
    if (decorated.count(id) == 0) {
      out.push_back((3U << 16U) | static_cast<uint32_t>(spv::Op::OpDecorate));
      out.push_back(id);
      out.push_back(static_cast<uint32_t>(spv::Decoration::NoContraction));
    }
  }
  out.insert(out.end(), words.begin() + static_cast<ptrdiff_t>(firstType), words.end());
  return out;
}

}  // namespace lacuna
