#include "tests/support/contraction.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <set>
#include <spirv/unified1/spirv.hpp11>

namespace lacuna::test {

std::pair<int, int> contraction(const SpirvWords& words) {
  std::set<uint32_t> floats;
  std::set<uint32_t> decorated;
  int bare = 0;
  for (const bool counting : {false, true}) {
    for (size_t i = 5; i < words.size(); i += words[i] >> 16U) {
      const auto op = static_cast<spv::Op>(words[i] & 0xffffU);
      if (op == spv::Op::OpTypeFloat) {
        floats.insert(words[i + 1]);
      } else if ((op == spv::Op::OpTypeVector || op == spv::Op::OpTypeMatrix) &&
                 floats.count(words[i + 2]) != 0) {
        floats.insert(words[i + 1]);
      } else if (op == spv::Op::OpDecorate &&
                 words[i + 2] == static_cast<uint32_t>(spv::Decoration::NoContraction)) {
        decorated.insert(words[i + 1]);
      } else if (counting) {
        const bool arithmetic =
            (op >= spv::Op::OpSNegate && op <= spv::Op::OpDot) && floats.count(words[i + 1]) != 0;
        const bool fma = op == spv::Op::OpExtInst && words[i + 4] == GLSLstd450Fma;
        bare += (arithmetic || fma) && decorated.count(words[i + 2]) == 0 ? 1 : 0;
      }
    }
  }
  return {bare, static_cast<int>(decorated.size())};
}

}  // namespace lacuna::test
