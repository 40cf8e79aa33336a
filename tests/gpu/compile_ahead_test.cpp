// What is compiled ahead is what the device itself would compile.

#include "graph/vk/compile_ahead.h"

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "tests/gpu/support.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

// Dispatches whose shaders differ, with a buffer and an image of each kind.
Plan sevenShaders() {
  Plan plan;
  const ResourceId buffer = plan.buffer("a", 4096), image = plan.image("b", ImageFormat::rgba16f, 16, 16),
                   sampled = plan.image("c", ImageFormat::r32f, 16, 16);
  for (int i = 0; i < 7; ++i) {
    plan.dispatch("shader" + std::to_string(i),
                  R"(
      layout(std430, binding = 0) buffer A { float a[]; };
      layout(binding = 1, rgba16f) writeonly uniform image2D b;
      layout(binding = 2) uniform sampler2D c;
      void main() {
        ivec2 at = ivec2(gl_GlobalInvocationID.xy);
        a[at.x] = sin(a[at.x]) + texelFetch(c, at, 0).x * )" +
                      std::to_string(i) + R"(.0;
        imageStore(b, at, vec4(a[at.x]));
      })",
                  1, 1, {updateBuffer(buffer, 0), writeImage(image, 1), sampleImage(sampled, 2)});
  }
  return plan;
}

// Names are digests of all that a shader depends on.
std::set<std::string> shadersIn(const Folder& cache) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache.file("")))
    if (entry.is_regular_file() && entry.path().filename() != "index" && entry.path().extension() != ".tmp")
      names.insert(entry.path().filename());
  return names;
}

void runEmpty(vk::Executable& executable) {
  vk::Frame frame;
  frame.onlyCompiles = true;
  executable.run(frame);
}

std::set<std::string> shadersOfDevice(const Plan& plan, const Folder& cache) {
  const Environment own("MESA_SHADER_CACHE_DIR", cache.file(""));
  {
    vk::Device device({.select = "llvmpipe"});
    runEmpty(*plan.build(device));
  }
  return shadersIn(cache);
}

class CompilesAhead : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (device().info().name.find("llvmpipe") == std::string::npos || std::thread::hardware_concurrency() < 2)
      GTEST_SKIP() << "only for llvmpipe on several cores";
  }
  const Environment on_{"MESA_SHADER_CACHE_DISABLE", "false"};
};

TEST_F(CompilesAhead, LaterShadersOfALongRunByTheDriversCache) {
  const Plan plan = sevenShaders();
  const Folder alone, ahead;
  const std::set<std::string> all = shadersOfDevice(plan, alone);
  const Environment own("MESA_SHADER_CACHE_DIR", ahead.file(""));
  const size_t devices = std::thread::hardware_concurrency();
  const size_t later = 7 * (devices - 1) / devices;  // codes of one length
  {
    const vk::CompileAhead compiling(device().info(), plan.schedule, plan.spirv);
    for (int i = 0; i < 600 && shadersIn(ahead).size() < later; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const std::set<std::string> found = shadersIn(ahead);
  EXPECT_GE(found.size(), later);
  EXPECT_LT(found.size(), all.size());
  EXPECT_TRUE(std::ranges::includes(all, found)) << "shaders that the device wouldn't find";
  EXPECT_EQ(shadersOfDevice(plan, ahead), all);
}

TEST_F(CompilesAhead, NothingIfTheDeviceIsFast) {
  const Plan plan = sevenShaders();
  const Folder cache;
  const Environment own("MESA_SHADER_CACHE_DIR", cache.file(""));
  { const vk::CompileAhead compiling(device().info(), plan.schedule, plan.spirv); }
  EXPECT_EQ(shadersIn(cache), std::set<std::string>());
}

TEST_F(CompilesAhead, WhatFailsThereIsLeftToTheDevice) {
  Plan plan = sevenShaders();

  plan.resource(ResourceId(0)).bytes = uint64_t{device().info().limits.maxStorageBufferRange} + 4;
  const vk::CompileAhead compiling(device().info(), plan.schedule, plan.spirv);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

}  // namespace
}  // namespace lacuna::test
