// Graphs in a renderer: on its device, recorded into its commands, with its memory; results are those of
// Pipeline::run() to the last bit.

#include "tests/door/recorded.h"

#include <cmath>

#include "tests/door/c_renderer.h"
#include "tests/door/embedder.h"
#include "tests/door/runtime_library.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

Results recorded(Renderer& renderer, const Scene& scene, const std::vector<Step>& steps,
                 int* copies = nullptr) {
  Device device = givenDevice(renderer.given());
  Pipeline pipeline =
      recordedPipeline(device, scene.graph(steps.front().width, steps.front().height), scene.options());
  return recordedBy(
      renderer, scene, steps,
      [&](VkCommandBuffer commands, const RecordedFrame& frame) { record(pipeline, commands, frame); },
      copies);
}

const std::vector<Step> threeFrames(3);

// What the other tests rely on: a copy beyond a buffer's end is reported.
TEST_F(Recorded, MistakesWithMemoryAreSeenByTheValidationLayers) {
  if (std::getenv("LACUNA_TEST_NO_VALIDATION") != nullptr)
    GTEST_SKIP() << "without the validation layers";
  const Scene scene = pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32));
  Device device = givenDevice(renderer.given());
  Pipeline pipeline = recordedPipeline(device, scene.graph(8, 4), scene.options());
  Planes planes(renderer, scene, {8, 4});
  RecordedFrame frame = planes.frame(0);
  frame.sources.at("i-memory:in").offset = 1;
  record(pipeline, renderer.begin(), frame);
  renderer.submit();
  renderer.finish();
  EXPECT_FALSE(renderer.messages.empty());
  renderer.messages.clear();
}

TEST_F(Recorded, PointwiseGraphsReadAndWriteMemoryWhereItIs) {
  const std::pair<PixelFormat, VkFormat> kinds[] = {{PixelFormat::f16, VK_FORMAT_R16G16B16A16_SFLOAT},
                                                    {PixelFormat::f32, VK_FORMAT_R32G32B32A32_SFLOAT},
                                                    {PixelFormat::u8, VK_FORMAT_R8G8B8A8_UNORM},
                                                    {PixelFormat::u16, VK_FORMAT_R16G16B16A16_UNORM}};
  for (const auto& [format, image] : kinds) {
    for (const VkFormat source : {VK_FORMAT_UNDEFINED, image}) {
      for (const VkFormat sink : {VK_FORMAT_UNDEFINED, image}) {
        SCOPED_TRACE(testing::Message()
                     << "format " << static_cast<int>(format) << ", " << source << " to " << sink);
        const Scene scene = pointwise(colour(format, source), colour(format, sink));
        int copies = -1;
        EXPECT_EQ(recorded(renderer, scene, threeFrames, &copies), ran(scene, threeFrames));
        EXPECT_EQ(copies, 0);
      }
    }
  }
}

// A value that the next frame needs as well is copied, on the device.
TEST_F(Recorded, KeptValuesAreCopiedOnTheDevice) {
  for (const VkFormat image : {VK_FORMAT_UNDEFINED, VK_FORMAT_R32G32B32A32_SFLOAT}) {
    const Scene mean{"i-memory:in accum o-memory:out\n",
                     {{"i-memory:in", colour(PixelFormat::f32, image)}},
                     {{"o-memory:out", colour(PixelFormat::f32, image)}}};
    const Scene before{"i-memory:in blend o-memory:out\ni-memory:in back~blend\n",
                       {{"i-memory:in", colour(PixelFormat::f32, image)}},
                       {{"o-memory:out", colour(PixelFormat::f32, image)}},
                       {"blend:01:opacity=0.25"}};
    std::vector<Step> steps(5);
    steps[3].cuts = true;
    for (const Scene& scene : {mean, before}) {
      int copies = -1;
      EXPECT_EQ(recorded(renderer, scene, steps, &copies), ran(scene, steps)) << scene.text;
      EXPECT_EQ(copies, 5) << scene.text;
    }
  }
}

