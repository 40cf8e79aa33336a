// Every layer of cnn-unet against the double reference, and that against what PyTorch computes. To make a
// layer visible, further layers are added to the network, which sum the channels of that layer.

#include <Imath/half.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "modules/codecs/image_file.h"
#include "tests/cnn_unet/denoise_case.h"
#include "tests/cnn_unet/golden_file.h"
#include "tests/support/folder.h"
#include "tests/support/long_tests.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"
#include "tools/bench/unet/networks.h"

namespace lacuna::test {
namespace {

using unet::Layer;
using unet::Network;
using unet::Plane;
using unet::Scale;

constexpr double mostError = 3e-3;  // relative, Frobenius
constexpr int sumCount = 3;         // the channels of a network's output
// Pictures are limited to 65504, which is above 2 in the network's units even with little exposure.
constexpr double middle = 1.0;  // of sums
constexpr double largestSum = 0.9;

float halfOf(double value) {
  return Imath::half(static_cast<float>(value));
}

// Sums of a layer's channels, each with a sign and all by a power of two.
struct Sums {
  std::vector<double> factors;  // [sum][channel]

  double of(const Channelled& layer, int sum, int y, int x) const {
    double total = 0.0;
    for (int c = 0; c < layer.channels; ++c)
      total +=
          factors[static_cast<size_t>(sum) * static_cast<size_t>(layer.channels) + static_cast<size_t>(c)] *
          layer.at(c, y, x);
    return total;
  }
};

Sums sumsOf(std::mt19937_64& random, const Channelled& layer) {
  Sums sums;
  for (int i = 0; i < sumCount * layer.channels; ++i)
    sums.factors.push_back(pick(random, 0, 1) == 0 ? -1.0 : 1.0);
  double most = 1e-9;
  for (int sum = 0; sum < sumCount; ++sum)
    for (int y = 0; y < layer.height; ++y)
      for (int x = 0; x < layer.width; ++x)
        most = std::max(most, std::abs(sums.of(layer, sum, y, x)));
  for (double& factor : sums.factors)
    factor *= std::exp2(std::floor(std::log2(largestSum / most)));
  return sums;
}

// 3 channels out of those of `from`, pixel by pixel.
Layer mixingLayer(const std::string& name, unet::Source from, int halvings,
                  const std::vector<double>& factors, double bias) {
  Layer layer;
  layer.name = name;
  layer.channels = sumCount;
  layer.inputs = static_cast<uint32_t>(factors.size() / sumCount);
  layer.sources = {from};
  layer.halvings = halvings;
  layer.weights.resize(9 * factors.size());
  for (size_t i = 0; i < factors.size(); ++i)
    layer.weights[9 * i + 4] = halfOf(factors[i]);
  layer.biases.assign(sumCount, halfOf(bias));
  return layer;
}

// The network with sums of layer `seen` in place of its output, at the level `middle`.
Network showing(const Network& network, size_t seen, const Sums& sums) {
  Network shown = network;
  shown.mix.clear();
  int halvings = network.layers[seen].halvings;
  int from = static_cast<int>(seen);
  std::vector<double> factors = sums.factors;
  do {
    const Scale scale = halvings > 0 ? Scale::twice : Scale::same;
    halvings = std::max(halvings - 1, 0);
    shown.layers.push_back(mixingLayer(fmt::format("seen{}", halvings), {from, scale}, halvings, factors,
                                       halvings == 0 ? middle : 0.0));
    from = static_cast<int>(shown.layers.size()) - 1;
    factors = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  } while (halvings > 0);
  return shown;
}

Channelled pictureOf(const Image& image) {
  Channelled picture(3, static_cast<int>(image.type.extent.height),
                     static_cast<int>(image.type.extent.width));
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < picture.height; ++y)
      for (int x = 0; x < picture.width; ++x)
        picture.at(c, y, x) = image.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c);
  return picture;
}

