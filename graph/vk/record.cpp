#include "graph/vk/record.h"

#include <algorithm>

#include "graph/vk/resources.h"

namespace lacuna::vk {
namespace {

constexpr VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

// One side of a copy: a buffer, or an image in the layout GENERAL.
struct Place {
  VkBuffer buffer = nullptr;
  VkImage image = nullptr;
  VkDeviceSize offset = 0;  // in the buffer
};

Place place(const Program& program, ResourceId resource) {
  return {program.resources.buffer(resource), program.resources.image(resource),
          program.resources.offset(resource)};
}

const Resource& resourceOf(const Program& program, const Access& access) {
  return program.schedule.resources[access.resource];
}

// `image` gives the extent where either side is an image.
void copyBetween(const Program& program, VkCommandBuffer commands, const Place& from, const Place& to,
                 const Resource& image) {
  const VolkDeviceTable& vk = program.device.vk;
  const VkExtent3D extent{image.width, image.height, 1};
  VkBufferImageCopy mixed{};
  mixed.imageSubresource = layers;
  mixed.imageExtent = extent;
  mixed.bufferOffset = from.offset + to.offset;  // only a buffer has one
  if (from.buffer != nullptr && to.buffer != nullptr) {
    const VkBufferCopy region{from.offset, to.offset, contentBytes(image)};
    vk.vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
  } else if (from.buffer != nullptr) {
    vk.vkCmdCopyBufferToImage(commands, from.buffer, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &mixed);
  } else if (to.buffer != nullptr) {
    vk.vkCmdCopyImageToBuffer(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &mixed);
  } else {
    const VkImageCopy region{layers, {0, 0, 0}, layers, {0, 0, 0}, extent};
    vk.vkCmdCopyImage(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                      &region);
  }
}

void fillWithZeros(const Program& program, VkCommandBuffer commands, ResourceId resource) {
  const VolkDeviceTable& vk = program.device.vk;
  const Place to = place(program, resource);
  if (to.buffer != nullptr) {
    vk.vkCmdFillBuffer(commands, to.buffer, 0, VK_WHOLE_SIZE, 0);
    return;
  }
  const VkClearColorValue zero{};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vk.vkCmdClearColorImage(commands, to.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
}

void upload(const Program& program, VkCommandBuffer commands, PassId pass) {
  const Access& access = program.schedule.passes[pass].accesses[0];
  copyBetween(program, commands, {program.host.staging(pass).buffer(), nullptr},
              place(program, access.resource), resourceOf(program, access));
}

void download(const Program& program, VkCommandBuffer commands, PassId pass) {
  const Access& access = program.schedule.passes[pass].accesses[0];
  copyBetween(program, commands, place(program, access.resource),
              {program.host.staging(pass).buffer(), nullptr}, resourceOf(program, access));
}

// A tile's core into the whole image.
void copyCore(const Program& program, VkCommandBuffer commands, const Pass& pass, const Tile& tile) {
  const VolkDeviceTable& vk = program.device.vk;
  const Tiles& tiles = *program.schedule.tiles;
  const TileSide &column = tile.column, &row = tile.row;
  const Place from = place(program, pass.accesses[0].resource),
              to = place(program, pass.accesses[1].resource);
  if (row.begin == row.end)
    return;  // a frame that only compiles has no tile
  const uint32_t x = column.begin - column.origin, y = row.begin - row.origin;
  const VkExtent3D extent{column.end - column.begin, row.end - row.begin, 1};
  const uint64_t bytes = resourceOf(program, pass.accesses[0]).bytes / pixelCount(tiles.extent);
  const VkOffset3D own{static_cast<int32_t>(x), static_cast<int32_t>(y), 0};
  const VkOffset3D whole{static_cast<int32_t>(column.begin), static_cast<int32_t>(row.begin), 0};
  const uint64_t first = (uint64_t{y} * tiles.extent.width + x) * bytes;
  const uint64_t target = (uint64_t{row.begin} * tiles.whole.width + column.begin) * bytes;
  if (from.buffer != nullptr && to.buffer != nullptr) {
    std::vector<VkBufferCopy> rows;
    for (uint64_t i = 0; i < extent.height; ++i) {
      rows.push_back({first + i * tiles.extent.width * bytes, target + i * tiles.whole.width * bytes,
                      extent.width * bytes});
    }
    vk.vkCmdCopyBuffer(commands, from.buffer, to.buffer, static_cast<uint32_t>(rows.size()), rows.data());
  } else if (from.buffer != nullptr) {
    const VkBufferImageCopy region{first, tiles.extent.width, 0, layers, whole, extent};
    vk.vkCmdCopyBufferToImage(commands, from.buffer, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  } else if (to.buffer != nullptr) {
    const VkBufferImageCopy region{target, tiles.whole.width, 0, layers, own, extent};
    vk.vkCmdCopyImageToBuffer(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &region);
  } else {
    const VkImageCopy region{layers, own, layers, whole, extent};
    vk.vkCmdCopyImage(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                      &region);
  }
}

void copy(const Program& program, VkCommandBuffer commands, const Pass& pass) {
  const Resource& from = resourceOf(program, pass.accesses[0]);
  const Resource& to = resourceOf(program, pass.accesses[1]);
  copyBetween(program, commands, place(program, pass.accesses[0].resource),
              place(program, pass.accesses[1].resource), to.kind == ResourceKind::image ? to : from);
}

// What the dispatch before has bound in these commands.
struct Bound {
  VkPipeline pipeline = nullptr;
  std::span<const int32_t> words;
};

// Only what differs from the dispatch before. Push constants stay where layouts have as many of them.
void bindDispatch(const Program& program, VkCommandBuffer commands, const PreparedPass& pass,
                  const Frame& frame, Bound& bound) {
  const VolkDeviceTable& vk = program.device.vk;
  const std::span<int32_t> words = std::span(program.prepared.words).subspan(pass.firstWord, pass.wordCount);
  words[pass.frameWord] = frame.index;
  words[pass.frameWord + 1] = frame.first ? 1 : 0;
  if (pass.inTiles)
    std::ranges::copy(placeOf(frame.tile), words.begin() + pass.frameWord - tileWords);
  if (pass.pipeline != bound.pipeline)
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pass.pipeline);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pass.layout, 0, 1, &pass.set, 0,
                             nullptr);
  if (!std::ranges::equal(words, bound.words))
    vk.vkCmdPushConstants(commands, pass.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                          static_cast<uint32_t>(words.size_bytes()), words.data());
  bound = {pass.pipeline, words};
}

// A dispatch must be bound.
void recordPass(const Program& program, VkCommandBuffer commands, PassId id, const Frame& frame) {
  const PreparedPass& prepared = program.prepared.passes[id];
  const Pass& pass = program.schedule.passes[id];
  switch (prepared.kind) {
    case PassKind::dispatch:
      frame.onlyCompiles ? program.device.vk.vkCmdDispatch(commands, 0, 0, 0)
                         : program.device.vk.vkCmdDispatch(commands, prepared.groups[0], prepared.groups[1],
                                                           prepared.groups[2]);
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
    case PassKind::handover:
      copy(program, commands, pass);
      break;
    case PassKind::host:  // it doesn't run in this frame
      break;
    case PassKind::copy:
      program.schedule.tiles ? copyCore(program, commands, pass, frame.tile) : copy(program, commands, pass);
      break;
  }
}

void repeatPass(const Program& program, VkCommandBuffer commands, PassId id, const Frame& frame,
                Bound& bound) {
  const int times = frame.repeats ? frame.repeats(id) : 1;
  const PreparedPass& pass = program.prepared.passes[id];
  if (times > 0 && pass.kind == PassKind::dispatch)
    bindDispatch(program, commands, pass, frame, bound);
  for (int time = 0; time < times; ++time) {
    if (time > 0)
      orderRepeats(program, commands, id);
    recordPass(program, commands, id, frame);
  }
}

bool runsOnHost(const Program& program, PassId pass, const Frame& frame) {
  return program.prepared.passes[pass].kind == PassKind::host && !frame.onlyCompiles &&
         (!frame.repeats || frame.repeats(pass) > 0);
}

void resetPersistent(const Program& program, VkCommandBuffer commands) {
  std::vector<ResourceId> persistent;
  for (const ResourceId id : program.schedule.resources.ids()) {
    const bool isUsed = program.resources.buffer(id) != nullptr || program.resources.image(id) != nullptr;
    const Resource& resource = program.schedule.resources[id];
    if (resource.persistent && resource.contents == nullptr && isUsed)
      persistent.push_back(id);
  }
  if (persistent.empty())
    return;
  discardBeforeTransfer(program, commands, persistent);
  for (const ResourceId resource : persistent)
    fillWithZeros(program, commands, resource);
  transferBeforeAll(program, commands);
}

}  // namespace

Prepared prepare(const Device::Impl& device, const FrameGraph& schedule, const UnwrittenPasses& unwritten,
                 const FrameResources& resources,
                 const Table<PassId, std::shared_ptr<const Pipeline>>& pipelines,
                 const DescriptorSets& sets) {
  Prepared made;
  for (const PassId id : schedule.passes.ids()) {
    const Pass& pass = schedule.passes[id];
    PreparedPass& prepared = made.passes.emplace_back();
    prepared.kind = pass.kind;
    if (pass.kind != PassKind::dispatch)
      continue;
    const std::vector<int32_t> words = pushConstants(device, pass, resources);
    prepared.groups = pass.groups;
    prepared.pipeline = pipelines[id]->pipeline.get();
    prepared.layout = pipelines[id]->layout.get();
    prepared.set = sets.of(id);
    prepared.firstWord = static_cast<uint32_t>(made.words.size());
    prepared.wordCount = static_cast<uint32_t>(words.size());
    prepared.frameWord = static_cast<uint32_t>(pass.pushConstants.size());
    prepared.inTiles = pass.inTiles;
    made.words.insert(made.words.end(), words.begin(), words.end());
  }
  for (const Barrier& barrier : schedule.barriers)
    made.barriers.push_back(prepare(resources, barrier));
  for (const Barrier& barrier : unwritten.barriers)
    made.unwrittenBarriers.push_back(prepare(resources, barrier));
  return made;
}

PassId record(const Program& program, VkCommandBuffer commands, const Frame& frame, const PassEvents* events,
              const TimingQueries* timing, PassId behind) {
  const FrameGraph& schedule = program.schedule;
  const DebugNames& names = program.device.names;
  const Label whole(names, commands, [&] {
    return frame.onlyCompiles ? "compilation" : "frame " + std::to_string(frame.index);
  });
  if (!behind) {
    if (timing != nullptr)
      timing->reset(commands);
    orderFrames(program, commands);
    if (frame.first && frame.begins)
      resetPersistent(program, commands);
  } else if (timing != nullptr) {
    timing->end(commands, behind);
  }
  const std::vector<PreparedBarrier>& barriers =
      frame.isWritten ? program.prepared.barriers : program.prepared.unwrittenBarriers;
  auto barrier = barriers.begin();
  Bound bound;
  for (const PassId pass : schedule.passes.ids()) {
    const bool isLeft = !behind || behind < pass;  // for this call
    for (; barrier != barriers.end() && barrier->before == pass; ++barrier)
      if (isLeft)
        recordBarrier(program, commands, *barrier);
    if (!isLeft)
      continue;
    const Label label(names, commands, [&] { return schedule.passes[pass].name; });
    if (timing != nullptr)
      timing->begin(commands, pass);
    const bool runs = frame.isWritten || program.unwritten.runs[pass];
    if (runs && runsOnHost(program, pass, frame)) {
      allBeforeHost(program, commands);
      return pass;
    }
    if (runs)
      repeatPass(program, commands, pass, frame, bound);
    if (events != nullptr)
      events->ended(commands, pass);
    if (timing != nullptr)
      timing->end(commands, pass);
  }
  for (; barrier != barriers.end(); ++barrier)
    recordBarrier(program, commands, *barrier);
  if (program.isGiven)  // its host side and its end are the program's
    return {};
  transferBeforeHost(program, commands);
  if (!frame.onlyCompiles)
    labelEndOfFrame(names, commands);
  return {};
}

}  // namespace lacuna::vk