// Normals from [0, 1], a depth buffer, motion of clip space: decoded by the pass that reads them.
TEST_F(Recorded, PlanesOfARendererAreDecodedWhereTheyAreRead) {
  struct Case {
    std::string encoding;
    PlaneType source, sink;
    std::function<float(float)> decode;
  };
  const Case cases[] = {
      {"normal", plane(PixelChannels::normal, PixelFormat::u8, VK_FORMAT_R8G8B8A8_UNORM),
       plane(PixelChannels::normal, PixelFormat::f16), [](float v) { return 2 * v - 1; }},
      {"depth", plane(PixelChannels::depth, PixelFormat::f32, VK_FORMAT_R32_SFLOAT),
       plane(PixelChannels::depth, PixelFormat::f32), [](float v) { return 0.5F / (v - 0.25F); }},
      {"motion", plane(PixelChannels::mv, PixelFormat::f32, VK_FORMAT_R32G32_SFLOAT),
       plane(PixelChannels::mv, PixelFormat::f32), [](float v) { return -3 * v; }}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.encoding);
    const Scene scene{"i-memory:in o-memory:out\n",
                      {{"i-memory:in", each.source}},
                      {{"o-memory:out", each.sink}},
                      {"i-memory:in:encoding=" + each.encoding, "i-memory:in:projection=-0.25:0.5:-1",
                       "i-memory:in:scale=-3:-3"}};
    int copies = -1;
    const Results results = recorded(renderer, scene, {{}}, &copies);
    EXPECT_EQ(results, ran(scene, {{}}));
    EXPECT_EQ(copies, 0);
    const std::vector<float> from = numbersOf(each.source, 24, 17, 0);
    for (size_t i = 0; i < from.size(); i += 4)
      ASSERT_NEAR(results[0][i], each.decode(from[i]), 0.01F + 0.001F * std::abs(each.decode(from[i]))) << i;
  }
}

TEST_F(Recorded, SvgfWithFramesInFlightAndAResize) {
  const Scene scene = temporal();
  const std::vector<Step> steps = {{}, {}, {}, {31, 13}, {31, 13}, {31, 13, true}, {31, 13}};
  EXPECT_EQ(recorded(renderer, scene, steps), ran(scene, steps));
}

TEST_F(Recorded, ParametersChangeByCall) {
  const Scene scene = pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32));
  Device device = givenDevice(renderer.given());
  Pipeline pipeline = recordedPipeline(device, scene.graph(8, 4), scene.options());
  const std::vector<std::pair<std::string, Step>> calls = {
      {"", {8, 4}}, {"exposure:01:stops=2", {8, 4}}, {"", {8, 4}}, {"", {5, 5}}};
  for (size_t i = 0; i < calls.size(); ++i) {
    const auto& [parameter, step] = calls[i];
    Planes planes(renderer, scene, step);
    const std::vector<float> from = numbersOf(scene.sources.at("i-memory:in"), step.width, step.height, 0);
    renderer.run([&](VkCommandBuffer commands) {
      planes.sources.at("i-memory:in")->bring(commands, from);
      RecordedFrame frame = planes.frame(static_cast<int>(i));
      if (!parameter.empty())
        frame.parameters = {parameter};
      record(pipeline, commands, frame);
      planes.sinks.at("o-memory:out")->fetch(commands);
    });
    const std::vector<float> to = planes.sinks.at("o-memory:out")->fetched();
    const float factor = i == 0 ? std::exp2(0.3F) : 4.0F;
    for (size_t pixel = 0; pixel < to.size(); pixel += 4)
      ASSERT_NEAR(to[pixel], factor * from[pixel], 1e-5F) << i;
  }
}

