#include "graph/shader/compile.h"

#include <fmt/format.h>

#include <spirv-tools/optimizer.hpp>

#include "graph/shader/parsed_shader.h"
#include "graph/shader/spirv.h"
#include "graph/watched.h"

namespace lacuna {
namespace {

SpirvWords optimise(const SpirvWords& words, const std::string& name) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  std::string messages;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
        if (level <= SPV_MSG_ERROR)
          messages += fmt::format("{}: {}\n", name, text);
      });
  optimizer.RegisterPerformancePasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  SpirvWords out;
  if (!optimizer.Run(words.data(), words.size(), &out, options))
    throw ShaderError(messages);
  return out;
}

}  // namespace

SpirvWords compileGlsl(const std::string& glsl, const std::string& name, DebugInfo debug,
                       const ShaderReview& review) {
  const Compiling work("the shader of " + name);
  const ParsedShader parsed(glsl, name, debug);
  if (!parsed.log().empty())
    throw ShaderError(fmt::format("{}: shader does not compile\n{}", name, parsed.log()));
  if (review)
    review(parsed);
  const SpirvWords words = parsed.spirv();
  if (hasMatrixTypes(words))
    return decorateNoContraction(finishMatrixTypes(words));  // Debian 12's optimiser doesn't know these types
  // Once before optimisation, so that nothing is folded, and once after it, for inlined code.
  return decorateNoContraction(optimise(decorateNoContraction(words), name));
}

}  // namespace lacuna
