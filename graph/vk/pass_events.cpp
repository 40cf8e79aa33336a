#include "graph/vk/pass_events.h"

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/vk/result.h"

namespace lacuna::vk {

PassEvents::PassEvents(const Device::Impl& device, const FrameGraph& schedule)
    : device_(device), schedule_(schedule), events_(schedule.passes.size()) {
  const auto info = typed<VkEventCreateInfo>(VK_STRUCTURE_TYPE_EVENT_CREATE_INFO);
  for (const PassId pass : schedule.passes.ids()) {
    if (device.info.isCpu() && schedule.passes[pass].kind == PassKind::dispatch) {
      events_[pass] =
          make(device.handle(), device.vk.vkCreateEvent, device.vk.vkDestroyEvent, info, "an event");
    }
  }
}

void PassEvents::reset() const {
  for (const Handle<VkEvent>& event : events_)
    if (event.get() != nullptr)
      check(device_.vk.vkResetEvent(device_.handle(), event.get()), "an event");
}

void PassEvents::ended(VkCommandBuffer commands, PassId pass) const {
  if (events_[pass].get() != nullptr)
    device_.vk.vkCmdSetEvent(commands, events_[pass].get(), VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
}

std::string PassEvents::running() const {
  std::vector<std::string> all;
  for (const PassId pass : events_.ids()) {
    const VkEvent event = events_[pass].get();
    if (event != nullptr && device_.vk.vkGetEventStatus(device_.handle(), event) == VK_EVENT_RESET)
      return describe(pass);
    if (schedule_.passes[pass].kind == PassKind::dispatch)
      all.push_back(describe(pass));
  }
  return all.size() == 1 ? all.front() : "one of " + joinNames(all);
}

std::string PassEvents::describe(PassId id) const {
  const Pass& pass = schedule_.passes[id];
  std::vector<std::string> shaders;
  if (pass.node.index() < schedule_.graph.nodes.size())
    for (const NodePart& part : schedule_.graph.nodes[pass.node].parts)
      shaders.push_back(part.description->shader);
  return shaders.empty() ? pass.name : fmt::format("{} ({})", pass.name, fmt::join(shaders, ", "));
}

}  // namespace lacuna::vk