TEST_F(Recorded, TheSameInC) {
  DeviceInC own(renderer);
  const Scene scene = pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32));
  const std::string text = graphText(scene.text), modules = moduleFolder();
  Planes planes(renderer, scene, {8, 4});
  c_renderer inC{};
  ASSERT_STREQ(openInC(&inC, &own.given, text.c_str(), modules.c_str(), 8, 4), nullptr);
  const std::vector<float> from = variedPixels(8, 4);
  renderer.run([&](VkCommandBuffer commands) {
    planes.sources.at("i-memory:in")->bring(commands, from);
    const VkBuffer source = planes.sources.at("i-memory:in")->memory().buffer;
    const VkBuffer sink = planes.sinks.at("o-memory:out")->memory().buffer;
    EXPECT_STREQ(recordInC(&inC, commands, source, sink, 8, 4, 5),
                 "lacuna: error: record: o-memory:out has 8x5 pixels, but the graph's has 8x4");
    EXPECT_STREQ(recordInC(&inC, commands, source, sink, 8, 4, 4), nullptr);
    planes.sinks.at("o-memory:out")->fetch(commands);
  });
  const std::vector<float> to = planes.sinks.at("o-memory:out")->fetched();
  for (size_t i = 0; i < to.size(); i += 4)
    ASSERT_FLOAT_EQ(to[i], 2 * from[i]);
  closeInC(&inC);
  lacuna_end source{"i-memory:in", VK_FORMAT_UNDEFINED, lacuna_rgba, lacuna_f32, lacuna_rec709, 8, 4};
  lacuna_graph graph{};
  EXPECT_EQ(lacuna_needs(&own.given, &graph), nullptr);
  EXPECT_STREQ(lacuna_last_error(),
               "lacuna: error: lacuna_needs: expected a structure whose `size` is set, found a size of 0");
  graph.size = sizeof graph;
  graph.text = text.c_str();
  graph.sources = &source;
  graph.source_count = 1;
  const char* folder = modules.c_str();
  graph.module_folders = &folder;
  graph.module_folder_count = 1;
  const char* needs = lacuna_needs(&own.given, &graph);
  ASSERT_NE(needs, nullptr) << lacuna_last_error();
  EXPECT_NE(std::string(needs).find("needs feature scalarBlockLayout\n"), std::string::npos) << needs;
  own.given.extension_count = 0;
  EXPECT_EQ(lacuna_open_device(&own.given), nullptr);
  EXPECT_NE(std::string(lacuna_last_error()).find("VK_KHR_synchronization2"), std::string::npos);
}

TEST_F(Recorded, DevicesAreTakenAsTheyWereMade) {
  const Scene scene = pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32));
  const VulkanNeeds needs = vulkanNeeds(scene.graph(8, 4), renderer.given());
  EXPECT_EQ(needs.needed.extensions, std::vector<std::string>{"VK_KHR_synchronization2"});
  EXPECT_EQ(needs.needed.features,
            (std::vector<std::string>{
                "shaderStorageImageExtendedFormats", "shaderStorageBufferArrayDynamicIndexing",
                "uniformBufferStandardLayout", "scalarBlockLayout", "synchronization2"}));
  const auto refusal = [&](const std::function<void(VulkanDevice&)>& change) {
    VulkanDevice given = renderer.given();
    change(given);
    const Error error = errorOf([&] { givenDevice(given); });
    EXPECT_EQ(error.kind(), ErrorKind::noDevice);
    return std::string(error.what());
  };
  const std::string none = refusal([](VulkanDevice& given) { given.features = nullptr; });
  EXPECT_NE(none.find("without the feature shaderStorageImageExtendedFormats"), std::string::npos) << none;
  const std::string bare = refusal([](VulkanDevice& given) { given.extensions.clear(); });
  EXPECT_NE(bare.find("without VK_KHR_synchronization2"), std::string::npos) << bare;
  const std::string old = refusal([](VulkanDevice& given) { given.apiVersion = VK_API_VERSION_1_1; });
  EXPECT_NE(old.find("apiVersion is 1.1, 1.2 is needed"), std::string::npos) << old;
  const std::string family = refusal([](VulkanDevice& given) { given.queueFamily = 77; });
  EXPECT_NE(family.find("queue family 77 has no compute"), std::string::npos) << family;
  const std::string null = refusal([](VulkanDevice& given) { given.instance = nullptr; });
  EXPECT_NE(null.find("one is null"), std::string::npos) << null;
  // Its own frames run there, too.
  Device device = givenDevice(renderer.given());
  EXPECT_EQ(device.description().name, sharedDevice().description().name);
  Pipeline pipeline(device, scene.graph(8, 4));
  const std::vector<float> from = variedPixels(8, 4);
  std::vector<float> to(from.size());
  pipeline.run(0, {{"i-memory:in", viewed(from, 8, 4)}}, {{"o-memory:out", viewed(to, 8, 4)}});
  EXPECT_NEAR(to[0], std::exp2(0.3F) * from[0], 1e-5F);
}

}  // namespace
}  // namespace lacuna::test
