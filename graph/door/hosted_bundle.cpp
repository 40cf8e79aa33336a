// Bundles whose sources and sinks are in the host's memory.

#include <fmt/format.h>

#include "graph/door/errors.h"
#include "graph/door/state.h"
#include "graph/record/bundle_pipeline.h"

namespace lacuna {
namespace {

// Three are stored as four.
int storedComponents(Channels channels) {
  const int count = componentCount(channels);
  return count == 3 ? 4 : count;
}

// The type of the numbers in the program's memory, which are rounded to the port's. Throws Error for images
// whose numbers arrays don't have.
ValueType hostTypeOf(const std::string& name, const MemoryPort& port, const GivenPlace& place) {
  if (place.kind == ResourceKind::buffer)
    return port.type;
  ValueType type = port.type;
  for (const Format numbers : {Format::u8, Format::u16, Format::f32, Format::f16}) {
    for (const Channels channels : {Channels::any4, Channels::any2, Channels::any1}) {
      if (!holds(place.format, channels, numbers))
        continue;
      type.format = numbers;
      if (storedComponents(type.channels) != componentCount(channels))
        type.channels = channels;
      return type;
    }
  }
  door::refuse(
      "{} is an image of the format {}, which arrays don't have; export it as a buffer, without "
      "--image, or as R16G16B16A16_SFLOAT",
      name, lacuna::name(place.format));
}

uint32_t pixelBytes(const ValueType& type, const GivenPlace& place) {
  return place.kind == ResourceKind::image ? bytesPerTexel(place.format)
                                           : bytesPerPixel(type.channels, type.format);
}

ImageView hostView(door::PipelineState& state, const std::string& name) {
  const ImageType type = door::imageTypeOf(state.ports.at(name).type, name);
  const std::span<std::byte> memory = state.hosted->pixels(name);
  ImageView view = door::viewOf(type, memory);
  view.pixelBytes = state.hosted->pixelBytes(name);
  return view;
}

}  // namespace

namespace door {

void runHosted(PipelineState& state, int number, const std::map<std::string, ConstImageView>& sources,
               const std::map<std::string, ImageView>& sinks, const std::vector<std::string>& parameters) {
  const auto check = [&](const std::string& name, const ConstImageView& view, bool isSource) {
    const MemoryPort& port = portNamed(state, name, isSource);
    if (port.isUsed())
      checkView(view, imageTypeOf(port.type, name), name);
    return port.isUsed();
  };
  for (const auto& [name, view] : sinks)
    check(name, readOnly(view), false);
  for (const auto& [name, port] : state.ports)
    if (port.isSource && port.isUsed() && !sources.contains(name))
      refuse("run: frame {} has no image for {}; every frame needs one for each source", number, name);
  for (const auto& [name, view] : sources)
    if (check(name, view, true))
      copy(view, hostView(state, name));
  state.hosted->run([&](VkCommandBuffer commands, const std::map<std::string, VulkanImage>& all) {
    std::vector<FramePlane> planes;
    for (const auto& [name, image] : all)
      planes.push_back({name, image});
    state.recorder->record(commands, {.number = number, .planes = planes, .parameters = parameters});
  });
  for (const auto& [name, view] : sinks)
    copy(readOnly(hostView(state, name)), view);
}

}  // namespace door

Pipeline Pipeline::fromBundle(Device& device, const std::string& file, int width, int height) {
  return door::guarded([&] {
    const auto bundle = std::make_shared<const Bundle>(readBundle(file));
    const Extent size{static_cast<uint32_t>(std::max(width, 0)), static_cast<uint32_t>(std::max(height, 0))};
    auto state = std::make_unique<door::PipelineState>();
    state->device = door::Access::of(device);
    const BundledGraph& graph = usableGraph(*bundle, size, state->device->device);
    std::map<std::string, vk::HostedEnd> ends;
    for (const auto& [name, port] : graph.ports) {
      MemoryPort& own = state->ports[name] = port;
      if (!port.isUsed())
        continue;
      const GivenPlace& place = graph.places.at(name);
      own.type = hostTypeOf(name, port, place);
      ends[name] = {.isSource = port.isSource,
                    .extent = port.type.extent,
                    .pixelBytes = pixelBytes(own.type, place),
                    .image = place.kind == ResourceKind::image ? std::optional(place.format) : std::nullopt};
    }
    state->plan.memoryBytes = memoryOf(graph, state->device->device);
    state->recorder = recorderOf(bundle, size, state->device, 1);
    state->hosted = std::make_unique<vk::HostedMemory>(state->device->device, ends);
    return door::Access::pipeline(std::move(state));
  });
}

std::vector<BundleSize> bundleSizes(const std::string& file) {
  return door::guarded([&] {
    const Bundle bundle = readBundle(file);
    std::vector<BundleSize> sizes;
    for (const BundledGraph* graph : firstOfEachSize(bundle))
      sizes.push_back({static_cast<int>(graph->size.width), static_cast<int>(graph->size.height)});
    return sizes;
  });
}

}  // namespace lacuna
