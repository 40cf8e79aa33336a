#pragma once
// Vannson 2023, Real time denoising on GPU, tables 1 and 2: each convolution of its network on 1024x1024
// pixels. The study counts a multiply-add as one operation; everything else here counts two.

#include <vector>

#include "tools/bench/unet/counts.h"

namespace lacuna {

constexpr const char* unetStudyTitle = "Vannson 2023, Real time denoising on GPU, tables 1 and 2";
constexpr const char* unetStudyDevice = "GeForce RTX 3070 Ti";
constexpr uint32_t unetStudySide = 1024;  // pixels

struct UnetStudyLayer {
  double ms;
  double printed;  // 1e12 multiply-adds a second, as the tables have it
};
const std::vector<UnetStudyLayer>& unetStudyLayers();
double unetStudyMs();  // of all layers

// Whether these are the convolutions that the tables are of, so that figures may stand side by side.
bool isStudyNetwork(const std::vector<UnetLayerCounts>& layers);
// Layers whose printed figure is not what this network's counts and the table's times give: it is twice that.
std::vector<size_t> unetStudyDoubled(const std::vector<UnetLayerCounts>& layers);

}  // namespace lacuna
