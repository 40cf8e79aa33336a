#include "tests/pathtrace/module_render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lacuna::pathtrace::reference {
namespace {

std::string text(const Graph& graph, const std::vector<std::string>& outputs, int frames) {
  const bool isSeed = std::all_of(graph.scene.begin(), graph.scene.end(),
                                  [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  std::string lines = fmt::format("frames:{}\nmodule:pathtrace:01\n", frames);
  lines += fmt::format("param:pathtrace:01:{}:{}\n", isSeed ? "random" : "filename",
                       isSeed ? graph.scene : '"' + graph.scene + '"');
  lines +=
      fmt::format("param:pathtrace:01:width:{}\nparam:pathtrace:01:height:{}\n", graph.width, graph.height);
  for (const auto& [name, value] : graph.parameters)
    lines += fmt::format("param:pathtrace:01:{}:{}\n", name, value);
  for (const std::string& output : outputs)
    lines += fmt::format("pathtrace:01:{0} o-memory:{0}\n", output);
  return lines + graph.lines;
}

const char* nameOf(PixelFilter filter) {
  switch (filter) {
    case PixelFilter::centre:
      return "centre";
    case PixelFilter::box:
      return "box";
    case PixelFilter::tent:
      return "tent";
    case PixelFilter::gaussian:
      break;
  }
  return "gaussian";
}

}  // namespace

void renderFrames(const Graph& graph, const std::vector<std::string>& outputs, int frames, const See& see) {
  test::MemoryGraph memory;
  memory.text = text(graph, outputs, frames);
  test::MemoryRun run(memory, "auto");
  for (int frame = 0; frame < frames; ++frame) {
    run.compute(frame);
    see(frame, run.results());
  }
}

test::Image renderOne(const Graph& graph, const std::string& output) {
  test::Image image;
  renderFrames(graph, {output}, 1, [&](int, const auto& images) { image = images.at(output); });
  return image;
}

std::vector<Vec3> colours(const test::Image& image) {
  std::vector<Vec3> pixels;
  for (uint32_t y = 0; y < image.type.extent.height; ++y)
    for (uint32_t x = 0; x < image.type.extent.width; ++x)
      pixels.push_back({image.at(x, y, 0), image.at(x, y, 1), image.at(x, y, 2)});
  return pixels;
}

std::vector<std::vector<Vec3>> renderSeeds(const std::string& scene, const Settings& settings, int seeds) {
  Graph graph{scene, settings.width, settings.height, {}};
  graph.parameters = {{"samples", std::to_string(settings.samples)},
                      {"bounces", std::to_string(settings.bounces)},
                      {"roulette", std::to_string(settings.roulette)},
                      {"filter", nameOf(settings.filter)},
                      {"precision", "f32"},
                      {"still", "true"}};
  for (int i = 0; i < seeds; ++i) {
    graph.lines += fmt::format("keyframe:{}:pathtrace:01:seed:{}\n", i,
                               (settings.seed + static_cast<uint64_t>(i)) % 2147483647U);
  }
  std::vector<std::vector<Vec3>> renders;
  renderFrames(graph, {"output"}, seeds,
               [&](int, const auto& images) { renders.push_back(colours(images.at("output"))); });
  return renders;
}

}  // namespace lacuna::pathtrace::reference
