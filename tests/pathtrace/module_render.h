#pragma once
// Frames of the module through the runtime.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/pathtrace/reference_tracer.h"
#include "tests/support/memory_graph.h"

namespace lacuna::pathtrace::reference {

struct Graph {
  std::string scene;  // a file, or a number: the seed of a random scene
  int width = 32, height = 32;
  std::map<std::string, std::string> parameters;  // others of the module, by name
  std::string lines = {};                         // more of the graph file, `frames:4`
};

// Renders all frames, one after the other, of outputs by name, and passes each on.
using See = std::function<void(int frame, const std::map<std::string, test::Image>& images)>;
void renderFrames(const Graph& graph, const std::vector<std::string>& outputs, int frames, const See& see);

// One output of frame 0.
test::Image renderOne(const Graph& graph, const std::string& output);

// The first three components of all pixels.
std::vector<Vec3> colours(const test::Image& image);

// `output` at one moment (frame 0 of the animation) with this many seeds, in f32. The module's own parameters
// are those of `settings`.
std::vector<std::vector<Vec3>> renderSeeds(const std::string& scene, const Settings& settings, int seeds);

}  // namespace lacuna::pathtrace::reference
