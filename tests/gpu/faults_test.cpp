// Each call of Vulkan fails in turn: a clear error or the right result, and the next run succeeds as usual.

#include "tests/gpu/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/run/session.h"
#include "graph/vk/result.h"
#include "tests/gpu/support.h"
#include "tests/support/folder.h"
#include "tests/support/long_tests.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

// The name of the only sink.
const std::string& resultName(const Session& session) {
  const NodeGraph& graph = session.schedule().graph;
  const auto sink = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                 [](const Node& node) { return node.kind == NodeKind::sink; });
  return graph.values[sink->inputs.front().value].name;
}

class VulkanFaults : public testing::Test {
 protected:
  // Three timed frames of a filter, with a value that stays from frame to frame.
  std::vector<uint32_t> run(vk::Device& device) {
    MemoryGraph graph = graph_;
    graph.device = &device;
    // Its own cache folder, so that pipelines are kept and found as in any run.
    Session session(device, scheduleOf(graph, "auto"), graph.modulePath, cache_.file("cache"));
    std::vector<uint32_t> words;
    for (int frame = 0; frame < 3; ++frame) {
      for (const auto& [name, image] : graph.sources) {
        const std::span<std::byte> memory = session.uploadMemory("i-memory:" + name + ":image.output");
        EXPECT_EQ(memory.size(), 4 * image.words.size());
        std::memcpy(memory.data(), image.words.data(), memory.size());
      }
      session.submit(frame, 0, frame == 0, vk::Timed::perPass);
      session.wait(0);
      const std::vector<uint32_t> result = get<uint32_t>(session.downloadMemory(resultName(session)));
      EXPECT_FALSE(result.empty());
      words.insert(words.end(), result.begin(), result.end());
    }
    return words;
  }

  // The fault's message: "" if the result is right.
  std::string errorWith(Faults& faults, const std::vector<uint32_t>& expected) {
    FaultyDevice faulty(faults);
    faults.calls.clear();
    std::string error;
    try {
      EXPECT_EQ(run(faulty.device()), expected) << "a wrong result and no error";
    } catch (const vk::DeviceError& thrown) {
      error = thrown.what();
    }
    faults.unsignalled = nullptr;  // its fence is gone, and a new one may have the same handle
    const std::string failing = std::exchange(faults.function, "");
    EXPECT_EQ(run(faulty.device()), expected) << "not as if nothing had been";
    faults.function = failing;
    return error;
  }

  void expectClear(Faults& faults, const std::vector<uint32_t>& expected) {
    // Cached pipelines only save time.
    static const std::set<std::string> optional = {"vkCreatePipelineCache", "vkGetPipelineCacheData"};
    const bool isOptional = optional.count(faults.function) > 0;
    faults.happened = false;
    const std::string error = errorWith(faults, expected);
    // The first run has cached pipelines, so later ones may make fewer calls.
    const bool clear = error.find(vk::resultName(faults.result)) != std::string::npos;
    EXPECT_EQ(clear, faults.happened && !isOptional) << error;
    EXPECT_TRUE(faults.happened || isOptional);
  }

  // The first, middle and last call of each function, or each call.
  void expectClearFaults() {
    Faults faults;
    std::vector<uint32_t> expected;
    {
      FaultyDevice whole(faults);
      faults.calls.clear();
      expected = run(whole.device());
    }
    const std::map<std::string, int> calls = faults.calls;
    for (const HookedFunction& each : hookedFunctions) {
      const int count = calls.count(each.name) > 0 ? calls.at(each.name) : 0;
      for (int at = 0; at < count; ++at) {
        for (const VkResult result : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST}) {
          const bool chosen = triesAll() || at == 0 || at == count / 2 || at == count - 1;
          if (!chosen || (result == VK_ERROR_DEVICE_LOST && !each.mayLose))
            continue;
          SCOPED_TRACE(
              fmt::format("{}, call {} of {}, result {}", each.name, at, count, static_cast<int>(result)));
          faults.function = each.name;
          faults.failAt = at;
          faults.result = result;
          expectClear(faults, expected);
        }
      }
    }
  }

  static constexpr Extent extent_{37, 23};
  const Folder cache_;
  // The noise is given: its estimate would take most of the time.
  MemoryGraph graph_ = [] {
    MemoryGraph graph;
    graph.text = "i-memory:in eaw accum o-memory:out\nparam:eaw:01:noise:0.1\n";
    graph.sources["in"] = randomImage(testRandom(), Channels::rgba, Format::f16, extent_, false);
    return graph;
  }();
};

TEST_F(VulkanFaults, RandomEveryFunctionFailsClearly) {
  expectClearFaults();
}

