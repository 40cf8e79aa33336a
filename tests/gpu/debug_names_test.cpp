// The names of objects and passes for debuggers (graph/vk/debug_names.h).

#include <algorithm>
#include <mutex>

#include "graph/vk/device_impl.h"
#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

// The messages since clear(). Vulkan's functions have no pointer to our data.
struct Heard {
  std::mutex mutex;  // pipelines are made on several threads
  std::vector<std::pair<VkObjectType, std::string>> objects;
  std::vector<std::string> labels;  // those that end are "-"

  void clear() {
    objects.clear();
    labels.clear();
  }
  bool has(VkObjectType type, const std::string& part) const {
    return std::any_of(objects.begin(), objects.end(), [&](const auto& object) {
      return object.first == type && object.second.find(part) != std::string::npos;
    });
  }
};
Heard heard;

VkResult VKAPI_PTR hearName(VkDevice, const VkDebugUtilsObjectNameInfoEXT* info) {
  const std::scoped_lock lock(heard.mutex);
  EXPECT_NE(info->objectHandle, 0U) << info->pObjectName;
  heard.objects.emplace_back(info->objectType, info->pObjectName);
  return VK_SUCCESS;
}
void VKAPI_PTR hearLabel(VkCommandBuffer, const VkDebugUtilsLabelEXT* info) {
  heard.labels.emplace_back(info->pLabelName);
}
void VKAPI_PTR hearEnd(VkCommandBuffer) {
  heard.labels.emplace_back("-");
}

class DebugNamesTest : public GpuTest {
 protected:
  DebugNamesTest() : own(withoutValidation()) { heard.clear(); }

  static vk::DeviceOptions withoutValidation() {
    vk::DeviceOptions options = deviceOptions();
    options.validate = false;
    return options;
  }
  static Plan twoPasses() {
    Plan plan;
    const ResourceId a = plan.buffer("ripple", 256);
    const ResourceId b = plan.image("lake", ImageFormat::r32ui, 8, 8);
    plan.fill(a);
    plan.dispatch("throw a stone",
                  "layout(std430, binding = 0) readonly buffer A { uint a[]; };\n"
                  "layout(binding = 1, r32ui) uniform writeonly uimage2D b;\n"
                  "void main() { uint i = gl_LocalInvocationIndex; imageStore(b, ivec2(i % 8, i / 8), "
                  "uvec4(a[i] + 7)); }",
                  1, 1, {readBuffer(a, 0), writeImage(b, 1)});
    plan.download(b);
    return plan;
  }

  vk::Device own;
};

TEST_F(DebugNamesTest, TheLoaderHasThem) {
  const vk::DebugNames& names = own.impl().names;
  EXPECT_NE(names.setName, nullptr);
  EXPECT_NE(names.beginLabel, nullptr);
  EXPECT_NE(names.endLabel, nullptr);
}

TEST_F(DebugNamesTest, ObjectsHaveThoseOfTheirResourcesAndPasses) {
  own.impl().names = {hearName, hearLabel, hearEnd, hearLabel};
  const auto executable = twoPasses().build(own);
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_BUFFER, "ripple"));
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_IMAGE, "lake"));
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_IMAGE_VIEW, "lake"));
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_DEVICE_MEMORY, "arena 0.0"));
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_DEVICE_MEMORY, "host memory"));
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_SHADER_MODULE, "throw a stone"));
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_PIPELINE, "throw a stone"));
  EXPECT_TRUE(heard.has(VK_OBJECT_TYPE_DESCRIPTOR_SET, "throw a stone"));
}

TEST_F(DebugNamesTest, CommandsStandUnderTheirFrameAndPass) {
  own.impl().names = {hearName, hearLabel, hearEnd, hearLabel};
  const Plan plan = twoPasses();
  const auto executable = plan.build(own);
  vk::Frame frame;
  frame.index = 12;
  executable->run(frame);
  std::vector<std::string> expected = {"frame 12"};
  for (const Pass& pass : plan.schedule.passes)
    expected.insert(expected.end(), {pass.name, "-"});
  expected.insert(expected.end(), {"vr-marker,frame_end,type,application", "-"});
  EXPECT_EQ(heard.labels, expected);
  const std::vector<uint32_t> pixels = get<uint32_t>(executable->downloadMemory(PassId(2)));
  EXPECT_EQ(pixels, std::vector<uint32_t>(64, 7));
}

// An instance without the extension.
TEST_F(DebugNamesTest, AreNotNeeded) {
  own.impl().names = {};
  const auto executable = twoPasses().build(own);
  executable->run({});
  EXPECT_EQ(get<uint32_t>(executable->downloadMemory(PassId(2))), std::vector<uint32_t>(64, 7));
  EXPECT_TRUE(heard.objects.empty() && heard.labels.empty());
}

}  // namespace
}  // namespace lacuna::test
