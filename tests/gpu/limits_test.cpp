// A request that the device can't fulfil is refused by name, before anything is made.

#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

class LimitErrors : public GpuTest {
 protected:
  // The error message of building the plan.
  static std::string refusal(const Plan& plan) {
    try {
      plan.build();
    } catch (const vk::DeviceError& error) {
      return error.what();
    }
    return "";
  }
  static const vk::Limits& limits() { return device().info().limits; }
};

void expectWords(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' is not in: " << message;
}

const char* const nothing = "layout(std430, binding = 0) buffer A { uint a[]; }; void main() { a[0] = 1; }";

TEST_F(LimitErrors, ImageTooLarge) {
  Plan plan;
  const uint32_t width = limits().maxImageSize + 1;
  plan.fill(plan.image("panorama", ImageFormat::rgba16f, width, 2));
  expectWords(refusal(plan), {"fill panorama", std::to_string(width) + "x2",
                              std::to_string(limits().maxImageSize), device().info().name});
}

TEST_F(LimitErrors, EmptyResources) {
  Plan plan;
  plan.fill(plan.image("hollow", ImageFormat::r32f, 0, 5));
  plan.fill(plan.buffer("void", 0));
  expectWords(refusal(plan), {"hollow", "void"});
}

TEST_F(LimitErrors, StorageRange) {
  Plan plan;
  const uint64_t bytes = limits().maxStorageBufferRange + 4;
  const ResourceId big = plan.buffer("ocean", bytes);
  plan.dispatch("sail", nothing, 1, 1, {writeBuffer(big, 0)});
  expectWords(refusal(plan), {"pass sail", "ocean", std::to_string(bytes)});
}

TEST_F(LimitErrors, EveryErrorAtOnce) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 64);
  const PassId many = plan.dispatch("many", nothing, limits().maxWorkgroups[0], 1, {writeBuffer(a, 0)});
  plan.pass(many).groups[1] = limits().maxWorkgroups[1] + 1;
  const PassId shared = plan.dispatch("shared", nothing, 1, 1, {writeBuffer(a, 0)});
  plan.pass(shared).sharedBytes = limits().maxSharedMemory + 1;
  const PassId pushed = plan.dispatch("pushed", nothing, 1, 1, {writeBuffer(a, 0)});
  plan.pass(pushed).pushConstants.resize(10000);
  const PassId block = plan.dispatch("block", nothing, 1, 1, {writeBuffer(a, 1)});
  plan.pass(block).blockBytes = 1U << 31U;
  expectWords(refusal(plan), {"pass many: has", "workgroups", "pass shared: needs",
                              std::to_string(limits().maxSharedMemory + 1), "pass pushed: has 40008 bytes",
                              "pass block: has"});
}

TEST_F(LimitErrors, BindingsThatContradict) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 64), image = plan.image("i", ImageFormat::r32f, 4, 4);
  plan.dispatch("twice", nothing, 1, 1, {writeBuffer(a, 0), sampleImage(image, 0)});
  plan.dispatch("holes", nothing, 1, 1, {writeBuffer(a, 0, 0), writeBuffer(a, 0, 2)});
  plan.dispatch("kind", nothing, 1, 1, {writeBuffer(image, 0)});
  plan.dispatch("foreign", nothing, 1, 1, {writeBuffer(ResourceId(17), 0)});
  const PassId block = plan.dispatch("block", nothing, 1, 1, {writeBuffer(a, 0)});
  plan.pass(block).blockBytes = 16;
  expectWords(refusal(plan), {"pass twice: uses binding 0 in two ways", "pass holes: leaves holes",
                              "pass kind: binds image i", "pass foreign: uses resource 17",
                              "pass block: uses binding 0 in two ways"});
}

TEST_F(LimitErrors, CopiesOfOtherSizes) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 64), b = plan.buffer("b", 128);
  const ResourceId wide = plan.image("wide", ImageFormat::r32f, 8, 4),
                   high = plan.image("high", ImageFormat::r32f, 4, 8);
  plan.copy(a, b);
  plan.copy(wide, high);
  expectWords(refusal(plan), {"copies a to b", "copies wide to high"});
}

TEST_F(LimitErrors, ShadersMissing) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 64);
  plan.dispatch("blank", nothing, 1, 1, {writeBuffer(a, 0)});
  plan.spirv.back() = nullptr;
  expectWords(refusal(plan), {"pass blank: has no shader"});
  plan.spirv = {};
  expectWords(refusal(plan), {"0 shaders for 1 passes"});
}

// More than any heap holds, in buffers that are each allowed.
TEST_F(LimitErrors, MemoryExhausted) {
  Plan plan;
  // Each must be allowed by itself, including what the device adds to it.
  const uint64_t each = std::min(limits().maxStorageBufferRange, limits().maxAllocation / 2) / 4 * 4;
  const uint64_t count = device().info().memoryBytes / each + 1;
  for (uint64_t i = 0; i < count; ++i) {
    const ResourceId buffer = plan.buffer("hoard" + std::to_string(i), i == 1 ? each : each - 4);
    plan.resource(buffer).persistent = true;
    plan.fill(buffer);
  }
  const ResourceId small = plan.buffer("crumb", 16);
  plan.fill(small);
  const std::string message = refusal(plan);
  expectWords(message, {"GiB of memory", "Pass fill", "\n  buffer hoard1 (", "hoard0"});
  EXPECT_EQ(message.find("buffer crumb"), std::string::npos) << message;
}

TEST_F(LimitErrors, NobodyFillsTheParameters) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 64);
  const PassId pass =
      plan.dispatch("needy", "layout(std430, binding = 1) buffer A { uint a[]; }; void main() { a[0] = 1; }",
                    1, 1, {writeBuffer(a, 1)});
  plan.pass(pass).blockBytes = 16;
  const auto executable = plan.build();
  EXPECT_THROW(executable->run({}), vk::DeviceError);
  executable->run({0, true, [](PassId, std::span<std::byte>) {}});
}

}  // namespace
}  // namespace lacuna::test
