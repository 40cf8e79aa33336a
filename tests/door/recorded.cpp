#include "tests/door/recorded.h"

#include <deque>
#include <optional>

namespace lacuna::test {
namespace {

size_t componentsOf(const PlaneType& plane) {
  const PixelChannels channels = plane.type.channels;
  return channels == PixelChannels::depth || channels == PixelChannels::y ? 1
         : channels == PixelChannels::mv                                  ? 2
                                                                          : 4;
}

ChannelOrder orderOf(const PlaneType& plane) {
  return componentsOf(plane) == 1   ? ChannelOrder::x
         : componentsOf(plane) == 2 ? ChannelOrder::xy
                                    : ChannelOrder::rgba;
}

}  // namespace

std::vector<float> numbersOf(const PlaneType& plane, int width, int height, int frame) {
  std::vector<float> numbers(numbersIn(width, height, static_cast<int>(componentsOf(plane))));
  const bool isMotion = plane.type.channels == PixelChannels::mv;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const float varied = static_cast<float>((i * 37 + static_cast<size_t>(frame) * 11) % 101) / 101.0F;
    numbers[i] = isMotion ? varied - 0.5F : 0.1F + 0.8F * varied;
  }
  return numbers;
}

Results ran(const Scene& scene, const std::vector<Step>& steps) {
  Results results;
  std::optional<Pipeline> pipeline;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (i == 0 || step.width != steps[i - 1].width)
      pipeline.emplace(sharedDevice(), scene.graph(step.width, step.height));
    if (step.cuts)
      pipeline->restart();
    std::map<std::string, std::vector<float>> numbers;
    std::map<std::string, ConstImageView> sources;
    for (const auto& [name, plane] : scene.sources) {
      numbers[name] = numbersOf(plane, step.width, step.height, static_cast<int>(i));
      sources[name] = {.pixels = numbers[name].data(),
                       .width = step.width,
                       .height = step.height,
                       .order = orderOf(plane)};
    }
    const PlaneType& sink = scene.sinks.at("o-memory:out");
    std::vector<float>& to =
        results.emplace_back(numbersIn(step.width, step.height, static_cast<int>(componentsOf(sink))));
    pipeline->run(
        static_cast<int>(i), sources,
        {{"o-memory:out",
          {.pixels = to.data(), .width = step.width, .height = step.height, .order = orderOf(sink)}}});
  }
  return results;
}

Results recordedBy(Renderer& renderer, const Scene& scene, const std::vector<Step>& steps,
                   const Record& record, int* copies) {
  std::deque<Planes> planes;  // a frame each, so that none waits for another's
  for (const Step& step : steps)
    planes.emplace_back(renderer, scene, step);
  Renderer::copies = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    VkCommandBuffer commands = renderer.begin();
    for (const auto& [name, surface] : planes[i].sources) {
      surface->bring(commands,
                     numbersOf(scene.sources.at(name), steps[i].width, steps[i].height, static_cast<int>(i)));
    }
    RecordedFrame frame = planes[i].frame(static_cast<int>(i));
    frame.cuts = steps[i].cuts;
    record(commands, frame);
    planes[i].sinks.at("o-memory:out")->fetch(commands);
    renderer.submit();
  }
  renderer.finish();
  if (copies != nullptr)
    *copies = Renderer::copies;
  Results results;
  for (const Planes& each : planes)
    results.push_back(each.sinks.at("o-memory:out")->fetched());
  return results;
}

Scene temporal() {
  return {
      "i-memory:in svgf o-memory:out\ni-memory:albedo albedo=svgf\ni-memory:normal normal=svgf\n"
      "i-memory:depth depth=svgf\ni-memory:motion motion=svgf\n",
      {{"i-memory:in", colour(PixelFormat::f16, VK_FORMAT_R16G16B16A16_SFLOAT)},
       {"i-memory:albedo",
        {{.channels = PixelChannels::rgb, .format = PixelFormat::u8}, VK_FORMAT_R8G8B8A8_UNORM}},
       {"i-memory:normal", plane(PixelChannels::normal, PixelFormat::f16, VK_FORMAT_UNDEFINED)},
       {"i-memory:depth", plane(PixelChannels::depth, PixelFormat::f32, VK_FORMAT_R32_SFLOAT)},
       {"i-memory:motion", plane(PixelChannels::mv, PixelFormat::f16, VK_FORMAT_R16G16_SFLOAT)}},
      {{"o-memory:out", colour(PixelFormat::f16, VK_FORMAT_R16G16B16A16_SFLOAT)}},
      {"svgf:01:levels=2"}};
}

}  // namespace lacuna::test
