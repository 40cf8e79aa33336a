#include "graph/vk/slot.h"

#include <fmt/format.h>

#include "graph/vk/commands.h"

namespace lacuna::vk {

Slot::View::View(const SharedParts& shared, const HostMemory& host, const GivenMemory& given, bool swapped)
    : resources(shared.resources, given, swapped),
      sets(shared.device, shared.schedule, resources, host, given, shared.pipelines),
      prepared(prepare(shared.device, shared.schedule, shared.unwritten, resources, shared.pipelines, sets)) {
}

Slot::Slot(const SharedParts& shared)
    : shared_(shared),
      host_(shared.device, shared.schedule),
      given_{shared.givenPlaces},
      views_{{shared, host_, given_, false}, {shared, host_, given_, true}},
      commandPool_(makeCommandPool(shared.device)),
      commands_(allocateCommands(shared.device, commandPool_.get())),
      done_(makeFence(shared.device)),
      events_(shared.device, shared.schedule) {}

Slot::~Slot() {
  if (isSubmitted_) {
    VkFence done = done_.get();
    shared_.device.vk.vkWaitForFences(shared_.device.handle(), 1, &done, VK_TRUE, UINT64_MAX);
  }
}

void Slot::submit(const Frame& frame, bool swapped, Timed timed) {
  Device::Impl& device = shared_.device;
  if (timed != Timed::no && (!queries_ || queries_->isPerPass() != (timed == Timed::perPass)))
    queries_ = std::make_unique<TimingQueries>(device, shared_.schedule, timed == Timed::perPass);
  host_.beforeSubmit(device, shared_.schedule, frame);
  View& view = views_[swapped ? 1 : 0];
  const TimingQueries* timing = timed == Timed::no ? nullptr : queries_.get();
  events_.reset();
  PassId host = submitPasses(frame, view, timing, {});
  while (host) {
    {
      const Computing work(running_);
      waitFor(device, done_.get(), running_);
    }
    compute(host, frame, view);
    host = submitPasses(frame, view, timing, host);
  }
  timed_ = timed;
  isWritten_ = frame.isWritten;
  if (frame.onlyCompiles)
    compiles_.emplace([this] { return "the pipeline of " + running_(); });
  else
    inFlight_.emplace(running_);
  isSubmitted_ = true;
}

// The host pass before which the submitted ones end, if there is one.
PassId Slot::submitPasses(const Frame& frame, View& view, const TimingQueries* timing, PassId behind) {
  Device::Impl& device = shared_.device;
  const VolkDeviceTable& vk = device.vk;
  check(vk.vkResetCommandPool(device.handle(), commandPool_.get(), 0), "a command pool");
  beginOnce(device, commands_);
  const PassId host =
      vk::record({device, shared_.schedule, shared_.unwritten, view.resources, host_, view.prepared},
                 commands_, frame, &events_, timing, behind);
  check(vk.vkEndCommandBuffer(commands_), "the commands of a frame");
  vk::submit(device, commands_, done_.get(), running_);
  return host;
}

void Slot::record(VkCommandBuffer commands, const Frame& frame, bool swapped,
                  std::span<const VulkanImage> given) {
  Device::Impl& device = shared_.device;
  given_.memory = given;
  host_.beforeSubmit(device, shared_.schedule, frame);
  View& view = views_[swapped ? 1 : 0];
  view.sets.bindGiven(device, given);
  vk::record({device, shared_.schedule, shared_.unwritten, view.resources, host_, view.prepared, true},
             commands, frame, nullptr, nullptr);
}

void Slot::compute(PassId id, const Frame& frame, const View& view) const {
  const Pass& pass = shared_.schedule.passes[id];
  if (!frame.compute)
    throw DeviceError(fmt::format("pass {} is native code, but no callback was set that runs it", pass.name));
  std::vector<std::span<std::byte>> memory;
  for (const Access& access : pass.accesses) {
    const uint64_t bytes = contentBytes(shared_.schedule.resources[access.resource]);
    memory.push_back(view.resources.mapped(access.resource).first(bytes));
  }
  const Computing work(pass.name);
  frame.compute(id, frame.tile, memory);
}

Timings Slot::wait() {
  if (!isSubmitted_)
    return {};
  const Device::Impl& device = shared_.device;
  waitFor(device, done_.get(), running_);
  isSubmitted_ = false;
  inFlight_.reset();
  compiles_.reset();
  host_.afterWait(device);
  if (timed_ == Timed::no)
    return {};
  Timings timings = queries_->read();
  for (const PassId pass : timings.passes.ids())
    timings.passes[pass].ran = isWritten_ || shared_.unwritten.runs[pass];
  return timings;
}

}  // namespace lacuna::vk
