#include "graph/door/errors.h"
#include "graph/door/state.h"

namespace lacuna {
namespace door {

void FrameState::give(const std::string& source) const {
  const std::scoped_lock lock(mutex_);
  given_.insert(source);
}

void FrameState::checkGiven() const {
  for (const auto& [name, port] : pipeline.ports)
    if (port.isSource && !port.valueName.empty() && given_.count(name) == 0)
      door::refuse("run: frame {} has no image for {}; every frame needs one for each source", number, name);
}

const MemoryPort& portNamed(const PipelineState& pipeline, const std::string& name) {
  return guarded([&]() -> const MemoryPort& { return lacuna::portNamed(pipeline.ports, name); });
}

const MemoryPort& portNamed(const PipelineState& pipeline, const std::string& name, bool isSource) {
  return guarded([&]() -> const MemoryPort& { return lacuna::portNamed(pipeline.ports, name, isSource); });
}

}  // namespace door

int Frame::number() const {
  return state_->number;
}

ImageView Frame::source(const std::string& name) {
  const MemoryPort& port = door::portNamed(state_->pipeline, name, true);
  if (port.valueName.empty())
    return {};
  state_->give(name);
  return door::viewOf(door::imageTypeOf(port.type, name), state_->memory.uploadMemory(port.valueName));
}

ConstImageView Frame::sink(const std::string& name) const {
  const MemoryPort& port = door::portNamed(state_->pipeline, name, false);
  const std::span<const std::byte> memory = state_->memory.downloadMemory(port.valueName);
  // One view type serves both directions; nothing is written through this one.
  return readOnly(door::viewOf(door::imageTypeOf(port.type, name),
                               {const_cast<std::byte*>(memory.data()), memory.size()}));
}

void Frame::put(const std::string& name, const ConstImageView& from) {
  const ImageView to = source(name);
  if (to.pixels != nullptr) {
    door::checkView(from, door::imageTypeOf(door::portNamed(state_->pipeline, name, true).type, name), name);
    copy(from, to);
  }
}

void Frame::get(const std::string& name, const ImageView& to) const {
  const ConstImageView from = sink(name);
  door::checkView(readOnly(to), door::imageTypeOf(door::portNamed(state_->pipeline, name, false).type, name),
                  name);
  copy(from, to);
}

}  // namespace lacuna
