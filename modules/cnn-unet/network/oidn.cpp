#include "cnn-unet/network/oidn.h"

#include "cnn-unet/network/layer_table.h"

namespace lacuna::unet {
namespace {

using enum Scale;

std::vector<Convolution> smallOrBase(bool isSmall) {
  const auto count = [&](uint32_t base, uint32_t small) { return isSmall ? small : base; };
  return {{"enc_conv0", 32, {{pictureName}}},
          {"enc_conv1", 32, {{"enc_conv0"}}},
          {"enc_conv2", count(48, 32), {{"enc_conv1", half}}},
          {"enc_conv3", count(64, 32), {{"enc_conv2", half}}},
          {"enc_conv4", count(80, 32), {{"enc_conv3", half}}},
          {"enc_conv5a", count(96, 32), {{"enc_conv4", half}}},
          {"enc_conv5b", count(96, 32), {{"enc_conv5a"}}},
          {"dec_conv4a", count(112, 64), {{"enc_conv5b", twice}, {"enc_conv3", half}}},
          {"dec_conv4b", count(112, 64), {{"dec_conv4a"}}},
          {"dec_conv3a", count(96, 64), {{"dec_conv4b", twice}, {"enc_conv2", half}}},
          {"dec_conv3b", count(96, 64), {{"dec_conv3a"}}},
          {"dec_conv2a", 64, {{"dec_conv3b", twice}, {"enc_conv1", half}}},
          {"dec_conv2b", count(64, 32), {{"dec_conv2a"}}},
          {"dec_conv1a", count(64, 32), {{"dec_conv2b", twice}, {pictureName}}},
          {"dec_conv1b", 32, {{"dec_conv1a"}}},
          {"dec_conv0", colourResults, {{"dec_conv1b"}}}};
}

std::vector<Convolution> large() {
  return {{"enc_conv1a", 64, {{pictureName}}},
          {"enc_conv1b", 64, {{"enc_conv1a"}}},
          {"enc_conv2a", 96, {{"enc_conv1b", half}}},
          {"enc_conv2b", 96, {{"enc_conv2a"}}},
          {"enc_conv3a", 128, {{"enc_conv2b", half}}},
          {"enc_conv3b", 128, {{"enc_conv3a"}}},
          {"enc_conv4a", 192, {{"enc_conv3b", half}}},
          {"enc_conv4b", 192, {{"enc_conv4a"}}},
          {"enc_conv5a", 256, {{"enc_conv4b", half}}},
          {"enc_conv5b", 256, {{"enc_conv5a"}}},
          {"dec_conv4a", 192, {{"enc_conv5b", twice}, {"enc_conv3b", half}}},
          {"dec_conv4b", 192, {{"dec_conv4a"}}},
          {"dec_conv3a", 128, {{"dec_conv4b", twice}, {"enc_conv2b", half}}},
          {"dec_conv3b", 128, {{"dec_conv3a"}}},
          {"dec_conv2a", 96, {{"dec_conv3b", twice}, {"enc_conv1b", half}}},
          {"dec_conv2b", 96, {{"dec_conv2a"}}},
          {"dec_conv1a", 64, {{"dec_conv2b", twice}, {pictureName}}},
          {"dec_conv1b", 64, {{"dec_conv1a"}}},
          {"dec_conv1c", colourResults, {{"dec_conv1b"}}}};
}

}  // namespace

std::vector<Layer> oidnLayers(OidnNetwork kind, uint32_t inputs) {
  return layersOf(kind == OidnNetwork::large ? large() : smallOrBase(kind == OidnNetwork::small), inputs);
}

}  // namespace lacuna::unet
