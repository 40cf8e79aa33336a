#include "graph/vk/slot.h"

#include "graph/vk/commands.h"

namespace lacuna::vk {

Slot::View::View(const SharedParts& shared, const HostMemory& host, bool swapped)
    : resources(shared.resources, swapped),
      sets(shared.device, shared.schedule, resources, host, shared.pipelines) {}

Slot::Slot(const SharedParts& shared)
    : shared_(shared),
      host_(shared.device, shared.schedule),
      views_{{shared, host_, false}, {shared, host_, true}},
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
  record(frame, views_[swapped ? 1 : 0], timed == Timed::no ? nullptr : queries_.get());
  events_.reset();
  vk::submit(device, commands_, done_.get(), running_);
  timed_ = timed;
  isWritten_ = frame.isWritten;
  if (frame.onlyCompiles)
    compiles_.emplace([this] { return "the pipeline of " + running_(); });
  else
    inFlight_.emplace(running_);
  isSubmitted_ = true;
}

void Slot::record(const Frame& frame, const View& view, const TimingQueries* timing) {
  const Device::Impl& device = shared_.device;
  const VolkDeviceTable& vk = device.vk;
  check(vk.vkResetCommandPool(device.handle(), commandPool_.get(), 0), "a command pool");
  beginOnce(device, commands_);
  vk::record(
      {device, shared_.schedule, shared_.unwritten, view.resources, host_, shared_.pipelines, view.sets},
      commands_, frame, events_, timing);
  check(vk.vkEndCommandBuffer(commands_), "the commands of a frame");
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
