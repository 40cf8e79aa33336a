#include "graph/vk/host_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/vk/memory.h"

namespace lacuna::vk {

BlockPlaces blockPlaces(const Device::Impl& device, const FrameGraph& schedule) {
  const uint64_t alignment = std::max<uint64_t>(4, device.limits.minUniformBufferOffsetAlignment);
  BlockPlaces places;
  for (const PassId id : schedule.passes.ids()) {
    const Pass& pass = schedule.passes[id];
    if (pass.kind == PassKind::dispatch && pass.blockBytes > 0) {
      places.of[id] = {nullptr, places.bytes, pass.blockBytes};
      places.bytes += (pass.blockBytes + alignment - 1) / alignment * alignment;
    }
  }
  return places;
}

HostMemory::HostMemory(const Device::Impl& device, const FrameGraph& schedule) {
  for (const PassId id : schedule.passes.ids()) {
    const Pass& pass = schedule.passes[id];
    const auto bytes = [&] { return contentBytes(schedule.resources[pass.accesses.front().resource]); };
    if (pass.kind == PassKind::upload) {
      uploads_.emplace(id, HostBuffer(device, bytes(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write,
                                      "the upload " + pass.name));
    } else if (pass.kind == PassKind::download) {
      downloads_.emplace(id, HostBuffer(device, bytes(), VK_BUFFER_USAGE_TRANSFER_DST_BIT, HostUse::read,
                                        "the download " + pass.name));
    }
  }
  BlockPlaces places = blockPlaces(device, schedule);
  blockOf_ = std::move(places.of);
  if (places.bytes > 0) {
    blocks_ = HostBuffer(device, places.bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, HostUse::write,
                         "the parameter blocks");
    for (auto& [pass, info] : blockOf_)
      info.buffer = blocks_.buffer();
  }
}

const HostBuffer& HostMemory::staging(PassId pass) const {
  for (const auto* buffers : {&uploads_, &downloads_}) {
    const auto found = buffers->find(pass);
    if (found != buffers->end())
      return found->second;
  }
  throw DeviceError(fmt::format("pass {} is neither an upload nor a download", pass.index()));
}

VkDescriptorBufferInfo HostMemory::block(PassId pass) const {
  return blockOf_.at(pass);
}

void HostMemory::writeBlocks(const Device::Impl& device, const FrameGraph& schedule, const Frame& frame) {
  written_ = 0;  // if a callback throws
  for (const auto& [pass, info] : blockOf_) {
    const std::span<std::byte> block = blocks_.bytes().subspan(info.offset, info.range);
    std::ranges::fill(block, std::byte{0});
    if (!frame.fillBlock) {
      throw DeviceError(fmt::format("pass {} has parameters, but no callback was set that fills them in",
                                    schedule.passes[pass].name));
    }
    frame.fillBlock(pass, block);
  }
  blocks_.flush(device);
  written_ = frame.blocks;
}

void HostMemory::beforeSubmit(const Device::Impl& device, const FrameGraph& schedule, const Frame& frame) {
  if (!blockOf_.empty() && (frame.blocks == 0 || frame.blocks != written_))
    writeBlocks(device, schedule, frame);
  for (const auto& [pass, buffer] : uploads_)
    buffer.flush(device);
}

void HostMemory::afterWait(const Device::Impl& device) const {
  for (const auto& [pass, buffer] : downloads_)
    buffer.invalidate(device);
}

}  // namespace lacuna::vk
