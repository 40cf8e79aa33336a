// The network for sequences when its history is useless: the next frame is hardly worse than with the network
// for stills. Scenes are small and path-traced; references have 256 samples. Errors are sums over several
// pictures, whose noise decides which network is better on one of them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/folder.h"
#include "tests/support/long_tests.h"
#include "tests/support/memory_graph.h"

namespace lacuna::test {
namespace {

constexpr uint32_t width = 128, height = 96;
constexpr int referenceParts = 4, event = 4, pictures = 3;

// Lines of keyframes.
struct Keys {
  std::string camera = "  at 8 eye 0.3 1.3 3.3\n", lamp = "", ball = "";
};

// Two lamps in a room, of which the second has keyframes.
std::string roomText(const Keys& keys) {
  return "scene:1\ncamera eye 0 1.3 3.4  target 0 0.9 0  fov 50\n" + keys.camera +
         "background 0.02 0.02 0.02\n"
         "material wall diffuse albedo 0.7 0.68 0.62\nmaterial red diffuse albedo 0.6 0.2 0.15\n"
         "material tiles diffuse checker 0.7 0.7 0.7  0.2 0.2 0.3  scale 6\n"
         "material gloss glossy albedo 0.7 0.6 0.3 roughness 0.4\nmaterial lamp emissive radiance 9 8.5 8\n"
         "object floor rectangle material tiles corner -2 0 -2 edges 0 0 6 4 0 0\n"
         "object back rectangle material wall corner -2 0 -2 edges 4 0 0 0 2.6 0\n"
         "object left rectangle material red corner -2 0 4 edges 0 0 -6 0 2.6 0\n"
         "object right rectangle material wall corner 2 0 -2 edges 0 0 6 0 2.6 0\n"
         "object ceiling rectangle material wall corner -2 2.6 -2 edges 4 0 0 0 0 6\n"
         "object first rectangle material lamp corner -1.3 2.59 -0.6 edges 0.7 0 0 0 0 0.7\n"
         "object second rectangle material lamp corner 0.6 2.59 -0.6 edges 0.7 0 0 0 0 0.7\n" +
         keys.lamp +
         "object box cube material gloss translate -0.8 0.45 -0.6 rotate 0 1 0 30 scale 0.45\n"
         "object ball sphere material red translate 0.7 0.5 0.3 scale 0.5\n" +
         keys.ball;
}

std::string pathtraceText(const std::string& name, const std::string& scene, int seed) {
  std::string text = fmt::format(
      "module:pathtrace:{0}\nparam:pathtrace:{0}:filename:\"{1}\"\nparam:pathtrace:{0}:width:{2}\n"
      "param:pathtrace:{0}:height:{3}\nparam:pathtrace:{0}:precision:f32\nparam:pathtrace:{0}:bounces:3\n"
      "param:pathtrace:{0}:samples:1\n",
      name, scene, width, height);
  for (int frame = 0; frame <= event; ++frame)
    text += fmt::format("keyframe:{}:pathtrace:{}:seed:{}\n", frame, name, 100 * seed + frame);
  return text;
}

std::string outputText(const std::string& name, const std::string& from) {
  return from + " o-memory:" + name + "\n";
}

std::string planesText(const std::string& reader, bool hasMotion) {
  std::string text = fmt::format("pathtrace:noisy {}\n", reader);
  for (const char* plane : {"albedo", "normal", "depth"})
    text += fmt::format("pathtrace:noisy:{0} {0}={1}\n", plane, reader);
  return text + (hasMotion ? fmt::format("pathtrace:noisy:motion motion={}\n", reader) : "");
}

// Frames of one sample by the network for sequences.
std::string movingText(const std::string& scene, int seed) {
  return pathtraceText("noisy", scene, seed) + "svgf filtered=cnn-unet\nparam:svgf:01:taa:true\n" +
         planesText("svgf:01", true) + planesText("cnn-unet:01", true) + outputText("out", "cnn-unet:01");
}

// The same frames by the network for stills.
std::string stillText(const std::string& scene, int seed) {
  return pathtraceText("noisy", scene, seed) + planesText("cnn-unet:01", false) +
         outputText("out", "cnn-unet:01");
}

// The reference of a frame, in parts.
std::string referenceText(const std::string& scene, int judged) {
  std::string text;
  for (int part = 0; part < referenceParts; ++part) {
    const std::string name = fmt::format("reference{}", part);
    text += pathtraceText(name, scene, 100 + part) + outputText(name, "pathtrace:" + name) +
            fmt::format("keyframe:{1}:pathtrace:{0}:samples:64\n", name, judged);
  }
  return text;
}

// Outputs of the frame `judged`, with those from `first` on before it.
std::map<std::string, Image> resultsOf(const std::string& nodes, int first, int judged) {
  MemoryGraph graph;
  graph.text = fmt::format("frames:{}\n", event + 1) + nodes;
  MemoryRun memory(graph, "auto");
  for (int frame = first; frame <= judged; ++frame)
    memory.compute(frame);
  return memory.results();
}

// Mean of (a - reference)^2 / (reference^2 + .01), as in `lacuna compare`.
double relMse(const Image& made, const std::map<std::string, Image>& results) {
  double sum = 0.0;
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        double reference = 0.0;
        for (int part = 0; part < referenceParts; ++part)
          reference += results.at(fmt::format("reference{}", part)).at(x, y, c) / referenceParts;
        const double difference = made.at(x, y, c) - reference;
        sum += difference * difference / (reference * reference + 0.01);
      }
  return sum / (3.0 * width * height);
}

void expectLittleWorseThanStill(const Keys& keys, int judged, double most) {
  const Folder folder;
  const std::string scene = folder.write("room.scene", roomText(keys));
  const auto references = resultsOf(referenceText(scene, judged), judged, judged);
  double moving = 0.0, still = 0.0;
  for (int seed = 1; seed <= pictures; ++seed) {
    moving += relMse(resultsOf(movingText(scene, seed), 0, judged).at("out"), references);
    still += relMse(resultsOf(stillText(scene, seed), judged, judged).at("out"), references);
  }
  EXPECT_LE(moving, most * still);
}

TEST(UnetEvents, FirstFrame) {
  expectLittleWorseThanStill({}, 0, 1.05);
}

std::vector<Keys> events() {
  std::vector<Keys> all = {
      {.camera = "  at 3 eye 0 1.3 3.4 target 0 0.9 0\n  at 4 eye -1.4 1.9 1.2 target 1.6 0.4 -0.5\n"}};
  if (triesAll()) {
    // An object appears; a lamp is switched off.
    all.push_back({.ball = "  at 0 translate 0.7 -40 0.3\n  at 3 translate 0.7 -40 0.3\n"
                           "  at 4 translate 0.7 0.5 0.3\n"});
    all.push_back({.lamp = "  at 0 translate 0 0 0\n  at 3 translate 0 0 0\n  at 4 translate 0 40 0\n"});
  }
  return all;
}

TEST(UnetEvents, InASequence) {
  for (const Keys& keys : events()) {
    SCOPED_TRACE(roomText(keys));
    expectLittleWorseThanStill(keys, event, 1.1);
  }
}

}  // namespace
}  // namespace lacuna::test
