#pragma once
// A network as a weights file describes it (tools/train/README.md): 3x3 convolutions, each with the layers
// that it reads.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cnn-unet/network/safetensors.h"

namespace lacuna::unet {

// In the order of connectors.
enum class Plane { colour, albedo, normal, depth, accumulated, warped, filtered };
constexpr const char* planeNames[] = {"colour",      "albedo", "normal",  "depth",
                                      "accumulated", "warped", "filtered"};
constexpr uint32_t planeChannels[] = {3, 3, 3, 1, 5, 7, 3};
inline const char* nameOf(Plane plane) {
  return planeNames[static_cast<size_t>(plane)];
}
inline uint32_t channelsOf(Plane plane) {
  return planeChannels[static_cast<size_t>(plane)];
}

// The reading of a layer's output: unchanged; the largest of each 2x2 values; each value repeated 2x2 times.
enum class Scale { same, half, twice };

constexpr int inputLayer = -1;
struct Source {
  int layer = inputLayer;
  Scale scale = Scale::same;
};

// Bits of half floats, in the order of the file.
struct Layer {
  std::string name;
  uint32_t inputs = 0, channels = 0;
  bool relu = false;
  std::vector<Source> sources;
  int halvings = 0;               // its size is the input's, halved this many times
  std::vector<uint16_t> weights;  // (channels, inputs, 3, 3)
  std::vector<uint16_t> biases;
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

struct Network {
  std::string name;
  std::vector<Plane> input;                  // colour is one of them
  std::optional<ExposureSettings> exposure;  // none: 1
  std::optional<double> leastAlbedo;         // colours are divided by the albedo
  double scale = 50.0, maximum = 65504.0;    // of the transfer curve
  std::optional<HistorySettings> history;    // of those that read `accumulated` or `warped`
  std::vector<Mixed> mix;
  std::vector<Layer> layers;  // the last one has colourResults + mix.size() channels, of the input's size

  uint32_t inputChannels() const;
  uint32_t channelsOfLayer(int layer) const {
    return layer == inputLayer ? inputChannels() : layers[static_cast<size_t>(layer)].channels;
  }
  int halvingsOfLayer(int layer) const {
    return layer == inputLayer ? 0 : layers[static_cast<size_t>(layer)].halvings;
  }
  uint32_t reach() const;    // a pixel of the output depends on at most this many to each side
  int mostHalvings() const;  // sizes are extended to multiples of 2 to the power of this
};

// Throws FileError, which lists the mistakes.
Network readNetwork(const std::string& path);
// The same without weights: only the file's header is read.
Network readDescription(const std::string& path);

// Parses the metadata's `lacuna.network`. Messages begin with `place`.
Network parseDescription(const std::string& text, const std::string& place);

}  // namespace lacuna::unet
