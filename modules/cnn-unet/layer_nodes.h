#pragma once
// The kernels of a network's layers as [[node]] text, their shaders and their weights.

#include <string>
#include <vector>

#include "cnn-unet/packed_weights.h"
#include "shared/native.h"

namespace lacuna::unet {

// The beginning of all shaders of a network.
std::string arithmeticText(const native::Call& call);
std::string transferText(const Network& network);
LayerKind layerKind(const native::Call& call);  // the parameter `layers`
Cells cellsOf(const native::Call& call);        // the parameter `arithmetic`

// The inputs of the kernels of a network's layers.
struct Read {
  std::string output;  // "NODE.OUTPUT"
  Lattice lattice;
  bool isUpsampled = false;  // by the reader
};

Read readOf(const Network& network, const Source& source, Size size);

// Inputs `source0`, `source1`, ... of a node, and for their places in its shader: numbers `blocks0`,
// `pitch0`, `rows0`, ..., and the functions `place0`, ...
std::vector<std::pair<std::string, std::string>> inputsFor(const std::vector<Read>& reads);
void addPlaces(Numbers& numbers, const std::vector<Read>& reads, Cells cells);
std::string placesText(const std::vector<Read>& reads, Cells cells);

// Makes them the node's input.
void connectNumbers(const Numbers& numbers, const native::Builder& builder, KernelNode& node);

class LayerNodes {
 public:
  // `size`: that of the whole picture, or of a tile. Both are in the network's pixels.
  LayerNodes(const Network& network, Size whole, Size size, const native::Call& call,
             const native::Builder& builder);

  std::string weights() const;  // packs them
  std::string build() const;    // layers read the nodes `features` and `features_pooled`
  std::string finish() const;   // the connector `output`

 private:
  struct Packed {
    Cut cut;  // for the whole picture
    uint64_t firstTile = 0, firstBias = 0;
  };
  bool isLast(size_t layer) const { return layer + 1 == network_.layers.size(); }
  bool pools(size_t layer) const { return isPooled(network_, static_cast<int>(layer)); }
  Lattice latticeAt(size_t layer) const { return latticeOf(network_, size_, static_cast<int>(layer)); }
  Cut cutAt(size_t layer) const { return cutWithin(packed_[layer].cut, latticeAt(layer)); }
  std::vector<Read> readsOf(size_t layer) const;
  KernelNode node(size_t layer, const std::vector<Read>& reads) const;
  std::string shaderText(size_t layer, const std::vector<Read>& reads, const Cut& cut) const;
  std::string costText(size_t layer, bool inLanes) const;
  std::string variantText(const char* name, const KernelNode& node, const std::string& file,
                          const std::string& keys) const;
  std::string lanesText(size_t layer, const std::vector<Read>& reads, const KernelNode& node) const;
  std::string matricesText(size_t layer, const std::vector<Read>& reads, const KernelNode& node) const;
  std::string variantsText(size_t layer, const std::vector<Read>& reads, const KernelNode& node) const;
  std::string sourcesText(const std::vector<Read>& reads) const;
  Numbers numbers(size_t layer, const std::vector<Read>& reads) const;
  std::string layerText(size_t layer, const std::vector<Read>& reads) const;

  const Network& network_;
  const Size size_;
  const native::Call& call_;
  const native::Builder& builder_;
  const LayerKind kind_;
  const Cells cells_;
  std::vector<Packed> packed_;
};

}  // namespace lacuna::unet