void expectLayer(const Network& network, const RenderPlanes& planes, const Channelled& expected,
                 size_t seen) {
  const Folder folder;
  const Sums sums = sumsOf(testRandom(), expected);
  const Network shown = showing(network, seen, sums);
  const std::string weights = folder.write("shown.safetensors", weightsFile(shown));
  const Channelled made = lastLayerOf(shown, planes, pictureOf(denoise({weights, planes})));
  const int halvings = network.layers[seen].halvings;
  double error = 0.0, size = 0.0;
  for (int sum = 0; sum < sumCount; ++sum)
    for (int y = 0; y < made.height; ++y)
      for (int x = 0; x < made.width; ++x) {
        const double wanted = sums.of(expected, sum, y >> halvings, x >> halvings);
        const double difference = made.at(sum, y, x) - middle - wanted;
        error += difference * difference;
        size += wanted * wanted;
      }
  EXPECT_GT(size, 0.0);
  EXPECT_LE(std::sqrt(error / size), mostError);
}

// Layers but the last one, which is the picture itself: all with --all, else every third.
void expectLayers(const Network& network, const RenderPlanes& planes) {
  RenderPlanes stored;
  for (const auto& [name, plane] : planes)
    stored[name] = rounded(plane, Format::f32);
  const Activations expected = activationsOf(network, stored);
  const size_t step = triesAll() ? 1 : 3;
  for (auto i = static_cast<size_t>(pick(testRandom(), 0, static_cast<int>(step) - 1));
       i + 1 < network.layers.size(); i += step) {
    SCOPED_TRACE(network.layers[i].name);
    expectLayer(network, stored, expected.layers[i], i);
  }
}

TEST(UnetLayers, RandomOfASmallNetworkAreTheirDefinition) {
  const Network network = randomNetwork(testRandom(), {Plane::colour, Plane::albedo, Plane::depth}, 20);
  expectLayers(network, randomPlanes(testRandom(), network, {33, 18}, false));
}

TEST(UnetLayers, RandomOfTheStudysNetworkAreTheirDefinition) {
  const Network network = drawnNetwork(testRandom(), "study");
  size_t parameters = 0;
  for (const Layer& layer : network.layers)
    parameters += layer.weights.size() + layer.biases.size();
  ASSERT_EQ(parameters, 861093U);
  expectLayers(network, randomPlanes(testRandom(), network, {64, 64}, false));
}

class UnetLastLayer : public testing::TestWithParam<const char*> {};

// Its fourth channel is how much of the network's own colour stays; by ReLU it is 0, for halves of both.
TEST_P(UnetLastLayer, RandomIsActivatedBeforeTheMix) {
  if (GetParam() == std::string("host") && !hasHostNetwork)
    return;
  std::mt19937_64& random = testRandom();
  Network network = smallestNetwork(random, {Plane::colour});
  network.mix = {unet::Mixed::colour};
  Layer& last = network.layers.back();
  last.channels = network.results();
  drawWeights(random, last);
  drawLastWeights(random, last, 0.4);
  std::fill(last.weights.end() - 9 * static_cast<int>(last.inputs), last.weights.end(), 0.0F);
  last.biases.back() = -8.0F;
  const Folder folder;
  UnetRun run{folder.write("mixing.safetensors", weightsFile(network)),
              randomPlanes(random, network, {33, 18}, false)};
  run.arithmetic = GetParam();
  const Activations expected = activationsOf(network, run.planes);
  const Channelled made = lastLayerOf(network, run.planes, pictureOf(denoise(run)));
  double error = 0.0, size = 0.0;
  for (int c = 0; c < made.channels; ++c)
    for (int y = 0; y < made.height; ++y)
      for (int x = 0; x < made.width; ++x) {
        const double wanted = (expected.layers.back().at(c, y, x) + expected.input.at(c, y, x)) / 2.0;
        error += std::pow(made.at(c, y, x) - wanted, 2);
        size += wanted * wanted;
      }
  EXPECT_LE(std::sqrt(error / size), mostError);
}

