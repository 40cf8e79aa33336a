#include "graph/vk/record.h"

#include "graph/vk/push_constants.h"
#include "graph/vk/record_barriers.h"
#include "graph/vk/record_transfers.h"

namespace lacuna::vk {
namespace {

void bindDispatch(const Program& program, VkCommandBuffer commands, PassId id, const Frame& frame) {
  const VolkDeviceTable& vk = program.device.vk;
  const Pass& pass = program.schedule.passes[id];
  const Pipeline& pipeline = *program.pipelines[id];
  const std::vector<int32_t> push = pushConstants(program.device, pass, frame, program.resources);
  VkDescriptorSet set = program.sets.of(id);
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline.get());
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout.get(), 0, 1, &set, 0,
                             nullptr);
  vk.vkCmdPushConstants(commands, pipeline.layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                        static_cast<uint32_t>(push.size() * sizeof(int32_t)), push.data());
}

// A dispatch must be bound.
void recordPass(const Program& program, VkCommandBuffer commands, PassId id) {
  const Pass& pass = program.schedule.passes[id];
  switch (pass.kind) {
    case PassKind::dispatch:
      program.device.vk.vkCmdDispatch(commands, pass.groups[0], pass.groups[1], pass.groups[2]);
      break;
    case PassKind::fill:
      fillWithZeros(program, commands, pass.accesses[0].resource);
      break;
    case PassKind::upload:
      upload(program, commands, id);
      break;
    case PassKind::download:
      download(program, commands, id);
      break;
    case PassKind::copy:
      copy(program, commands, pass);
      break;
  }
}

void repeatPass(const Program& program, VkCommandBuffer commands, PassId id, const Frame& frame) {
  const int times = frame.repeats ? frame.repeats(id) : 1;
  if (times > 0 && program.schedule.passes[id].kind == PassKind::dispatch) {
    bindDispatch(program, commands, id, frame);
  }
  for (int time = 0; time < times; ++time) {
    if (time > 0) {
      orderRepeats(program, commands, id);
    }
    recordPass(program, commands, id);
  }
}

void resetPersistent(const Program& program, VkCommandBuffer commands) {
  std::vector<ResourceId> persistent;
  for (const ResourceId id : program.schedule.resources.ids()) {
    const bool isUsed = program.resources.buffer(id) != nullptr || program.resources.image(id) != nullptr;
    const Resource& resource = program.schedule.resources[id];
    if (resource.persistent && resource.contents == nullptr && isUsed) {
      persistent.push_back(id);
    }
  }
  if (persistent.empty()) {
    return;
  }
  discardBeforeTransfer(program, commands, persistent);
  for (const ResourceId resource : persistent) {
    fillWithZeros(program, commands, resource);
  }
  transferBeforeAll(program, commands);
}

}  // namespace

void record(const Program& program, VkCommandBuffer commands, const Frame& frame, const PassEvents& events,
            const TimingQueries* timing) {
  const Schedule& schedule = program.schedule;
  const DebugNames& names = program.device.names;
  const Label whole(names, commands, "frame " + std::to_string(frame.index));
  if (timing != nullptr) {
    timing->reset(commands);
  }
  orderFrames(program, commands);
  if (frame.first) {
    resetPersistent(program, commands);
  }
  const std::vector<Barrier>& barriers = frame.isWritten ? schedule.barriers : program.unwritten.barriers;
  auto barrier = barriers.begin();
  for (const PassId pass : schedule.passes.ids()) {
    for (; barrier != barriers.end() && barrier->before == pass; ++barrier) {
      recordBarrier(program, commands, *barrier);
    }
    const Label label(names, commands, schedule.passes[pass].name);
    if (timing != nullptr) {
      timing->begin(commands, pass);
    }
    if (frame.isWritten || program.unwritten.runs[pass]) {
      repeatPass(program, commands, pass, frame);
    }
    events.ended(commands, pass);
    if (timing != nullptr) {
      timing->end(commands, pass);
    }
  }
  for (; barrier != barriers.end(); ++barrier) {
    recordBarrier(program, commands, *barrier);
  }
  transferBeforeHost(program, commands);
  labelEndOfFrame(names, commands);
}

}  // namespace lacuna::vk
