#include "graph/record/frame_recorder.h"

#include <algorithm>

#include "graph/config/lexer.h"
#include "graph/record/call_error.h"

namespace lacuna {
namespace {

std::vector<std::string> copiedEnds(const Passes& passes) {
  std::vector<std::string> copied;
  for (const Pass& pass : passes.passes)
    for (const Access& access : pass.accesses)
      if (access.point == AccessPoint::transfer)
        copied.push_back(passes.resources[access.resource].given);
  return copied;
}

bool isRead(const Passes& passes, ModuleId module, const std::string& parameter) {
  return std::ranges::any_of(passes.passes, [&](const Pass& pass) {
    return std::ranges::any_of(pass.block, [&](const BlockField& field) {
      return field.module == module && field.parameter == parameter;
    });
  });
}

// Without the place that messages to users begin with.
std::string textOf(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& each : diagnostics.sorted())
    text += (text.empty() ? "" : "; ") + each.message + (each.hint.empty() ? "" : "; " + each.hint);
  return text;
}

}  // namespace

const MemoryPort& portNamed(const MemoryPorts& ports, const std::string& name) {
  const auto found = ports.find(name);
  if (found != ports.end())
    return found->second;
  std::vector<std::string> names;
  for (const auto& [each, port] : ports)
    names.push_back(each);
  if (names.empty())
    refuseCall("{}: the graph has no source or sink in memory", name);
  refuseCall("{}: the graph has no such source or sink in memory; {}", name, suggestInstance(name, names));
}

const MemoryPort& portNamed(const MemoryPorts& ports, const std::string& name, bool isSource) {
  const MemoryPort& port = portNamed(ports, name);
  if (port.isSource != isSource) {
    refuseCall("{}: this is a {}; expected a {}", name, isSource ? "sink" : "source",
               isSource ? "source" : "sink");
  }
  return port;
}

bool hasSizeOf(const VulkanImage& image, const ValueType& type) {
  return image.width == static_cast<int>(type.extent.width) &&
         image.height == static_cast<int>(type.extent.height);
}

FrameRecorder::FrameRecorder(RecordedGraph graph, int inFlight, Resize resize)
    : inFlight_(inFlight), resize_(std::move(resize)) {
  take(std::move(graph));
}

void FrameRecorder::take(RecordedGraph graph) {
  graph.executable->reserveSlots(inFlight_);
  graph_ = std::move(graph);
  copied_ = copiedEnds(passes());
  for (const std::string& parameter : parameters_)
    set(parameter);
  last_.reset();
}

int FrameRecorder::indexOf(int number) const {
  const int firstNumber = passes().graph.modules.firstNumber;
  if (number < firstNumber || number - firstNumber >= mostFrames) {
    refuseCall("record: frame {}; expected {} to {}", number, firstNumber,
               int64_t{firstNumber} + mostFrames - 1);
  }
  return number - firstNumber;
}

void FrameRecorder::set(const std::string& text) {
  const auto [name, value] = splitAtEquals(text);
  const size_t last = name.rfind(':');
  if (last == std::string::npos || name.size() == text.size())
    refuseCall("record: parameter '{}'; expected module:instance:parameter=value", text);
  const std::string owner = name.substr(0, last), parameter = name.substr(last + 1);
  const ModuleGraph& graph = passes().graph.modules;
  for (const ModuleId id : graph.modules.ids()) {
    if (graph.modules[id].name() != owner || !isRead(passes(), id, parameter))
      continue;
    Diagnostics diagnostics;
    const std::vector<Word> words = lexValues(value, {}, diagnostics);
    ParameterValues values;
    if (!words.empty())
      values = convertValues(*graph.modules[id].parameter(parameter).description, {parameter, {}}, words,
                             diagnostics);
    if (values.empty())
      refuseCall("record: parameter '{}': {}", text, textOf(diagnostics));
    graph_.blocks->set(id, parameter, std::move(values));
    return;
  }
  refuseCall("record: no shader of the graph reads a parameter '{}' while frames run; {}", name,
             graph.find(owner) == nullptr ? "it has no such module"
                                          : "one that changes the graph needs a pipeline of its own");
}