TEST_F(VulkanFaults, RandomEveryFunctionOfSvgfFailsClearly) {
  graph_ = MemoryGraph();
  graph_.text = "frames:3\nsvgf o-memory:out\n";
  const std::pair<const char*, Channels> inputs[] = {{"input", Channels::rgba},
                                                     {"albedo", Channels::rgb},
                                                     {"normal", Channels::normal},
                                                     {"depth", Channels::depth},
                                                     {"motion", Channels::mv}};
  for (const auto& [name, channels] : inputs) {
    graph_.sources[name] = randomImage(testRandom(), channels, Format::f32, extent_, false);
    graph_.text += fmt::format("i-memory:{0} {0}=svgf\n", name);
  }
  expectClearFaults();
}

// As on GPUs that need flushes: the host reads and writes a copy, which a flush brings to the device's
// memory, and an invalidation back.
struct Mirror {
  std::map<VkDeviceMemory, size_t> bytes;
  std::map<VkDeviceMemory, std::pair<std::byte*, std::vector<std::byte>>> mapped;  // the device's, the host's
  VolkDeviceTable original{};
};
Mirror* mirror = nullptr;

VkResult allocateMirrored(VkDevice device, const VkMemoryAllocateInfo* info,
                          const VkAllocationCallbacks* with, VkDeviceMemory* memory) {
  const VkResult result = mirror->original.vkAllocateMemory(device, info, with, memory);
  mirror->bytes[*memory] = info->allocationSize;
  return result;
}

VkResult mapMirrored(VkDevice device, VkDeviceMemory memory, VkDeviceSize first, VkDeviceSize bytes,
                     VkMemoryMapFlags flags, void** pointer) {
  auto& [real, copy] = mirror->mapped[memory];
  const VkResult result = mirror->original.vkMapMemory(device, memory, first, bytes, flags, pointer);
  real = static_cast<std::byte*>(*pointer);
  copy.assign(mirror->bytes.at(memory), std::byte{0x5a});
  *pointer = copy.data();
  return result;
}

VkResult flushMirrored(VkDevice, uint32_t count, const VkMappedMemoryRange* ranges) {
  for (uint32_t i = 0; i < count; ++i) {
    auto& [real, copy] = mirror->mapped.at(ranges[i].memory);
    std::memcpy(real, copy.data(), copy.size());
  }
  return VK_SUCCESS;
}

VkResult invalidateMirrored(VkDevice, uint32_t count, const VkMappedMemoryRange* ranges) {
  for (uint32_t i = 0; i < count; ++i) {
    auto& [real, copy] = mirror->mapped.at(ranges[i].memory);
    std::memcpy(copy.data(), real, copy.size());
  }
  return VK_SUCCESS;
}

TEST_F(VulkanFaults, RandomMemoryThatIsNotCoherentIsFlushedAndInvalidated) {
  Faults none;
  FaultyDevice plain(none);
  const std::vector<uint32_t> expected = run(plain.device());
  Mirror own;
  mirror = &own;
  {
    FaultyDevice device(none);
    vk::Device::Impl& impl = device.device().impl();
    own.original = impl.vk;
    impl.vk.vkAllocateMemory = allocateMirrored;
    impl.vk.vkMapMemory = mapMirrored;
    impl.vk.vkFlushMappedMemoryRanges = flushMirrored;
    impl.vk.vkInvalidateMappedMemoryRanges = invalidateMirrored;
    for (uint32_t i = 0; i < impl.memory.memoryTypeCount; ++i) {
      impl.memory.memoryTypes[i].propertyFlags &=
          ~static_cast<VkMemoryPropertyFlags>(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    }
    EXPECT_EQ(run(device.device()), expected);
  }
  EXPECT_GE(own.mapped.size(), 3U);
  mirror = nullptr;
}

// Dropping a frame in flight must not free its memory while the device uses it.
TEST_F(VulkanFaults, RandomFramesInFlightAreWaitedFor) {
  Faults faults;
  FaultyDevice device(faults);
  MemoryGraph graph = graph_;
  graph.device = &device.device();
  {
    Session session(device.device(), scheduleOf(graph, "auto"), graph.modulePath, {});
    faults.calls.clear();
    session.submit(0, 0, true, vk::Timed::no);
    EXPECT_EQ(faults.calls["vkQueueSubmit"], 1);
    EXPECT_EQ(faults.calls["vkWaitForFences"], 0);
  }
  EXPECT_EQ(faults.calls["vkWaitForFences"], 1);
}

}  // namespace
}  // namespace lacuna::test
