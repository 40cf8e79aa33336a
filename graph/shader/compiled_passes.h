#pragma once
// ShadedPasses -> the same, with the SPIR-V of every dispatch.

#include "graph/shader/compile.h"
#include "graph/shader/generate/shaders.h"

namespace lacuna {

struct CompiledPasses : ShadedPasses {
  Table<PassId, std::shared_ptr<const SpirvWords>> spirv = {};  // null if a pass is not a dispatch
};

// Pass::sharedBytes is the size that shaders declare, if their modules state less.
CompiledPasses compileShaders(ShadedPasses passes, ShaderCache cache);

std::string print(const CompiledPasses& passes);

}  // namespace lacuna
