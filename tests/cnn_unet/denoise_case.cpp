#include "tests/cnn_unet/denoise_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.h"

namespace lacuna::test {
namespace {

Channels channelsOf(const std::string& connector, bool hasAlpha) {
  if (connector == "normal")
    return Channels::normal;
  if (connector == "depth")
    return Channels::depth;
  if (connector == "motion")
    return Channels::mv;
  return connector == "input" && hasAlpha ? Channels::rgba : Channels::rgb;
}

Image imageOf(const Channelled& plane, Channels channels, Format format) {
  const Extent extent{static_cast<uint32_t>(plane.width), static_cast<uint32_t>(plane.height)};
  Image image = makeImage(channels, format, extent);
  for (uint32_t y = 0; y < extent.height; ++y)
    for (uint32_t x = 0; x < extent.width; ++x) {
      for (int c = 0; c < plane.channels; ++c)
        image.set(x, y, c, plane.at(c, static_cast<int>(y), static_cast<int>(x)));
      if (channels == Channels::rgba)
        image.set(x, y, 3, (x + 1) / 1024.0);
    }
  return image;
}

double brokenValue(std::mt19937_64& random) {
  constexpr double infinite = INFINITY;
  constexpr double values[] = {NAN, infinite, -infinite, -1.0, 1e30};
  return values[pick(random, 0, 4)];
}

}  // namespace

MemoryGraph unetGraph(const UnetRun& of) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "cnn-unet o-memory:out\nparam:cnn-unet:01:weights:\"{}\"\nparam:cnn-unet:01:arithmetic:{}\n"
      "param:cnn-unet:01:layers:{}\nparam:cnn-unet:01:transfer:{}\n",
      of.weights, of.arithmetic, of.layers, of.transfer);
  for (const auto& [connector, plane] : of.planes) {
    graph.text += fmt::format("i-memory:{0} {0}=cnn-unet\n", connector);
    graph.sources[connector] =
        imageOf(plane, channelsOf(of.transfer == "normal" ? "normal" : connector, of.hasAlpha), of.format);
  }
  return graph;
}

Image denoise(const UnetRun& of) {
  return run(unetGraph(of), "auto").at("out");
}

Channelled rounded(const Channelled& plane, Format format) {
  Channelled out = plane;
  for (double& v : out.values)
    v = format == Format::f16 ? roundToHalf(v) : static_cast<float>(v);
  return out;
}

RenderPlanes randomPlanes(std::mt19937_64& random, const unet::Network& network, Extent extent,
                          bool isBroken) {
  const auto plane = [&](int channels, const auto& draw) {
    Channelled out(channels, static_cast<int>(extent.height), static_cast<int>(extent.width));
    for (double& v : out.values)
      v = isBroken && pick(random, 0, 99) == 0 ? brokenValue(random) : draw();
    return out;
  };
  RenderPlanes planes;
  for (const unet::Plane each : network.input) {
    if (each == unet::Plane::colour)
      planes["input"] =
          plane(3, [&] { return pick(random, 0, 49) == 0 ? 300.0 : std::exp(uniform(random, -5.0, 1.0)); });
    else if (each == unet::Plane::albedo)
      planes["albedo"] = plane(3, [&] { return pick(random, 0, 9) == 0 ? 0.0 : uniform(random, 0.0, 1.0); });
    else if (each == unet::Plane::normal)
      planes["normal"] = plane(3, [&] { return uniform(random, -1.0, 1.0); });
    else
      planes["depth"] =
          plane(1, [&] { return pick(random, 0, 9) == 0 ? INFINITY : uniform(random, 0.5, 8.5); });
  }
  return planes;
}

void expectDenoised(const Image& made, const Channelled& expected, double bound) {
  ASSERT_EQ(made.type.extent.width, static_cast<uint32_t>(expected.width));
  ASSERT_EQ(made.type.extent.height, static_cast<uint32_t>(expected.height));
  double size = 0.0;
  for (const double v : expected.values)
    size += v * v;
  EXPECT_GT(size, 0.0);
  const double usual = std::sqrt(size / static_cast<double>(expected.values.size()));
  double error = 0.0, worst = 0.0;
  size_t broken = 0;
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < expected.height; ++y)
      for (int x = 0; x < expected.width; ++x) {
        const double v = made.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c);
        const double wanted = expected.at(c, y, x);
        broken += std::isfinite(v) ? 0 : 1;
        error += (v - wanted) * (v - wanted);
        // The logarithm of a colour ends in halves, whose rounding is a part of the colour.
        worst = std::max(worst, std::abs(v - wanted) / (20.0 * usual + 2.0 * std::abs(wanted)));
      }
  EXPECT_EQ(broken, 0U) << "of " << expected.values.size();
  EXPECT_LE(std::sqrt(error), bound * std::sqrt(size));
  EXPECT_LE(worst, bound);
}

void expectPart(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

}  // namespace lacuna::test
