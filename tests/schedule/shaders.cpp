#include "tests/schedule/shaders.h"

#include <gtest/gtest.h>

#include <spirv-tools/libspirv.hpp>

#include "graph/shader/compile.h"
#include "graph/shader/generate/shaders.h"
#include "tests/support/contraction.h"

namespace lacuna::test {

std::map<std::string, Image> runChecked(const MemoryGraph& graph, const std::string& schedule, int frames) {
  auto images = run(graph, schedule, frames);
  std::vector<std::string> texts, names;
  FrameGraph passes = scheduleOf(graph, schedule);
  generateShaders(passes, graph.modulePath);
  for (const Pass& pass : passes.passes) {
    if (pass.kind == PassKind::dispatch && !pass.glsl.empty()) {
      texts.push_back(pass.glsl);
      names.push_back(schedule + ", " + pass.name);
    }
  }
  std::string messages;
  spvtools::SpirvTools validator(SPV_ENV_VULKAN_1_2);
  validator.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t&, const char* text) { messages += text; });
  spvtools::ValidatorOptions options;
  options.SetUniformBufferStandardLayout(true);  // tables of weights, as devices are opened with
  // The run has put them into the cache.
  const auto compiled = ShaderCache(ShaderCache::defaultFolder()).compileAll(texts, names);
  for (size_t s = 0; s < compiled.size(); ++s) {
    messages.clear();
    EXPECT_TRUE(validator.Validate(compiled[s]->data(), compiled[s]->size(), options))
        << names[s] << ": " << messages;
    EXPECT_EQ(contraction(*compiled[s]).first, 0) << names[s];
  }
  return images;
}

}  // namespace lacuna::test
