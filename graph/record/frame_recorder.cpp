#include "graph/record/frame_recorder.h"

#include <algorithm>

#include "graph/config/lexer.h"
#include "graph/record/call_error.h"

namespace lacuna {
namespace {

bool isCopied(const Passes& passes, const std::string& end) {
  return std::ranges::any_of(passes.passes, [&](const Pass& pass) {
    return std::ranges::any_of(pass.accesses, [&](const Access& access) {
      return access.point == AccessPoint::transfer && passes.resources[access.resource].given == end;
    });
  });
}

bool readsKeyframes(const Passes& passes) {
  return std::ranges::any_of(passes.passes, [&](const Pass& pass) {
    return std::ranges::any_of(pass.block, [&](const BlockField& field) {
      return !passes.graph.modules.modules[field.module].parameter(field.parameter).keyframes.empty();
    });
  });
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

bool hasSizeOf(const VulkanImage& image, Extent extent) {
  return image.width == static_cast<int>(extent.width) && image.height == static_cast<int>(extent.height);
}

FrameRecorder::FrameRecorder(RecordedGraph graph, int inFlight, Resize resize)
    : inFlight_(inFlight), resize_(std::move(resize)) {
  take(std::move(graph));
}

void FrameRecorder::take(RecordedGraph graph) {
  graph.executable->reserveSlots(inFlight_);
  graph_ = std::move(graph);
  const std::vector<std::string>& given = graph_.executable->given();
  ends_.clear();
  for (const auto& [name, port] : graph_.ports) {
    End& end = ends_.emplace_back();
    end.name = name;
    end.extent = port.type.extent;
    end.isSource = port.isSource;
    end.isUsed = port.isUsed();
    end.isImage = graph_.places.at(name).kind == ResourceKind::image;
    end.isCopied = isCopied(passes(), name);
    if (const auto place = std::ranges::find(given, name); place != given.end())
      end.place = static_cast<size_t>(place - given.begin());
  }
  memory_.assign(given.size(), {});
  firstNumber_ = passes().graph.modules.firstNumber;
  moves_ = readsKeyframes(passes());
  for (const std::string& parameter : parameters_)
    set(parameter);
  last_.reset();
}

int FrameRecorder::indexOf(int number) const {
  if (number < firstNumber_ || number - firstNumber_ >= mostFrames) {
    refuseCall("record: frame {}; expected {} to {}", number, firstNumber_,
               int64_t{firstNumber_} + mostFrames - 1);
  }
  return number - firstNumber_;
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
    ++blocks_;
    return;
  }
  refuseCall("record: no shader of the graph reads a parameter '{}' while frames run; {}", name,
             graph.find(owner) == nullptr ? "it has no such module"
                                          : "one that changes the graph needs a pipeline of its own");
}

void FrameRecorder::setAndKeep(const std::string& parameter) {
  set(parameter);
  const std::string name = splitAtEquals(parameter).first;
  std::erase_if(parameters_,
                [&](const std::string& earlier) { return splitAtEquals(earlier).first == name; });
  parameters_.push_back(parameter);
}

// Programs name their memory in the same order in each frame, most often in ours.
size_t FrameRecorder::endOf(const FramePlane& plane, size_t expected) const {
  size_t found = expected;
  if (found >= ends_.size() || ends_[found].name != plane.name)
    found = static_cast<size_t>(std::ranges::find(ends_, plane.name, &End::name) - ends_.begin());
  if (found == ends_.size())
    portNamed(graph_.ports, std::string(plane.name));  // refuses it
  if (plane.isSource && *plane.isSource != ends_[found].isSource)
    portNamed(graph_.ports, std::string(plane.name), *plane.isSource);  // likewise
  return found;
}

void FrameRecorder::resizeIfNeeded(std::span<const FramePlane> planes) {
  bool isChanged = false;
  for (size_t i = 0; i < planes.size(); ++i) {
    const End& end = ends_[endOf(planes[i], i)];
    isChanged = isChanged || (end.isSource && end.isUsed && !hasSizeOf(planes[i].image, end.extent));
  }
  if (!isChanged)
    return;
  std::map<std::string, VulkanImage> sources;
  for (size_t i = 0; i < planes.size(); ++i)
    if (const End& end = ends_[endOf(planes[i], i)]; end.isSource)
      sources[end.name] = planes[i].image;
  RecordedGraph made = resize_(sources);
  retired_.emplace_back(std::move(graph_), inFlight_ + 1);
  take(std::move(made));
}

void FrameRecorder::check(const End& end, const VulkanImage& image) {
  const std::string& name = end.name;
  if (!hasSizeOf(image, end.extent)) {
    refuseCall("record: {} has {}x{} pixels, but the graph's has {}x{}", name, image.width, image.height,
               end.extent.width, end.extent.height);
  }
  if (!end.isImage && (image.buffer == nullptr || image.view != nullptr))
    refuseCall("record: {} is a buffer, by RecordOptions::formats; expected VulkanImage::buffer alone", name);
  if (end.isImage && (image.view == nullptr || image.buffer != nullptr))
    refuseCall("record: {} is an image, by RecordOptions::formats; expected VulkanImage::view, no buffer",
               name);
  if (end.isImage && end.isCopied && image.image == nullptr)
    refuseCall("record: {} is copied, so it needs VulkanImage::image beside its view", name);
  if (end.isImage && (end.isCopied || !end.isSource) && image.layout != VK_IMAGE_LAYOUT_GENERAL) {
    refuseCall("record: {} has VkImageLayout {}; expected VK_IMAGE_LAYOUT_GENERAL, because {}", name,
               static_cast<int>(image.layout),
               end.isSource ? "the next frame reads it, too" : "it is written");
  }
}

// The memory of all sources and sinks with a value.
void FrameRecorder::takeMemory(const GivenFrame& frame) {
  ++attempts_;
  for (size_t i = 0; i < frame.planes.size(); ++i) {
    End& end = ends_[endOf(frame.planes[i], i)];
    if (!end.isUsed)
      continue;
    check(end, frame.planes[i].image);
    end.attempt = attempts_;
    if (end.place)
      memory_[*end.place] = frame.planes[i].image;
  }
  for (const End& end : ends_)
    if (end.isUsed && end.attempt != attempts_)
      refuseCall("record: frame {} has no memory for {}; every frame needs it", frame.number, end.name);
}

void FrameRecorder::record(VkCommandBuffer commands, const GivenFrame& frame) {
  if (commands == nullptr)
    refuseCall("record: the command buffer is null");
  const int index = indexOf(frame.number);
  resizeIfNeeded(frame.planes);
  takeMemory(frame);
  for (const std::string& parameter : frame.parameters)
    setAndKeep(parameter);
  const bool follows = last_ && (index == *last_ + 1 || !graph_.cutsAtGaps) && !frame.cuts;
  vk::Frame made;
  made.index = index;
  made.first = !follows;
  made.blocks = moves_ ? 0 : blocks_;
  made.fillBlock = [this, index](PassId pass, std::span<std::byte> block) {
    graph_.blocks->fill(passes(), pass, index, block);
  };
  graph_.executable->record(commands, std::move(made), calls_ % inFlight_, memory_);
  std::erase_if(retired_, [](auto& each) { return --each.second <= 0; });
  ++calls_;
  last_ = index;
}

}  // namespace lacuna
