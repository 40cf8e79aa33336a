#pragma once
// Graphs that are recorded into a renderer's commands, and the memory of a frame.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/door/embedder.h"
#include "tests/door/renderer.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {

// A graph with the planes that a frame gives and takes.
struct Scene {
  std::string text;
  std::map<std::string, PlaneType> sources, sinks;
  std::vector<std::string> parameters = {};

  Graph graph(int width, int height, const std::vector<std::string>& more = {}) const {
    GraphOptions options = treeModules();
    options.frames = Frames::none();
    options.parameters = parameters;
    options.parameters.insert(options.parameters.end(), more.begin(), more.end());
    for (const auto& [name, plane] : sources)
      options.images[name] = ofSize(plane, width, height).type;
    return Graph::fromText(graphText(text), options);
  }

  static PlaneType ofSize(PlaneType plane, int width, int height) {
    plane.type.width = width;
    plane.type.height = height;
    return plane;
  }

  RecordOptions options() const {
    RecordOptions made;
    for (const auto* planes : {&sources, &sinks})
      for (const auto& [name, plane] : *planes)
        if (plane.format != VK_FORMAT_UNDEFINED)
          made.formats[name] = plane.format;
    return made;
  }
};

// A frame of a size, and whether history begins again with it.
struct Step {
  int width = 24, height = 17;
  bool cuts = false;
};

// The memory of a frame in flight.
struct Planes {
  std::map<std::string, std::unique_ptr<Surface>> sources, sinks;

  Planes(Renderer& renderer, const Scene& scene, const Step& step) {
    for (const auto& [name, plane] : scene.sources)
      sources[name] = std::make_unique<Surface>(renderer, Scene::ofSize(plane, step.width, step.height));
    for (const auto& [name, plane] : scene.sinks)
      sinks[name] = std::make_unique<Surface>(renderer, Scene::ofSize(plane, step.width, step.height));
  }

  RecordedFrame frame(int number) const {
    RecordedFrame made{.number = number};
    for (const auto& [name, surface] : sources)
      made.sources[name] = surface->memory();
    for (const auto& [name, surface] : sinks)
      made.sinks[name] = surface->memory();
    return made;
  }
};

inline PlaneType colour(PixelFormat format, VkFormat image = VK_FORMAT_UNDEFINED) {
  return {{.format = format}, image};
}

inline PlaneType plane(PixelChannels channels, PixelFormat format, VkFormat image = VK_FORMAT_UNDEFINED) {
  return {{.channels = channels, .format = format, .colour = PixelColour::data}, image};
}

inline Scene pointwise(const PlaneType& source, const PlaneType& sink) {
  return {"i-memory:in exposure o-memory:out\n",
          {{"i-memory:in", source}},
          {{"o-memory:out", sink}},
          {"exposure:01:stops=0.3"}};
}

using Results = std::vector<std::vector<float>>;  // of o-memory:out, by frame

// The numbers of a plane in a frame. Motion is small.
std::vector<float> numbersOf(const PlaneType& plane, int width, int height, int frame);
// On Lacuna's own device, from and to host memory.
Results ran(const Scene& scene, const std::vector<Step>& steps);
// In the renderer's commands, two frames at a time, nothing waited for but the frame before the last.
// `copies`: those that Lacuna recorded.
using Record = std::function<void(VkCommandBuffer commands, const RecordedFrame& frame)>;
Results recordedBy(Renderer& renderer, const Scene& scene, const std::vector<Step>& steps,
                   const Record& record, int* copies = nullptr);
// With images, buffers, and a history that motion leads to.
Scene temporal();

class Recorded : public Validated {
 protected:
  explicit Recorded(bool halves = false) : renderer(halves) {}
  Renderer renderer;
};

}  // namespace lacuna::test
