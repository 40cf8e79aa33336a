#include <set>

#include <spirv/unified1/GLSL.std.450.h>

#include "graph/shader/compile.h"
#include "graph/shader/generate/spirv_instructions.h"

namespace lacuna {
namespace {

bool isFloatArithmetic(Instruction instruction) {
  switch (static_cast<spv::Op>(opcode(instruction))) {
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

}  // namespace

SpirvWords decorateNoContraction(const SpirvWords& words) {
  std::set<uint32_t> results;
  std::set<uint32_t> decorated;
  ptrdiff_t firstType = 0;
  for (const Instruction each : instructionsOf(words)) {
    if (firstType == 0 && declaresType(each))
      firstType = each.data() - words.data();
    const bool fma = isOp(each, spv::Op::OpExtInst) && each[4] == GLSLstd450Fma;
    if (isFloatArithmetic(each) || fma)
      results.insert(each[2]);
    else if (isOp(each, spv::Op::OpDecorate) &&
             each[2] == static_cast<uint32_t>(spv::Decoration::NoContraction))
      decorated.insert(each[1]);
  }
  SpirvWords out(words.begin(), words.begin() + firstType);
  for (const uint32_t id : results) {
    if (decorated.count(id) == 0) {
      out.push_back((3U << 16U) | static_cast<uint32_t>(spv::Op::OpDecorate));
      out.push_back(id);
      out.push_back(static_cast<uint32_t>(spv::Decoration::NoContraction));
    }
  }
  out.insert(out.end(), words.begin() + firstType, words.end());
  return out;
}

}  // namespace lacuna
