// Barriers that no result shows, because drivers like lavapipe run commands in their order anyway.

#include <algorithm>
#include <utility>

#include "graph/vk/device_impl.h"
#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

// The memory barriers that are recorded while this exists.
class RecordedBarriers {
 public:
  RecordedBarriers() : original_(std::exchange(device().impl().pipelineBarrier2, &add)) {
    next_ = original_;
    recorded_.clear();
  }
  ~RecordedBarriers() { device().impl().pipelineBarrier2 = original_; }
  RecordedBarriers(const RecordedBarriers&) = delete;
  RecordedBarriers& operator=(const RecordedBarriers&) = delete;

  const std::vector<VkMemoryBarrier2>& all() const { return recorded_; }

 private:
  static void VKAPI_CALL add(VkCommandBuffer commands, const VkDependencyInfo* info) {
    recorded_.insert(recorded_.end(), info->pMemoryBarriers,
                     info->pMemoryBarriers + info->memoryBarrierCount);
    next_(commands, info);
  }

  PFN_vkCmdPipelineBarrier2 original_;
  static inline PFN_vkCmdPipelineBarrier2 next_ = nullptr;
  static inline std::vector<VkMemoryBarrier2> recorded_;
};

class Barriers : public GpuTest {
 protected:
  Barriers() {
    const ResourceId a = plan_.buffer("a", 256);
    plan_.upload(a);
    update_ = plan_.dispatch("update", R"(
      layout(std430, binding = 0) buffer A { uint a[]; };
      void main() { a[gl_GlobalInvocationID.x] += 1; })",
                             1, 1, {updateBuffer(a, 0)});
    plan_.download(a);
  }

  Plan plan_;
  PassId update_;
};

TEST_F(Barriers, SeparateRunsOfAPassThatChangesItsInput) {
  const auto executable = plan_.build();
  for (const int times : {1, 2, 5}) {
    vk::Frame frame;
    frame.repeats = [&](PassId pass) { return pass == update_ ? times : 1; };
    const RecordedBarriers barriers;
    executable->time(frame, true);
    EXPECT_EQ(std::ranges::count_if(barriers.all(),
                                    [](const VkMemoryBarrier2& each) {
                                      return each.srcStageMask == VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT &&
                                             each.srcAccessMask == VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT &&
                                             each.dstStageMask == VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT &&
                                             each.dstAccessMask == (VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                                                    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
                                    }),
              times - 1);
  }
}

TEST_F(Barriers, BeginAndEndAFrame) {
  const auto executable = plan_.build();
  const RecordedBarriers barriers;
  executable->run({});
  constexpr VkPipelineStageFlags2 stages =
      VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  constexpr VkAccessFlags2 writes = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
  ASSERT_GE(barriers.all().size(), 4U);
  const VkMemoryBarrier2 &first = barriers.all().front(), &last = barriers.all().back();
  EXPECT_EQ(first.srcStageMask, stages) << "the previous frame may still run";
  EXPECT_EQ(first.srcAccessMask, writes);
  EXPECT_EQ(first.dstStageMask, stages);
  EXPECT_EQ(first.dstAccessMask & writes, writes);
  EXPECT_EQ(last.srcStageMask, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT) << "downloads";
  EXPECT_EQ(last.srcAccessMask, VK_ACCESS_2_TRANSFER_WRITE_BIT);
  EXPECT_EQ(last.dstStageMask, VK_PIPELINE_STAGE_2_HOST_BIT);
  EXPECT_EQ(last.dstAccessMask, VK_ACCESS_2_HOST_READ_BIT);
}

}  // namespace
}  // namespace lacuna::test
