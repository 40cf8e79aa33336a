// Images from and to memory, in every format and order, through a graph that doubles them.

#include <algorithm>
#include <cmath>

#include "tests/door/embedder.h"

namespace lacuna::test {
namespace {

class Images : public Validated {};

GraphOptions doubling(const ImageType& type) {
  GraphOptions options = optionsFor(type);
  options.parameters = {"exposure:01:stops=1"};
  return options;
}

Graph doublingGraph(const ImageType& type) {
  return Graph::fromText(aroundModule("exposure"), doubling(type));
}

// Error of the nearest number in a format, relative to 1.
double stepOf(PixelFormat format) {
  return format == PixelFormat::u8 ? 0.5 / 255 : format == PixelFormat::f16 ? 0x1p-11 : 0x1p-16;
}

TEST_F(Images, KeepTheirValuesInEveryFormat) {
  for (const auto& [width, height] : {std::pair(1, 1), std::pair(17, 1), std::pair(127, 59)}) {
    for (const PixelFormat format : {PixelFormat::u8, PixelFormat::u16, PixelFormat::f16, PixelFormat::f32}) {
      SCOPED_TRACE(testing::Message() << width << "x" << height << ", format " << static_cast<int>(format));
      Pipeline pipeline(sharedDevice(), doublingGraph({.width = width, .height = height, .format = format}));
      std::vector<float> from = variedPixels(width, height);
      for (float& value : from)
        value *= 0.5F;  // doubled ones fit
      std::vector<float> to(from.size());
      pipeline.run(0, {{"i-memory:in", viewed(std::as_const(from), width, height)}},
                   {{"o-memory:out", viewed(to, width, height)}});
      const double bound = 2 * stepOf(format) + stepOf(pipeline.imageType("o-memory:out").format);
      for (size_t i = 0; i < from.size(); ++i) {
        const double expected = i % 4 == 3 ? static_cast<double>(from[i]) : 2 * static_cast<double>(from[i]);
        ASSERT_NEAR(static_cast<double>(to[i]), expected, bound) << i;
      }
    }
  }
}

// As in a window system: bytes, blue first, from the bottom row up.
TEST_F(Images, AreBytesWithBlueFirstAndUpsideDown) {
  constexpr int width = 13, height = 7, rowBytes = 64;
  std::vector<uint8_t> from(numbersIn(rowBytes, height, 1)), to(from.size(), 99);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = static_cast<uint8_t>(1 + i * 29 % 120);
  const auto view = [](auto* pixels) {
    return ImageView{.pixels = const_cast<uint8_t*>(pixels) + std::ptrdiff_t{height - 1} * rowBytes,
                     .width = width,
                     .height = height,
                     .order = ChannelOrder::bgra,
                     .format = PixelFormat::u8,
                     .rowBytes = -rowBytes};
  };
  Pipeline pipeline(sharedDevice(), doublingGraph({.width = width, .height = height}));
  pipeline.run(0, {{"i-memory:in", readOnly(view(from.data()))}}, {{"o-memory:out", view(to.data())}});
  for (size_t i = 0; i < from.size(); ++i) {
    const bool isPixel = i % rowBytes < size_t{4} * width;
    ASSERT_EQ(to[i], !isPixel ? 99 : i % 4 == 3 ? from[i] : 2 * from[i]) << i;
  }
}

// Half of each image is only red, the other only blue, so exchanged ones are noticed.
TEST_F(Images, OfThreeComponentsTakeAnyOrder) {
  constexpr int width = 5, height = 3;
  const ImageType type{
      .width = width, .height = height, .channels = PixelChannels::rgb, .format = PixelFormat::f32};
  Pipeline pipeline(sharedDevice(), doublingGraph(type));
  EXPECT_EQ(pipeline.imageType("i-memory:in").channels, PixelChannels::rgb);
  std::vector<float> from(numbersIn(width, height, 3)), to(numbersIn(width, height, 4));
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = static_cast<float>(i + 1) / 64;
  pipeline.run(0,
               {{"i-memory:in",
                 {.pixels = from.data(), .width = width, .height = height, .order = ChannelOrder::bgr}}},
               {{"o-memory:out", viewed(to, width, height)}});
  for (size_t i = 0; i < to.size(); ++i) {
    const size_t pixel = i / 4, component = i % 4;
    ASSERT_EQ(to[i], component == 3 ? 1.0F : 2 * from[3 * pixel + 2 - component]) << i;
  }
}

TEST_F(Images, OfTheWrongSizeOrNameAreRefusedAndTheNextFrameRuns) {
  Pipeline pipeline(sharedDevice(), doublingGraph({.width = 4, .height = 3, .format = PixelFormat::f32}));
  const std::vector<float> from = variedPixels(4, 3);
  std::vector<float> to(from.size());
  const auto refused = [&](const std::map<std::string, ConstImageView>& sources,
                           const std::map<std::string, ImageView>& sinks, const std::string& text) {
    const Error error = errorOf([&] { pipeline.run(0, sources, sinks); });
    EXPECT_EQ(error.kind(), ErrorKind::call);
    EXPECT_EQ(error.messages().front().text, text);
    EXPECT_EQ(error.what(), "lacuna: error: " + text);
  };
  refused({{"i-memory:in", viewed(from, 3, 4)}}, {},
          "i-memory:in: the view has 3x4 pixels, but the image has 4x3");
  refused(
      {{"i-memory:in", {.pixels = from.data(), .width = 4, .height = 3, .order = ChannelOrder::x}}}, {},
      "i-memory:in: the view has the order x, but the image's components are rgba: expected rgb, bgr, rgba "
      "or bgra");
  refused({}, {}, "run: frame 0 has no image for i-memory:in; every frame needs one for each source");
  const std::map<std::string, ConstImageView> right = {{"i-memory:in", viewed(from, 4, 3)}};
  refused(right, {{"o-memory:in", viewed(to, 4, 3)}},
          "o-memory:in: the graph has no such source or sink in memory; did you mean 'i-memory:in'?");
  refused(right, {{"out", viewed(to, 4, 3)}},
          "out: the graph has no such source or sink in memory; did you mean 'o-memory:out'?");
  refused(right, {{"screen", viewed(to, 4, 3)}},
          "screen: the graph has no such source or sink in memory; it has i-memory:in, o-memory:out");
  refused(right, {{"i-memory:in", viewed(to, 4, 3)}}, "i-memory:in: this is a source; expected a sink");
  EXPECT_EQ(errorOf([&] { pipeline.run(-1, right, {}); }).messages().front().text,
            "run: frame -1; expected 0 to 999999999");
  EXPECT_EQ(errorOf([&] { pipeline.imageType("eaw:01"); }).kind(), ErrorKind::call);

  pipeline.run(0, right, {{"o-memory:out", viewed(to, 4, 3)}});
  EXPECT_EQ(to[0], 2 * from[0]);
}

TEST_F(Images, OfSourcesThatNothingNeedsMayBeGiven) {
  GraphOptions options = doubling({.width = 4, .height = 3});
  options.images["i-memory:unused"] = {.width = 9, .height = 9};
  Pipeline pipeline(sharedDevice(),
                    Graph::fromText(aroundModule("exposure") + "module:i-memory:unused\n", options));
  const std::vector<float> from = variedPixels(4, 3), other = variedPixels(9, 9);
  pipeline.run(0, {{"i-memory:in", viewed(from, 4, 3)}, {"i-memory:unused", viewed(other, 9, 9)}}, {});
  EXPECT_EQ(errorOf([&] { pipeline.imageType("i-memory:unused"); }).kind(), ErrorKind::call);
}

}  // namespace
}  // namespace lacuna::test
