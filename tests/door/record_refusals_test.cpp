// What record() and recordedPipeline() refuse, by name.

#include <functional>

#include "tests/door/recorded.h"

namespace lacuna::test {
namespace {

TEST_F(Recorded, WrongCallsAreRefusedAndChangeNothing) {
  const Scene scene = pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32));
  Device device = givenDevice(renderer.given());
  Pipeline pipeline = recordedPipeline(device, scene.graph(8, 4), scene.options());
  Planes planes(renderer, scene, {8, 4});
  const auto refusal = [&](const std::function<void(RecordedFrame&)>& change) {
    RecordedFrame frame = planes.frame(0);
    change(frame);
    std::string text;
    renderer.run([&](VkCommandBuffer commands) {
      const Error error = errorOf([&] { record(pipeline, commands, frame); });
      EXPECT_EQ(error.kind(), ErrorKind::call);
      text = error.what();
    });
    return text;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(refusal([](RecordedFrame& frame) { frame.sources.clear(); }), "frame 0 has no memory for i-memory:in");
  has(refusal([](RecordedFrame& frame) { frame.sinks["o-memory:no"] = {}; }), "o-memory:no");
  has(refusal([](RecordedFrame& frame) { frame.sinks.at("o-memory:out").width = 7; }),
      "o-memory:out has 7x4 pixels, but the graph's has 8x4");
  has(refusal([](RecordedFrame& frame) { frame.sinks.at("o-memory:out").buffer = nullptr; }),
      "o-memory:out is a buffer");
  has(refusal([](RecordedFrame& frame) { frame.parameters = {"exposure:01:stops=33"}; }), "-32 to 32");
  has(refusal([](RecordedFrame& frame) { frame.parameters = {"exposure:01:stop=3"}; }),
      "no shader of the graph reads a parameter 'exposure:01:stop'");
  has(refusal([](RecordedFrame& frame) { frame.number = -1; }), "frame -1");
  has(errorOf([&] { pipeline.run(0, {}, {}); }).what(), "expected record()");
  has(errorOf([&] { recordedPipeline(sharedDevice(), scene.graph(8, 4), {}); }).what(), "givenDevice()");
  renderer.run([&](VkCommandBuffer commands) { record(pipeline, commands, planes.frame(0)); });
}

TEST_F(Recorded, LayoutsAndViewsThatDoNotFitAreRefused) {
  const PlaneType floats = colour(PixelFormat::f32, VK_FORMAT_R32G32B32A32_SFLOAT);
  const Scene kept{"i-memory:in blend o-memory:out\ni-memory:in back~blend\n",
                   {{"i-memory:in", floats}},
                   {{"o-memory:out", floats}}};
  const Scene mean{"i-memory:in accum o-memory:out\n", {{"i-memory:in", floats}}, {{"o-memory:out", floats}}};
  Device device = givenDevice(renderer.given());
  const auto expectRefusal = [&](const Scene& scene, const std::string& part,
                                 const std::function<void(RecordedFrame&)>& change) {
    Pipeline pipeline = recordedPipeline(device, scene.graph(8, 4), scene.options());
    const Planes planes(renderer, scene, {8, 4});
    RecordedFrame frame = planes.frame(0);
    change(frame);
    renderer.run([&](VkCommandBuffer commands) {
      const std::string text = errorOf([&] { record(pipeline, commands, frame); }).what();
      EXPECT_NE(text.find(part), std::string::npos) << text;
    });
  };
  expectRefusal(mean, "o-memory:out is copied, so it needs VulkanImage::image",
                [](RecordedFrame& frame) { frame.sinks.at("o-memory:out").image = nullptr; });
  expectRefusal(mean, "i-memory:in is an image, by RecordOptions::formats",
                [](RecordedFrame& frame) { frame.sources.at("i-memory:in").view = nullptr; });
  expectRefusal(kept,
                "o-memory:out has VkImageLayout 5; expected VK_IMAGE_LAYOUT_GENERAL, because it is written",
                [](RecordedFrame& frame) {
                  frame.sinks.at("o-memory:out").layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
                });
  expectRefusal(kept, "expected VK_IMAGE_LAYOUT_GENERAL, because the next frame reads it, too",
                [](RecordedFrame& frame) {
                  frame.sources.at("i-memory:in").layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
                });
}

TEST_F(Recorded, FormatsThatDoNotFitAreListed) {
  Device device = givenDevice(renderer.given());
  const auto refusal = [&](const PlaneType& source, const PlaneType& sink) {
    const Scene scene = pointwise(source, sink);
    return std::string(errorOf([&] { recordedPipeline(device, scene.graph(8, 4), scene.options()); }).what());
  };
  const PlaneType floats = colour(PixelFormat::f32);
  const std::string small = refusal(floats, colour(PixelFormat::f32, VK_FORMAT_R16G16B16A16_SFLOAT));
  EXPECT_NE(small.find("o-memory:out: its image of format rgba16f doesn't hold rgba f32; expected rgba32f"),
            std::string::npos)
      << small;
  const std::string narrow = refusal(colour(PixelFormat::f16, VK_FORMAT_R16G16_SFLOAT), floats);
  EXPECT_NE(narrow.find("i-memory:in: its image of format rg16f has fewer components than rgba"),
            std::string::npos)
      << narrow;
  const std::string odd = refusal(floats, colour(PixelFormat::f32, VK_FORMAT_R8G8B8A8_SINT));
  EXPECT_NE(odd.find("o-memory:out: VkFormat 42"), std::string::npos) << odd;
}

TEST_F(Recorded, GraphsOfFilesAreRefused) {
  Device device = givenDevice(renderer.given());
  GraphOptions options = optionsFor({.width = 8, .height = 4});
  options.frames = Frames::none();
  const Graph graph = Graph::fromText(
      graphText("i-memory:in exposure o-memory:out\ni-memory:in o-png\nparam:o-png:01:filename:\"no.png\"\n"),
      options);
  const std::string text = errorOf([&] { recordedPipeline(device, graph, {}); }).what();
  EXPECT_NE(text.find("reads or writes a file, so the graph can't be recorded"), std::string::npos) << text;
}

}  // namespace
}  // namespace lacuna::test
