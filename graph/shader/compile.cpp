#include "graph/shader/compile.h"

#include <fmt/format.h>

#include <shaderc/shaderc.hpp>
#include <spirv-tools/optimizer.hpp>

#include "graph/shader/spirv.h"
#include "graph/watched.h"

namespace lacuna {
namespace {

SpirvWords optimise(const SpirvWords& words, const std::string& name) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  std::string messages;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
        if (level <= SPV_MSG_ERROR) {
          messages += fmt::format("{}: {}\n", name, text);
        }
      });
  optimizer.RegisterPerformancePasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  SpirvWords out;
  if (!optimizer.Run(words.data(), words.size(), &out, options)) {
    throw ShaderError(messages);
  }
  return out;
}

shaderc::SpvCompilationResult compiled(const std::string& glsl, const std::string& name, DebugInfo debug) {
  // Kept alive, because glslang builds its tables (about 100 ms) for the first compiler and drops them with
  // the last.
  static const shaderc::Compiler compiler;
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  options.SetOptimizationLevel(shaderc_optimization_level_zero);
  if (debug == DebugInfo::sources) {
    options.SetGenerateDebugInfo();
  }
  return compiler.CompileGlslToSpv(glsl, shaderc_compute_shader, name.c_str(), options);
}

}  // namespace

SpirvWords compileGlsl(const std::string& glsl, const std::string& name, DebugInfo debug) {
  const Compiling work("the shader of " + name);
  const auto result = compiled(glsl, name, debug);
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    throw ShaderError(fmt::format("{}: shader does not compile\n{}", name, result.GetErrorMessage()));
  }
  const SpirvWords words(result.cbegin(), result.cend());
  if (hasMatrixTypes(words)) {
    return decorateNoContraction(finishMatrixTypes(words));  // Debian 12's optimiser doesn't know these types
  }
  // Once before optimisation, so that nothing is folded, and once after it, for inlined code.
  return decorateNoContraction(optimise(decorateNoContraction(words), name));
}

std::string checkGlsl(const std::string& glsl, SpirvWords* words) {
  const Compiling work("a shader that is checked");
  const auto result = compiled(glsl, "shader", DebugInfo::none);
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    return result.GetErrorMessage();
  }
  if (words != nullptr) {
    words->assign(result.cbegin(), result.cend());
  }
  return {};
}

std::string checkedVersion() {
  return "shaderc 2023.2, Vulkan 1.2\n";
}

}  // namespace lacuna
