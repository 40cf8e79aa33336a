#include "tests/support/memory_graph.h"

#include <Imath/half.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "graph/run/tune/tuning.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "graph/shader/compile.h"
#include "tests/support/check_barriers.h"
#include "tests/support/graph_text.h"
#include "tests/support/messages.h"
#include "tests/support/shared_device.h"

namespace lacuna::test {
namespace {

uint16_t halfBits(double value) {
  return Imath::half(static_cast<float>(value)).bits();
}

double halfValue(uint32_t bits) {
  Imath::half h;
  h.setBits(static_cast<uint16_t>(bits));
  return static_cast<double>(static_cast<float>(h));
}

// The module that brings it.
std::string sourceModule(const Image& image) {
  return image.type.isPlanes() ? "i-planes" : image.type.isArray() ? "i-array" : "i-memory";
}

// The offset of a pixel, or of an array's number, which may share its word with another one.
struct Place {
  size_t word = 0;
  size_t half = 0;
};

Place placeOf(const Image& image, uint32_t x, uint32_t y) {
  if (image.type.isArray()) {
    const bool isHalf = image.type.format == Format::f16;
    return isHalf ? Place{x / 2, x % 2} : Place{x, 0};
  }
  const size_t pixel = static_cast<size_t>(y) * image.type.extent.width + x;
  return {pixel * wordsPerPixel(image.type.channels, image.type.format), 0};
}

}  // namespace

double roundToHalf(double value) {
  return halfValue(halfBits(value));
}

double Image::at(uint32_t x, uint32_t y, int component) const {
  const auto [first, half] = placeOf(*this, x, y);
  const auto c = static_cast<size_t>(component);
  switch (type.format) {
    case Format::f16:
      return halfValue(words[first + c / 2] >> ((half + c % 2) * 16));
    case Format::f32: {
      float value = 0;
      std::memcpy(&value, &words[first + c], sizeof value);
      return static_cast<double>(value);
    }
    case Format::u8:
      return static_cast<double>(words[first] >> (8 * c) & 255U) / 255.0;
    case Format::u16:
      return static_cast<double>(words[first + c / 2] >> (c % 2 * 16) & 65535U) / 65535.0;
    case Format::u32:
      break;
  }
  return static_cast<double>(words[first + c]);
}

void Image::set(uint32_t x, uint32_t y, int component, double value) {
  const auto [first, half] = placeOf(*this, x, y);
  const auto c = static_cast<size_t>(component);
  if (type.format == Format::f16) {
    uint32_t& word = words[first + c / 2];
    const auto shift = static_cast<uint32_t>((half + c % 2) * 16);
    word = (word & ~(65535U << shift)) | (static_cast<uint32_t>(halfBits(value)) << shift);
  } else if (type.format == Format::f32) {
    const auto single = static_cast<float>(value);
    std::memcpy(&words[first + c], &single, sizeof single);
  } else if (type.format == Format::u8) {
    const auto byte = static_cast<uint32_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255.0));
    words[first] = (words[first] & ~(255U << (8 * c))) | (byte << (8 * c));
  } else if (type.format == Format::u16) {
    const auto step = static_cast<uint32_t>(std::lround(std::clamp(value, 0.0, 1.0) * 65535.0));
    uint32_t& word = words[first + c / 2];
    const uint32_t shift = c % 2 * 16;
    word = (word & ~(65535U << shift)) | (step << shift);
  } else {
    throw std::logic_error("Image::set: format not used by tests");
  }
}

Image makeImage(Channels channels, Format format, Extent extent, ColourTag colour) {
  Image image;
  image.type.channels = channels;
  image.type.format = format;
  image.type.extent = extent;
  image.type.colour = colour;
  image.words.resize(byteSize(image.type) / 4);
  return image;
}

bool isValidated() {
  return std::getenv("LACUNA_TEST_NO_VALIDATION") == nullptr;
}

MatrixKind testedMatrices() {
  const char* name = std::getenv("LACUNA_TEST_MATRICES");
  const std::string_view word = name == nullptr ? "" : name;
  if (!word.empty() && word != "nv" && word != "emulated")
    throw std::runtime_error(fmt::format("LACUNA_TEST_MATRICES is '{}', but must be nv or emulated", word));
  return word == "nv" ? MatrixKind::nv : word == "emulated" ? MatrixKind::emulated : MatrixKind::khr;
}

vk::DeviceOptions deviceOptions() {
  const char* select = std::getenv("LACUNA_TEST_DEVICE");
  vk::DeviceOptions options;
  options.select = select == nullptr ? "" : select;
  options.validate = isValidated();
  options.poisonsMemory = true;
  return options;
}

