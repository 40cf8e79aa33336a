#include "graph/vk/executable.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/frame/stages.h"
#include "graph/vk/commands.h"
#include "graph/vk/memory.h"
#include "graph/vk/pipelines.h"
#include "graph/vk/resources.h"
#include "graph/vk/slot.h"

namespace lacuna::vk {
namespace {

// A subgroup holds a matrix, where the device has matrices.
uint32_t subgroupSize(const Pass& pass) {
  const std::optional<MatrixUse>& matrices = pass.shader.matrices;
  return matrices && matrices->kind != MatrixKind::emulated ? matrixLanes : 0;
}

Table<PassId, std::shared_ptr<const Pipeline>> makePipelines(Device::Impl& device, const FrameGraph& schedule,
                                                             const Code& spirv, const PipelineFiles& files) {
  std::vector<PipelineRecipe> recipes;
  std::vector<PassId> passes;
  for (const PassId id : schedule.passes.ids()) {
    const Pass& pass = schedule.passes[id];
    if (pass.kind == PassKind::dispatch) {
      recipes.push_back({pass.name, spirv[id], pass.specialization, bindingLayouts(pass), pushBytes(pass),
                         subgroupSize(pass)});
      passes.push_back(id);
    }
  }
  Table<PassId, std::shared_ptr<const Pipeline>> result(schedule.passes.size());
  const auto made = device.pipelines.get(device, recipes, files);
  for (size_t i = 0; i < passes.size(); ++i)
    result[passes[i]] = made[i];
  return result;
}

std::vector<std::string> givenTo(const FrameGraph& schedule) {
  std::vector<std::string> names;
  for (const Resource& resource : schedule.resources)
    if (!resource.given.empty() && !contains(names, resource.given))
      names.push_back(resource.given);
  return names;
}

// By resource, in the list of those names; -1: none.
Table<ResourceId, int> placesIn(const std::vector<std::string>& names, const FrameGraph& schedule) {
  Table<ResourceId, int> places;
  for (const Resource& resource : schedule.resources) {
    const auto found = std::ranges::find(names, resource.given);
    places.push_back(found == names.end() ? -1 : static_cast<int>(found - names.begin()));
  }
  return places;
}

FrameGraph placed(const Device::Impl& device, FrameGraph passes, const Code& spirv) {
  checkLimits(device, passes, spirv);
  MemoryNeeds needs = memoryNeeds(device, passes);
  return place(std::move(passes), std::move(needs));
}

}  // namespace

struct Executable::Impl {
  Impl(Device::Impl& owner, FrameGraph passes, const Code& spirv, const PipelineFiles& files)
      : device(owner),
        schedule(placed(owner, std::move(passes), spirv)),
        resources(owner, schedule),
        given(givenTo(schedule)),
        givenPlaces(placesIn(given, schedule)),
        unwritten{passesForNextFrame(schedule), unwrittenFrame(schedule).barriers},
        pipelines(makePipelines(owner, schedule, spirv, files)) {
    if (device.poisonsMemory)
      resources.poison(device);
    writeConstants(device, schedule, resources);
    reserveSlots(1);
  }

  void reserveSlots(int count) {
    while (static_cast<int>(slots.size()) < count)
      slots.push_back(std::make_unique<Slot>(
          SharedParts{device, schedule, unwritten, resources, givenPlaces, pipelines}));
  }

  Slot& slot(int index) const {
    if (index < 0 || index >= static_cast<int>(slots.size()))
      throw DeviceError(fmt::format("there is no slot {}: {} are reserved", index, slots.size()));
    return *slots[static_cast<size_t>(index)];
  }

  Device::Impl& device;
  FrameGraph schedule;
  Resources resources;
  std::vector<std::string> given;
  Table<ResourceId, int> givenPlaces;
  UnwrittenPasses unwritten;
  Table<PassId, std::shared_ptr<const Pipeline>> pipelines;
  std::vector<std::unique_ptr<Slot>> slots;  // destroyed first, after their frames are done
  bool hasRun = false;
  bool swapped = false;  // in the next frame
};

MemoryNeeds memoryNeeds(Device& device, const Passes& passes) {
  return memoryNeeds(static_cast<const Device::Impl&>(device.impl()), passes);
}

Executable::Executable(Device& device, FrameGraph passes, const Code& spirv, const PipelineFiles& files)
    : impl_(std::make_unique<Impl>(device.impl(), std::move(passes), spirv, files)) {}
Executable::~Executable() = default;

void Executable::reserveSlots(int count) {
  impl_->reserveSlots(count);
}

int Executable::slotCount() const {
  return static_cast<int>(impl_->slots.size());
}

std::span<std::byte> Executable::uploadMemory(PassId pass, int slot) {
  return impl_->slot(slot).host().staging(pass).bytes();
}

std::span<const std::byte> Executable::downloadMemory(PassId pass, int slot) {
  return impl_->slot(slot).host().staging(pass).bytes();
}

void Executable::submit(const Frame& frame, int slot, Timed timed) {
  Frame known = frame;
  known.first = frame.first || !impl_->hasRun;  // nothing persists from a frame that never ran
  impl_->slot(slot).submit(known, impl_->swapped, timed);
  if (frame.onlyCompiles)
    return;
  impl_->hasRun = true;
  if (!impl_->schedule.tiles)
    endFrame();
}

const std::vector<std::string>& Executable::given() const {
  return impl_->given;
}

void Executable::record(VkCommandBuffer_T* commands, Frame frame, int slot,
                        std::span<const VulkanImage> given) {
  frame.first = frame.first || !impl_->hasRun;
  impl_->slot(slot).record(commands, frame, impl_->swapped, given);
  impl_->hasRun = true;
  endFrame();
}

void Executable::endFrame() {
  impl_->swapped = !impl_->swapped;
}

Timings Executable::wait(int slot) {
  return impl_->slot(slot).wait();
}

void Executable::run(const Frame& frame) {
  submit(frame, 0);
  wait(0);
}

Timings Executable::time(const Frame& frame, bool perPass) {
  submit(frame, 0, perPass ? Timed::perPass : Timed::total);
  return wait(0);
}

Table<PassId, std::vector<ShaderStatistic>> Executable::shaderStatistics() const {
  Table<PassId, std::vector<ShaderStatistic>> result(impl_->pipelines.size());
  for (const PassId pass : result.ids())
    if (impl_->device.keepsStatistics && impl_->pipelines[pass] != nullptr)
      result[pass] = statisticsOf(impl_->device, impl_->pipelines[pass]->pipeline.get());
  return result;
}

const FrameGraph& Executable::schedule() const {
  return impl_->schedule;
}

}  // namespace lacuna::vk
