#include "cnn-unet/packed_weights.h"

#include <Imath/half.h>

#include <algorithm>

#include "cnn-unet/lattice.h"

namespace lacuna::unet {
namespace {

// The taps of three along a side that a tap of an upsampled layer sums: 0, or 1 and 2, for an even position;
// 0 and 1, or 2, for an odd one.
struct Range {
  size_t begin, end;
};
Range rangeOf(size_t parity, size_t tap) {
  if (parity == 0)
    return tap == 0 ? Range{0, 1} : Range{1, 3};
  return tap == 0 ? Range{0, 2} : Range{2, 3};
}

bool isSummed(const Source& source, Padding padding) {
  return padding.hasSums && source.scale == Scale::twice;
}

// Tiles of a block of a source.
uint32_t tapsOf(const Source& source, Padding padding) {
  return isSummed(source, padding) ? 16 : 9;
}

class Tiles {
 public:
  Tiles(const Network& network, const Layer& layer, Padding padding, std::vector<float>& packed)
      : network_(network),
        layer_(layer),
        padding_(padding),
        packed_(packed),
        begin_(packed.size()),
        inputTiles_(inputTiles(network, layer, padding)) {
    const uint64_t tiles = uint64_t{blocksOf(layer.channels)} * inputTiles_;
    packed.resize(begin_ + tiles * tileValues);
  }

  void fill() {
    size_t input = 0;  // of all sources together
    size_t tile = 0;
    for (const Source& source : layer_.sources) {
      const uint32_t channels = network_.channelsOfLayer(source.layer);
      const uint32_t taps = tapsOf(source, padding_);
      for (uint32_t c = 0; c < channels; ++c, ++input)
        for (uint32_t tap = 0; tap < taps; ++tap)
          for (size_t o = 0; o < layer_.channels; ++o)
            set(tile + c / blockChannels * taps + tap, c % blockChannels, o,
                isSummed(source, padding_) ? summed(o, input, tap) : weight(o, input, tap % 3, tap / 3));
      tile += sourceTiles(network_, source, padding_);
    }
  }

 private:
  double weight(size_t output, size_t input, size_t row, size_t column) const {
    return layer_.weights[((output * layer_.inputs + input) * 3 + row) * 3 + column];
  }

  // Tap [column's parity][column][row's parity][row].
  double summed(size_t output, size_t input, size_t tap) const {
    const Range columns = rangeOf(tap / 8, tap / 4 % 2);
    const Range rows = rangeOf(tap / 2 % 2, tap % 2);
    double sum = 0;
    for (size_t row = rows.begin; row < rows.end; ++row)
      for (size_t column = columns.begin; column < columns.end; ++column)
        sum += weight(output, input, row, column);
    return sum;
  }

  void set(size_t tile, size_t input, size_t output, double value) {
    const size_t at = output / blockChannels * inputTiles_ + tile;
    const size_t inside = (input / 2 * blockChannels + output % blockChannels) * 2 + input % 2;
    packed_[begin_ + at * tileValues + inside] = static_cast<float>(value);
  }

  const Network& network_;
  const Layer& layer_;
  Padding padding_;
  std::vector<float>& packed_;
  size_t begin_;
  size_t inputTiles_;  // of a block of outputs
};

}  // namespace

uint32_t sourceTiles(const Network& network, const Source& source, Padding padding) {
  return extended(blocksOf(network.channelsOfLayer(source.layer)), padding.split) * tapsOf(source, padding);
}

uint32_t inputTiles(const Network& network, const Layer& layer, Padding padding) {
  uint32_t tiles = 0;
  for (const Source& source : layer.sources)
    tiles += sourceTiles(network, source, padding);
  return tiles;
}

void appendWeights(const Network& network, const Layer& layer, Padding padding, std::vector<float>& packed) {
  Tiles(network, layer, padding, packed).fill();
}

void appendBiases(const Layer& layer, std::vector<float>& packed) {
  const size_t begin = packed.size();
  packed.resize(begin + size_t{blocksOf(layer.channels)} * blockChannels);
  std::ranges::copy(layer.biases, packed.begin() + static_cast<std::ptrdiff_t>(begin));
}

std::vector<uint16_t> halvesOf(const std::vector<float>& values) {
  std::vector<uint16_t> halves(values.size());
  std::ranges::transform(values, halves.begin(), imath_float_to_half);
  return halves;
}

bool isInPairs(const Network& network, size_t layer, LayerKind kind) {
  const bool pools = isPooled(network, static_cast<int>(layer));
  const bool isUpsampled = kind == LayerKind::fused &&
                           std::ranges::any_of(network.layers[layer].sources, [](const Source& source) {
                             return source.scale == Scale::twice;
                           });
  return pools || isUpsampled;
}

// The fastest on an H200 for pictures of 512x512 to 1920x1080 pixels; more and smaller tasks for small
// layers.
Cut cutOf(const Network& network, size_t layer, const Lattice& lattice, LayerKind kind) {
  const bool inPairs = isInPairs(network, layer, kind);
  if (kind == LayerKind::simple)
    return {.rows = inPairs ? 2U : 1U, .hasSums = false};
  const uint64_t tasks = lattice.fragments() * lattice.blocks;
  Cut cut;
  cut.hasSums = kind == LayerKind::fused;
  cut.wide = lattice.blocks == 2 ? 2 : 1;
  cut.rows = tasks >= 16384 && cut.wide == 1 ? 4 : tasks >= 1024 || inPairs ? 2 : 1;
  cut.split = tasks >= 4096 ? 1 : tasks >= 1024 ? 2 : 4;
  cut.groups = std::max(4U, 2 * cut.split);  // two columns of a workgroup are pooled
  return cutWithin(cut, lattice);
}

Cut cutWithin(Cut cut, const Lattice& lattice) {
  while (cut.rows > lattice.part.height)
    cut.rows /= 2;
  return cut;
}

uint64_t tasksOf(const Cut& cut, const Lattice& lattice, uint32_t columns) {
  return divided(uint64_t{divided(lattice.part.height, cut.rows)} * lattice.part.width, columns);
}

}  // namespace lacuna::unet
