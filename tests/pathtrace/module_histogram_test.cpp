// Ray histograms: for one sample in a pixel's centre, only its colour's bins are filled.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "graph/shader/compile.h"
#include "tests/pathtrace/agreement.h"
#include "tests/pathtrace/scene_files.h"
#include "tests/pathtrace/small_scenes.h"
#include "tests/support/random_case.h"

namespace lacuna::pathtrace::reference {
namespace {

struct Scale {
  int bins;
  double gamma, maximum;
};

// Delbracio et al. 2014, section 4.1, with bins as in its authors' program: those below the last two are
// evenly spaced.
std::vector<double> filled(double value, const Scale& scale) {
  std::vector<double> bins(static_cast<size_t>(scale.bins), 0.0);
  const double v = std::min(std::pow(std::max(0.0, value), 1 / scale.gamma) / scale.maximum, 2.0);
  const double place = v * (scale.bins - 2);
  const int i = static_cast<int>(std::floor(place));
  const bool isEven = i < scale.bins - 2;
  const double share = isEven ? place - i : v - 1;
  const auto first = static_cast<size_t>(isEven ? i : scale.bins - 2);
  bins[first] = 1 - share;
  bins[first + 1] = share;
  return bins;
}

// The content of an .npy file of floats behind its header.
std::vector<float> numbersOf(const std::filesystem::path& file) {
  const std::string bytes = test::slurp(file);
  const size_t header =
      10 + static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  std::vector<float> numbers((bytes.size() - header) / sizeof(float));
  std::memcpy(numbers.data(), bytes.data() + header, numbers.size() * sizeof(float));
  return numbers;
}

// Sink `bins` writes NODE's histogram of a path-traced room into a file of the folder.
std::string histogramGraph(const std::filesystem::path& folder, const std::string& more,
                           const std::string& node, const Scale& scale) {
  std::string text = fmt::format(
      "module:pathtrace:01\nparam:o-npy:bins:filename:\"{}/bins.npy\"\n"
      "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:still:true\n"
      "param:pathtrace:01:width:23\nparam:pathtrace:01:height:17\nparam:pathtrace:01:precision:f32\n{}"
      "{}:01:histogram array=o-npy:bins\n",
      folder.string(), writeScene(room(), folder), more, node);
  return text + fmt::format("param:{0}:01:bins:{1}\nparam:{0}:01:gamma:{2}\nparam:{0}:01:maximum:{3}\n", node,
                            scale.bins, scale.gamma, scale.maximum);
}

// The graph's output after this many frames.
std::vector<float> histogramAfter(const std::filesystem::path& folder, const std::string& text, int frames) {
  test::MemoryGraph graph;
  graph.text = text;
  Session session(test::testDevice(), test::scheduleOf(graph, "auto"), graph.modulePath,
                  ShaderCache::defaultFolder());
  for (int f = 0; f < frames; ++f) {
    session.upload(f);
    session.compute(f);
  }
  session.writeSinks(frames - 1);
  return numbersOf(folder / "bins.npy");
}

void render(const std::filesystem::path& folder, const Scale& scale, int width, int height) {
  test::MemoryGraph graph;
  graph.text = fmt::format(
      "pathtrace o-npy:colour\npathtrace:01:histogram array=o-npy:bins\n"
      "param:o-npy:colour:filename:\"{0}/colour.npy\"\nparam:o-npy:bins:filename:\"{0}/bins.npy\"\n"
      "param:pathtrace:01:filename:\"{1}\"\nparam:pathtrace:01:width:{2}\n"
      "param:pathtrace:01:height:{3}\nparam:pathtrace:01:bins:{4}\nparam:pathtrace:01:gamma:{5}\n"
      "param:pathtrace:01:maximum:{6}\nparam:pathtrace:01:precision:f32\n"
      "param:pathtrace:01:filter:centre\n",
      folder.string(), writeScene(room(), folder), width, height, scale.bins, scale.gamma, scale.maximum);
  Session session(test::testDevice(), test::scheduleOf(graph, "auto"), graph.modulePath,
                  ShaderCache::defaultFolder());
  session.run(0);
}

// `colour` has four numbers a pixel; every `step`-th pixel is used.
void expectHistograms(const std::vector<float>& colour, const std::vector<float>& bins, const Scale& scale,
                      size_t step) {
  const size_t pixels = colour.size() / 4;
  const auto count = static_cast<size_t>(scale.bins);
  ASSERT_EQ(bins.size(), pixels * (3 * count + 1));
  for (size_t p = 0; p < pixels; p += step) {
    for (size_t c = 0; c < 3; ++c) {
      const std::vector<double> expected = filled(double{colour[4 * p + c]}, scale);
      for (size_t b = 0; b < count; ++b)
        ASSERT_NEAR(bins[(c * count + b) * pixels + p], expected[b], 1e-3) << p << ", " << c << ", " << b;
    }
    ASSERT_EQ(bins[3 * count * pixels + p], 1);
  }
}

// A frame of n samples and n frames of one sample draw the same ones, in the same order.
TEST(PathtraceHistogram, RandomFramesOfOneSampleFillAsMuch) {
  std::mt19937_64& random = test::testRandom();
  const Scale scale{test::pick(random, 3, 24), test::uniform(random, 1, 3), test::uniform(random, 0.5, 3)};
  const int samples = test::pick(random, 2, 9);
  const test::Folder folder;
  const std::vector<float> atOnce =
      histogramAfter(folder.path(),
                     histogramGraph(folder.path(), fmt::format("param:pathtrace:01:samples:{}\n", samples),
                                    "pathtrace", scale),
                     1);
  const std::vector<float> inFrames = histogramAfter(
      folder.path(), histogramGraph(folder.path(), "pathtrace ray-histogram\n", "ray-histogram", scale),
      samples);
  ASSERT_EQ(atOnce.size(), size_t{23} * 17 * (3 * static_cast<size_t>(scale.bins) + 1));
  EXPECT_EQ(atOnce.back(), static_cast<float>(samples));
  EXPECT_EQ(inFrames, atOnce);
}

TEST(PathtraceHistogram, RandomOfOneSample) {
  std::mt19937_64& random = test::testRandom();
  const Scale scale{test::pick(random, 3, 40), test::uniform(random, 1, 3), test::uniform(random, 0.5, 3)};
  const int width = test::pick(random, 10, 60);
  const int height = test::pick(random, 10, 40);
  const test::Folder folder;
  render(folder.path(), scale, width, height);
  const std::vector<float> colour = numbersOf(folder.file("colour.npy"));
  const std::vector<float> bins = numbersOf(folder.file("bins.npy"));
  ASSERT_EQ(colour.size(), static_cast<size_t>(4 * width * height));
  expectHistograms(colour, bins, scale, 1);
}

std::vector<float> floatsOf(const test::Image& image) {
  std::vector<float> floats(image.words.size());
  std::memcpy(floats.data(), image.words.data(), floats.size() * sizeof(float));
  return floats;
}

// A graph whose colour and histogram go to memory.
test::MemoryGraph memoryGraph(const std::filesystem::path& folder, int width, int height, int bounces) {
  test::MemoryGraph graph;
  graph.modulePath.push_back(test::testFolder() + "/gpu/modules");
  graph.text = fmt::format(
      "pathtrace o-memory:colour\npathtrace:01:histogram o-planes:bins\n"
      "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:width:{}\n"
      "param:pathtrace:01:height:{}\nparam:pathtrace:01:precision:f32\n"
      "param:pathtrace:01:filter:centre\nparam:pathtrace:01:bounces:{}\n",
      writeScene(room(), folder), width, height, bounces);
  return graph;
}

// 214 MiB, where lavapipe binds 128.
TEST(PathtraceHistogram, LargerThanWhatDevicesBind) {
  const Scale scale{20, 2.2, 2.5};
  const test::Folder folder;
  const auto results = test::run(memoryGraph(folder.path(), 1280, 720, 1), "auto");
  EXPECT_EQ(print(results.at("bins").type), "61 planes y f32 data 1280x720");
  expectHistograms(floatsOf(results.at("colour")), floatsOf(results.at("bins")), scale, 89);
}

// Also converts the scene's arrays, whose elements are read as a whole.
TEST(PathtraceHistogram, WhereNoArrayIsBound) {
  const test::Folder folder;
  test::MemoryGraph graph = memoryGraph(folder.path(), 31, 17, 5);
  graph.text += "param:pathtrace:01:samples:3\n";
  const auto bound = test::run(graph, "auto");
  graph.device = &test::narrowDevice();
  const auto addressed = test::run(graph, "auto");
  for (const auto& [name, image] : bound)
    EXPECT_EQ(addressed.at(name).words, image.words) << name;
}

}  // namespace
}  // namespace lacuna::pathtrace::reference