INSTANTIATE_TEST_SUITE_P(Arithmetic, UnetLastLayer, testing::Values("plain", "matrices", "host"));

// The middle of a render's plane.
Channelled cropOf(const std::string& path, const std::string& name, int channels, int side) {
  const ValueType type = probeImage("exr", path, {name}).at(name);
  std::vector<std::byte> bytes(byteSize(type));
  readImage("exr", path, name, type, bytes);
  Image image = makeImage(type.channels, type.format, type.extent, type.colour);
  std::memcpy(image.words.data(), bytes.data(), std::min(bytes.size(), 4 * image.words.size()));
  const uint32_t left = (type.extent.width - static_cast<uint32_t>(side)) / 2;
  const uint32_t top = (type.extent.height - static_cast<uint32_t>(side)) / 2;
  Channelled crop(channels, side, side);
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        crop.at(c, y, x) = image.at(left + static_cast<uint32_t>(x), top + static_cast<uint32_t>(y), c);
  return crop;
}

TEST(UnetLayers, RandomOfOurNetworkOnARenderAreTheirDefinition) {
  const std::string file = exampleFolder() + "/inputs/render.exr";
  RenderPlanes planes = {{"input", cropOf(file, "output", 3, 64)}};
  for (const char* plane : {"albedo", "normal", "depth"})
    planes[plane] = cropOf(file, plane, plane == std::string("depth") ? 1 : 3, 64);
  expectLayers(unet::readNetwork(moduleFolder() + "/cnn-unet/weights/rgb-and.safetensors"), planes);
}

class UnetGoldenLayers : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// PyTorch's are rounded to half.
TEST_P(UnetGoldenLayers, AreTheReferences) {
  const GoldenFile golden(GetParam().first, GetParam().second);
  const Network network = unet::readNetwork(golden.weights());
  const Activations ours = activationsOf(network, golden.planes());
  const auto expectSame = [&](const std::string& name, const Channelled& layer) {
    const bool isWhole = golden.isWhole(name);
    const std::vector<double> expected = isWhole ? golden.image(name).values : golden.samples(name);
    ASSERT_TRUE(!isWhole || expected.size() == layer.values.size()) << name;
    double error = 0.0, size = 1e-12;
    for (size_t i = 0; i < expected.size(); ++i) {
      const double made = layer.values[isWhole ? i : placeOfSample(i, layer.values.size())];
      error += (made - expected[i]) * (made - expected[i]);
      size += expected[i] * expected[i];
    }
    EXPECT_LE(std::sqrt(error / size), 5e-4) << name;
  };
  expectSame("input", ours.input);
  for (size_t i = 0; i < network.layers.size(); ++i)
    expectSame(network.layers[i].name, ours.layers[i]);
}

INSTANTIATE_TEST_SUITE_P(Files, UnetGoldenLayers,
                         testing::Values(std::pair("tiny-rgb", "17x1"), std::pair("tiny-rgb", "64x64"),
                                         std::pair("tiny-rgb-and", "17x1"),
                                         std::pair("tiny-rgb-and", "33x47"), std::pair("rgb", "17x1"),
                                         std::pair("rgb-and", "17x1"), std::pair("rgb-and", "33x47")));

// Straight from PyTorch's layers to the module's.
class UnetWholeLayers : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(UnetWholeLayers, RandomAreTheModules) {
  const GoldenFile golden(GetParam().first, GetParam().second);
  const Network network = unet::readNetwork(golden.weights());
  for (size_t i = 0; i + 1 < network.layers.size(); ++i) {
    SCOPED_TRACE(network.layers[i].name);
    expectLayer(network, golden.planes(), golden.image(network.layers[i].name), i);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, UnetWholeLayers,
                         testing::Values(std::pair("tiny-rgb", "17x1"), std::pair("tiny-rgb-and", "33x47")));

}  // namespace
}  // namespace lacuna::test
