#pragma once
// A network as a weights file describes it (tools/train/README.md), or Open Image Denoise's: 3x3
// convolutions, each with the layers that it reads.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cnn-unet/network/tensors.h"

namespace lacuna::unet {

// In the order of connectors. sigma: the noise of each number of `colour` or `mosaic`, for photographs.
enum class Plane { colour, albedo, normal, depth, accumulated, warped, filtered, mosaic, sigma };
constexpr const char* planeNames[] = {"colour", "albedo",   "normal", "depth", "accumulated",
                                      "warped", "filtered", "mosaic", "sigma"};
inline const char* nameOf(Plane plane) {
  return planeNames[static_cast<size_t>(plane)];
}

// The reading of a layer's output: unchanged; the largest of each 2x2 values; each value repeated 2x2 times.
enum class Scale { same, half, twice };
// Halvings of a reader beyond those of what it reads.
inline int halvingsBy(Scale scale) {
  return scale == Scale::half ? 1 : scale == Scale::twice ? -1 : 0;
}

constexpr int inputLayer = -1;
struct Source {
  int layer = inputLayer;
  Scale scale = Scale::same;
};

struct Layer {
  std::string name;
  uint32_t inputs = 0, channels = 0;
  bool relu = false;
  std::vector<Source> sources;
  int halvings = 0;            // its size is the input's, halved this many times
  std::vector<float> weights;  // (channels, inputs, 3, 3); halves, but for archives with floats
  std::vector<float> biases;
};

struct ExposureSettings {
  uint32_t block = 16;
  double key = 0.18, least = 1e-8;
};

// How earlier frames are accumulated: svgf's parameters.
struct HistorySettings {
  uint32_t frames = 32;
  double firefly = 2.0, depthTolerance = 0.1, normalTolerance = 0.8, cutShare = 0.7;
};

// What the output is mixed with: the last frame's output, unchanged or relit, and the planes `filtered` and
// `colour`.
enum class Mixed { warped, relit, filtered, colour };
constexpr uint32_t colourResults = 3;  // channels of the last layer; behind them one for each Mixed

// From light to the network's numbers. log: of weights files. The others are Open Image Denoise's: perceptual
// (its PU), for light without a bound; srgb, for values from 0 to 1; signedUnit, for normals. photograph: of
// weights files with the plane `sigma`: sRGB's curve without bounds.
enum class Curve { log, perceptual, srgb, signedUnit, photograph };

// For which pictures an archive of Open Image Denoise is; albedo and normal: it filters guides.
enum class Transfer { byName, hdr, ldr, albedo, normal };
constexpr const char* transferNames[] = {"name", "hdr", "ldr", "albedo", "normal"};
inline Transfer transferNamed(std::string_view word) {  // one of them
  return static_cast<Transfer>(std::ranges::find(transferNames, word) - std::begin(transferNames));
}

struct Network {
  std::string name;
  std::vector<Plane> input;                  // colour or mosaic is one of them
  std::optional<ExposureSettings> exposure;  // none: 1
  std::optional<double> leastAlbedo;         // colours are divided by the albedo
  Curve curve = Curve::log;
  double scale = 50.0, maximum = 65504.0;  // of Curve::log
  bool cleanGuides = false;                // that are filtered before
  bool isForGuides = false;                // it filters albedo or normals, not colours
  std::optional<HistorySettings> history;  // of those that read `accumulated` or `warped`
  std::vector<Mixed> mix;
  std::vector<Layer> layers;  // the last one has results() channels, of the input's size

  // Then zeros are beyond the picture in place of its reflection, normals go from 0 to 1, and exposures
  // follow from parts of equal size.
  bool isOidn() const { return curve != Curve::log && curve != Curve::photograph; }
  bool isOfMosaic() const { return std::ranges::count(input, Plane::mosaic) > 0; }
  bool isOfPhotographs() const { return std::ranges::count(input, Plane::sigma) > 0; }
  // Those of photographs see cells of 2x2 pixels as one.
  uint32_t cellSide() const { return isOfPhotographs() ? 2 : 1; }
  uint32_t results() const {
    return colourResults * cellSide() * cellSide() + static_cast<uint32_t>(mix.size());
  }
  uint32_t channelsOf(Plane plane) const;
  uint32_t inputChannels() const;
  uint32_t channelsOfLayer(int layer) const {
    return layer == inputLayer ? inputChannels() : layers[static_cast<size_t>(layer)].channels;
  }
  int halvingsOfLayer(int layer) const {
    return layer == inputLayer ? 0 : layers[static_cast<size_t>(layer)].halvings;
  }
  uint32_t reach() const;    // a pixel of the last layer depends on at most this many to each side
  int mostHalvings() const;  // sizes are extended to multiples of 2 to the power of this
};

// A .safetensors file of tools/train, or an archive of Open Image Denoise (archive.h), to which alone
// `transfer` applies. Throws FileError, which lists the mistakes.
Network readNetwork(const std::string& path, Transfer transfer = Transfer::byName);
// The same without weights: only the file's header is read.
Network readDescription(const std::string& path, Transfer transfer = Transfer::byName);

// Parses the metadata's `lacuna.network`. Messages begin with `place`.
Network parseDescription(const std::string& text, const std::string& place);

}  // namespace lacuna::unet
