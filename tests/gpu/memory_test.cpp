// When memory runs out: each allocation fails in turn, and arenas that are cut into several allocations.

#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

const char* const add =
    "layout(std430, binding = 0) buffer A { uint a[]; }; layout(std430, binding = 1) buffer B { uint b[]; "
    "};\n"
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < a.length()) { b[i] = a[i] + 7u; } }";

// in -> mid -> out, with an image on the side.
struct Chain {
  Plan plan;
  PassId upload, download;

  explicit Chain(uint64_t bytes) {
    const ResourceId in = plan.buffer("in", bytes), mid = plan.buffer("mid", bytes),
                     out = plan.buffer("out", bytes);
    const ResourceId side = plan.image("side", ImageFormat::r32f, 16, 8);
    upload = plan.upload(in);
    plan.fill(side);
    const uint32_t groups = groupsFor(bytes / 4);
    plan.dispatch("one", add, groups, 1, {readBuffer(in, 0), writeBuffer(mid, 1)});
    plan.dispatch("two", add, groups, 1, {readBuffer(mid, 0), writeBuffer(out, 1)});
    plan.download(side);
    download = plan.download(out);
  }
};

class Memory : public GpuTest {};

// Allocations fail where the test says so; everything else is as in other tests.
struct Failing {
  int count = 0, failAt = -1;
  vk::Device device;
  Failing() : device(options()) {}
  vk::DeviceOptions options() {
    vk::DeviceOptions result = deviceOptions();
    result.poisonsMemory = false;  // it allocates, too
    result.mayAllocate = [this](uint64_t bytes) {
      EXPECT_GT(bytes, 0U);
      return count++ != failAt;
    };
    return result;
  }
};

TEST_F(Memory, RandomEveryAllocationInTurnFailsClearly) {
  Failing failing;
  const Chain chain(4096);
  chain.plan.build(failing.device);
  const int all = failing.count;
  ASSERT_GT(all, 8);  // four resources, an arena, three of staging, each a buffer and its memory
  for (int i = 0; i < all; ++i) {
    failing.count = 0;
    failing.failAt = i;
    try {
      chain.plan.build(failing.device);
      ADD_FAILURE() << "allocation " << i << " failed unnoticed";
    } catch (const vk::DeviceError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("out of device memory"), std::string::npos) << text;
      const bool names =
          text.find("in (4.0 KiB)") != std::string::npos || text.find("mid (4.0 KiB)") != std::string::npos ||
          text.find("out (4.0 KiB)") != std::string::npos ||
          text.find("side (16x8 r32f, 512 bytes)") != std::string::npos ||
          text.find("load in") != std::string::npos ||  // upload, download
          text.find("load out") != std::string::npos || text.find("load side") != std::string::npos;
      EXPECT_TRUE(names) << text;
    }
  }
  // Nothing is left behind that would keep the next one from working.
  failing.failAt = -1;
  const auto executable = chain.plan.build(failing.device);
  const std::vector<uint32_t> words = randomWords(1024);
  put(executable->uploadMemory(chain.upload), words);
  executable->run({});
  const auto result = get<uint32_t>(executable->downloadMemory(chain.download));
  for (size_t i = 0; i < words.size(); ++i)
    ASSERT_EQ(result[i], words[i] + 14);
  EXPECT_TRUE(failing.device.validationMessages().empty());
}

// Memory that no shader writes is NaN, in new buffers and images, and in several allocations.
TEST_F(Memory, BeginsAsNan) {
  vk::DeviceOptions options = deviceOptions();
  options.maxAllocation = 1U << 16U;
  vk::Device small(options);
  Plan plan;
  std::vector<PassId> downloads;
  for (const char* name : {"one", "two", "three"}) {
    const ResourceId made = plan.buffer(name, 40000);
    plan.dispatch(name, "layout(std430, binding = 0) buffer A { uint a[]; }; void main() { a[7] = 1u; }", 1,
                  1, {writeBuffer(made, 0)});
    downloads.push_back(plan.download(made));
  }
  const auto executable = plan.build(small);
  executable->run({});
  for (const PassId download : downloads) {
    const auto words = get<uint32_t>(executable->downloadMemory(download));
    for (size_t i = 0; i < words.size(); ++i)
      ASSERT_EQ(words[i], i == 7 ? 1U : ~0U) << i;
  }
  EXPECT_TRUE(small.validationMessages().empty());
}

TEST_F(Memory, RandomAnArenaInSeveralAllocations) {
  vk::DeviceOptions options = deviceOptions();
  options.maxAllocation = 1U << 16U;
  int largest = 0;
  options.mayAllocate = [&largest](uint64_t bytes) {
    largest = std::max(largest, static_cast<int>(bytes));
    return true;
  };
  vk::Device small(options);
  EXPECT_EQ(small.info().limits.maxAllocation, 1U << 16U);
  const Chain chain(40000);  // two live at a time, and one fits into an allocation
  const auto executable = chain.plan.build(small);
  EXPECT_GT(executable->schedule().arenaBytes, uint64_t{1} << 16U);
  EXPECT_LE(largest, 1 << 16);
  for (int frame = 0; frame < 2; ++frame) {
    const std::vector<uint32_t> words = randomWords(10000);
    put(executable->uploadMemory(chain.upload), words);
    executable->run({});
    const auto result = get<uint32_t>(executable->downloadMemory(chain.download));
    for (size_t i = 0; i < words.size(); ++i)
      ASSERT_EQ(result[i], words[i] + 14);
  }
  EXPECT_TRUE(small.validationMessages().empty());
  try {
    Chain(70000).plan.build(small);
    ADD_FAILURE() << "70000 bytes at once";
  } catch (const vk::DeviceError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("buffer in has 68.4 KiB (70000 bytes), the device allocates at most "
                        "64.0 KiB at once"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lacuna::test