vk::Device& testDevice() {
  vk::DeviceOptions options = deviceOptions();
  options.matrices = testedMatrices();
  return sharedDevice("test", options);
}

vk::Device& narrowDevice() {
  vk::DeviceOptions options = deviceOptions();
  options.maxStorageBufferRange = 16;
  return sharedDevice("narrow", options);
}

LoadedGraph load(const MemoryGraph& graph) {
  LoadOptions options;
  options.modulePath = graph.modulePath;
  for (const auto& [name, image] : graph.sources)
    options.memory[sourceModule(image) + ":" + name] = image.type;
  return loadGraphText(graphText(graph.text), "graph.cfg", options);
}

bool isRejected(const MemoryGraph& graph, const StencilSchedule& schedule) {
  const NodeGraph nodes = load(graph).graph;
  return std::any_of(nodes.nodes.begin(), nodes.nodes.end(), [&](const Node& node) {
    return node.kind == NodeKind::stencil && graph.schedules.count(node.name) == 0 &&
           !rejection(nodes, node, schedule, testDevice().info().limits).empty();
  });
}

FrameGraph scheduleOf(const MemoryGraph& graph, const std::string& name) {
  LoadedGraph loaded = load(graph);
  expectNoMessages(loaded.diagnostics);
  if (!loaded.ok())
    throw std::runtime_error("graph has errors");
  CompileOptions options;
  options.device = (graph.device == nullptr ? testDevice() : *graph.device).info().limits;
  options.device.cpu = options.device.cpu && !graph.asGpu;
  options.fuses = graph.fuses;
  options.tiles = graph.tiles;
  options.schedules = graph.schedules;
  options.schedules[""] = name;
  // `auto` is what a run of one frame takes: time to compile counts, which here is most of all time.
  options.frames = 1;
  options.know = [&](const NodeGraph& filters) { return workOf(filters, graph.modulePath); };
  FrameGraph schedule = compile(std::move(loaded.graph), options, loaded.diagnostics);
  expectNoMessages(loaded.diagnostics);
  if (!loaded.ok())
    throw std::runtime_error("schedule '" + name + "' has errors");
  return schedule;
}

MemoryRun::MemoryRun(const MemoryGraph& graph, const std::string& schedule)
    : schedule_(schedule),
      device_(graph.device == nullptr ? testDevice() : *graph.device),
      session_(std::make_unique<Session>(device_, scheduleOf(graph, schedule), graph.modulePath,
                                         ShaderCache::defaultFolder())) {
  for (const std::string& violation : checkBarriers(session_->schedule()))
    ADD_FAILURE() << schedule << ": " << violation;
  bring(graph.sources);
}

MemoryRun::~MemoryRun() {
  for (const std::string& message : device_.validationMessages())
    ADD_FAILURE() << schedule_ << ": " << message;
}

void MemoryRun::bring(const std::map<std::string, Image>& sources) {
  for (const auto& [source, image] : sources) {
    const auto memory = session_->uploadMemory(sourceModule(image) + ":" + source + ":image.output");
    if (!memory.empty()) {
      EXPECT_EQ((memory.size() + 3) / 4, image.words.size());
      std::memcpy(memory.data(), image.words.data(), std::min(memory.size(), image.words.size() * 4));
    }
  }
}

void MemoryRun::compute(int frame) {
  session_->upload(frame);
  session_->compute(frame);
}

std::map<std::string, Image> MemoryRun::results() const {
  const NodeGraph& graph = session_->schedule().graph;
  std::map<std::string, Image> images;
  for (const Node& node : graph.nodes) {
    if (node.kind == NodeKind::sink) {
      const ValueId value = node.inputs.front().value;
      Image image;
      image.type = wholeType(session_->schedule(), value);
      const auto memory = session_->downloadMemory(graph.values[value].name);
      image.words.resize((memory.size() + 3) / 4);
      std::memcpy(image.words.data(), memory.data(), memory.size());
      images[graph.modules.modules[node.module].instance] = std::move(image);
    }
  }
  return images;
}

std::map<std::string, Image> run(const MemoryGraph& graph, const std::string& schedule, int frames) {
  MemoryRun running(graph, schedule);
  for (int frame = 0; frame < frames; ++frame)
    running.compute(frame);
  return running.results();
}

std::vector<std::map<std::string, Image>> run(const MemoryGraph& graph, const std::string& schedule,
                                              const std::vector<std::map<std::string, Image>>& frames) {
  MemoryRun running(graph, schedule);
  std::vector<std::map<std::string, Image>> results;
  for (const auto& sources : frames) {
    running.bring(sources);
    running.compute(static_cast<int>(results.size()));
    results.push_back(running.results());
  }
  return results;
}

}  // namespace lacuna::test
