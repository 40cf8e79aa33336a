#pragma once
// GLSL -> SPIR-V whose float arithmetic has the same results in every shader.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/shader/generate/body_mistake.h"
#include "graph/shader/generate/shaders.h"

namespace lacuna {

using SpirvWords = std::vector<uint32_t>;

// For debuggers: whether SPIR-V holds its sources and, for each instruction, the line that it is from. The
// instructions are the same.
enum class DebugInfo { none, sources };

class ParsedShader;
// Throws for mistakes that a compiler accepts.
using ShaderReview = std::function<void(const ParsedShader&)>;

// Compiles, decorates all float arithmetic NoContraction, then optimises: the optimiser respects the
// decoration, so that equal formulas give equal results in every shader. Safe in parallel. Throws ShaderError
// with the compiler's messages, with the author's files and lines.
SpirvWords compileGlsl(const std::string& glsl, const std::string& name, DebugInfo debug = DebugInfo::none,
                       const ShaderReview& review = {});

// Adds NoContraction to every float arithmetic result that lacks it. Exposed for tests.
SpirvWords decorateNoContraction(const SpirvWords& words);

// Compiled shaders on disk, keyed by source and compiler, zlib-compressed, checked by CRC when read and
// rebuilt when damaged. An empty folder keeps nothing on disk. With sources they are also written as files,
// in the folder's debug-shaders: PASS-HASH.comp, which SPIR-V names as its source, and PASS-HASH.spv.
class ShaderCache {
 public:
  explicit ShaderCache(std::string folder, DebugInfo debug = DebugInfo::none);
  // SPIR-V of every text ("" gives nullptr), compiled on all cores; equal texts once.
  // `review` gets each text that is compiled, by its index.
  std::vector<std::shared_ptr<const SpirvWords>> compileAll(
      const std::vector<std::string>& glsl, const std::vector<std::string>& names,
      const std::function<void(size_t, const ParsedShader&)>& review = [](size_t, const ParsedShader&) {});

  enum class Holders { user, userOrInstallation };
  bool holds(const std::string& glsl, Holders holders) const;  // on disk

  // A folder like it, of an installation: what `lacuna_shaders` compiled when that was built.
  static std::string installedFolder();
  static std::string defaultFolder();  // $XDG_CACHE_HOME/lacuna or ~/.cache/lacuna; LACUNA_CACHE overrides

 private:
  std::string folder_;
  DebugInfo debug_;
};

// Adds the SPIR-V of every dispatch. Pass::sharedBytes becomes the size that shaders declare, if their
// modules state less.
Shaders compileShaders(Shaders shaders, ShaderCache cache);

}  // namespace lacuna