void FrameRecorder::setAndKeep(const std::string& parameter) {
  set(parameter);
  std::erase_if(parameters_, [&](const std::string& earlier) {
    return splitAtEquals(earlier).first == splitAtEquals(parameter).first;
  });
  parameters_.push_back(parameter);
}

void FrameRecorder::resizeIfNeeded(const std::map<std::string, VulkanImage>& sources) {
  const bool isChanged = std::ranges::any_of(sources, [&](const auto& each) {
    const MemoryPort& port = portNamed(graph_.ports, each.first, true);
    return port.isUsed() && !hasSizeOf(each.second, port.type);
  });
  if (!isChanged)
    return;
  RecordedGraph made = resize_(sources);
  retired_.emplace_back(std::move(graph_), inFlight_);
  take(std::move(made));
}

void FrameRecorder::check(const std::string& name, const VulkanImage& image) const {
  const MemoryPort& port = portNamed(graph_.ports, name);
  const bool isImage = graph_.places.at(name).kind == ResourceKind::image;
  if (!hasSizeOf(image, port.type)) {
    refuseCall("record: {} has {}x{} pixels, but the graph's has {}x{}", name, image.width, image.height,
               port.type.extent.width, port.type.extent.height);
  }
  const bool isCopied = contains(copied_, name);
  if (!isImage && (image.buffer == nullptr || image.view != nullptr))
    refuseCall("record: {} is a buffer, by RecordOptions::formats; expected VulkanImage::buffer alone", name);
  if (isImage && (image.view == nullptr || image.buffer != nullptr))
    refuseCall("record: {} is an image, by RecordOptions::formats; expected VulkanImage::view, no buffer",
               name);
  if (isImage && isCopied && image.image == nullptr)
    refuseCall("record: {} is copied, so it needs VulkanImage::image beside its view", name);
  if (isImage && (isCopied || !port.isSource) && image.layout != VK_IMAGE_LAYOUT_GENERAL) {
    refuseCall("record: {} has VkImageLayout {}; expected VK_IMAGE_LAYOUT_GENERAL, because {}", name,
               static_cast<int>(image.layout),
               port.isSource ? "the next frame reads it, too" : "it is written");
  }
}

// The memory of all sources and sinks with a value.
std::map<std::string, VulkanImage> FrameRecorder::checked(const RecordedFrame& frame) const {
  std::map<std::string, VulkanImage> given;
  for (const auto* images : {&frame.sources, &frame.sinks}) {
    for (const auto& [name, image] : *images) {
      if (!portNamed(graph_.ports, name, images == &frame.sources).isUsed())
        continue;
      check(name, image);
      given[name] = image;
    }
  }
  for (const auto& [name, port] : graph_.ports)
    if (port.isUsed() && !given.contains(name))
      refuseCall("record: frame {} has no memory for {}; every frame needs it", frame.number, name);
  return given;
}

void FrameRecorder::record(VkCommandBuffer commands, const RecordedFrame& frame) {
  if (commands == nullptr)
    refuseCall("record: the command buffer is null");
  const int index = indexOf(frame.number);
  std::erase_if(retired_, [](auto& each) { return --each.second <= 0; });
  resizeIfNeeded(frame.sources);
  const std::map<std::string, VulkanImage> given = checked(frame);
  for (const std::string& parameter : frame.parameters)
    setAndKeep(parameter);
  const bool follows = last_ && (index == *last_ + 1 || !graph_.cutsAtGaps) && !frame.cuts;
  vk::Frame made;
  made.index = index;
  made.first = !follows;
  made.fillBlock = [&](PassId pass, std::span<std::byte> block) {
    graph_.blocks->fill(passes(), pass, index, block);
  };
  graph_.executable->record(commands, made, calls_ % inFlight_, given);
  ++calls_;
  last_ = index;
}

}  // namespace lacuna
