// The networks of Open Image Denoise, against the shapes in its training code.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cnn-unet/network/oidn.h"

namespace lacuna::test {
namespace {

using unet::Layer;
using unet::OidnNetwork;

// "enc_conv0 9>32 /1", with what it reads: "input", "+" pooled, "*" upsampled.
std::vector<std::string> linesOf(OidnNetwork kind, uint32_t inputs) {
  const std::vector<Layer> layers = unet::oidnLayers(kind, inputs);
  std::vector<std::string> lines;
  for (const Layer& layer : layers) {
    EXPECT_TRUE(layer.relu) << layer.name;
    EXPECT_TRUE(layer.weights.empty() && layer.biases.empty()) << layer.name;
    std::string line =
        fmt::format("{} {}>{} /{}", layer.name, layer.inputs, layer.channels, 1 << layer.halvings);
    for (const unet::Source& source : layer.sources)
      line += fmt::format(" {}{}", source.layer == unet::inputLayer ? "input" : layers.at(source.layer).name,
                          source.scale == unet::Scale::half    ? "+"
                          : source.scale == unet::Scale::twice ? "*"
                                                               : "");
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(OidnNetworks, BaseHasItsShapes) {
  EXPECT_EQ(linesOf(OidnNetwork::base, 9),
            (Lines{"enc_conv0 9>32 /1 input", "enc_conv1 32>32 /1 enc_conv0", "enc_conv2 32>48 /2 enc_conv1+",
                   "enc_conv3 48>64 /4 enc_conv2+", "enc_conv4 64>80 /8 enc_conv3+",
                   "enc_conv5a 80>96 /16 enc_conv4+", "enc_conv5b 96>96 /16 enc_conv5a",
                   "dec_conv4a 160>112 /8 enc_conv5b* enc_conv3+", "dec_conv4b 112>112 /8 dec_conv4a",
                   "dec_conv3a 160>96 /4 dec_conv4b* enc_conv2+", "dec_conv3b 96>96 /4 dec_conv3a",
                   "dec_conv2a 128>64 /2 dec_conv3b* enc_conv1+", "dec_conv2b 64>64 /2 dec_conv2a",
                   "dec_conv1a 73>64 /1 dec_conv2b* input", "dec_conv1b 64>32 /1 dec_conv1a",
                   "dec_conv0 32>3 /1 dec_conv1b"}));
}

TEST(OidnNetworks, SmallHasItsShapes) {
  EXPECT_EQ(linesOf(OidnNetwork::small, 3),
            (Lines{"enc_conv0 3>32 /1 input", "enc_conv1 32>32 /1 enc_conv0", "enc_conv2 32>32 /2 enc_conv1+",
                   "enc_conv3 32>32 /4 enc_conv2+", "enc_conv4 32>32 /8 enc_conv3+",
                   "enc_conv5a 32>32 /16 enc_conv4+", "enc_conv5b 32>32 /16 enc_conv5a",
                   "dec_conv4a 64>64 /8 enc_conv5b* enc_conv3+", "dec_conv4b 64>64 /8 dec_conv4a",
                   "dec_conv3a 96>64 /4 dec_conv4b* enc_conv2+", "dec_conv3b 64>64 /4 dec_conv3a",
                   "dec_conv2a 96>64 /2 dec_conv3b* enc_conv1+", "dec_conv2b 64>32 /2 dec_conv2a",
                   "dec_conv1a 35>32 /1 dec_conv2b* input", "dec_conv1b 32>32 /1 dec_conv1a",
                   "dec_conv0 32>3 /1 dec_conv1b"}));
}

TEST(OidnNetworks, LargeHasItsShapes) {
  EXPECT_EQ(
      linesOf(OidnNetwork::large, 9),
      (Lines{"enc_conv1a 9>64 /1 input", "enc_conv1b 64>64 /1 enc_conv1a", "enc_conv2a 64>96 /2 enc_conv1b+",
             "enc_conv2b 96>96 /2 enc_conv2a", "enc_conv3a 96>128 /4 enc_conv2b+",
             "enc_conv3b 128>128 /4 enc_conv3a", "enc_conv4a 128>192 /8 enc_conv3b+",
             "enc_conv4b 192>192 /8 enc_conv4a", "enc_conv5a 192>256 /16 enc_conv4b+",
             "enc_conv5b 256>256 /16 enc_conv5a", "dec_conv4a 384>192 /8 enc_conv5b* enc_conv3b+",
             "dec_conv4b 192>192 /8 dec_conv4a", "dec_conv3a 288>128 /4 dec_conv4b* enc_conv2b+",
             "dec_conv3b 128>128 /4 dec_conv3a", "dec_conv2a 192>96 /2 dec_conv3b* enc_conv1b+",
             "dec_conv2b 96>96 /2 dec_conv2a", "dec_conv1a 105>64 /1 dec_conv2b* input",
             "dec_conv1b 64>64 /1 dec_conv1a", "dec_conv1c 64>3 /1 dec_conv1b"}));
}

}  // namespace
}  // namespace lacuna::test
