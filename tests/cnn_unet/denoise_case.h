#pragma once
// cnn-unet on the device, with weights in files, and how far its pictures are from others.

#include "tests/cnn_unet/reference_unet.h"

namespace lacuna::test {

// Whether the program was built with oneDNN, for arithmetic:host.
#ifdef HAS_ONEDNN
constexpr bool hasHostNetwork = true;
#else
constexpr bool hasHostNetwork = false;
#endif

struct UnetRun {
  std::string weights;  // the file
  RenderPlanes planes;  // by connector
  Format format = Format::f32;
  bool hasAlpha = false;
  std::string arithmetic = "auto";
  std::string layers = "fused";
  std::string transfer = "name";
};

MemoryGraph unetGraph(const UnetRun& of);
Image denoise(const UnetRun& of);
Channelled rounded(const Channelled& plane, Format format);  // as in an image

// Colours over many stops with fireflies, and the network's other planes. isBroken: with some NaN, infinities
// and values below 0.
RenderPlanes randomPlanes(std::mt19937_64& random, const unet::Network& network, Extent extent,
                          bool isBroken);

// Within `bound` of the expected picture (Frobenius), and each value within 20 times its share of that.
void expectDenoised(const Image& made, const Channelled& expected, double bound = 3e-3);

void expectPart(const std::string& text, const std::string& part);

}  // namespace lacuna::test
