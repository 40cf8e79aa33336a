#pragma once
// Sizes that lattice.glsl describes.

#include <cstdint>
#include <string>

#include "cnn-unet/network/network.h"
#include "shared/kernel_node.h"

namespace lacuna::unet {

// Rounded up.
inline uint64_t divided(uint64_t count, uint64_t size) {
  return (count + size - 1) / size;
}
inline uint32_t extended(uint32_t count, uint32_t multiple) {
  return static_cast<uint32_t>(divided(count, multiple)) * multiple;
}

constexpr uint32_t blockChannels = 16;  // multiple to which channels are padded
inline uint32_t blocksOf(uint32_t channels) {
  return extended(channels, blockChannels) / blockChannels;
}

constexpr uint32_t partsAcross = 4;  // of a picture, and below each other
constexpr uint64_t fragmentValues = 256;

// How kernels hold values, in cells of 16 bytes. A group has an invocation for each of a fragment's.
struct Cells {
  bool areFloats = false;

  uint32_t perPixel() const { return areFloats ? 4 : 2; }  // of 16 channels
  uint32_t perFragment() const { return 16 * perPixel(); }
  const char* format() const { return areFloats ? "f32" : "f16"; }
};

// A layer of a network on pictures of one size.
struct Lattice {
  Size picture;  // pixels; zeros beyond them
  Size part;     // fragments
  uint32_t blocks = 1;

  uint64_t fragments() const { return uint64_t{part.width} * part.height; }
  // Of the part with the ring around it.
  uint64_t values() const {
    return blocks * (part.height + uint64_t{2}) * (part.width + uint64_t{2}) * fragmentValues;
  }
  Lattice pooled() const;
};

// The module's parameter `layers`.
enum class LayerKind { fused, simple };

// Sizes are extended to multiples of it.
uint32_t multipleOf(const Network& network);
// In the network's pixels. `red`: its place in a mosaic's pattern, where cells begin.
Size networkSize(const Network& network, Size image, Size red);
// `image`: the size of the network's input.
Lattice latticeOf(const Network& network, Size image, int layer);
bool isPooled(const Network& network, int layer);  // for another layer

// Workgroups in rows, since a device allows 65535 along a side.
struct Workgroups {
  uint64_t columns = 1, rows = 1;
};
Workgroups workgroupsFor(uint64_t count);

// Keys of an array of a tile's numbers, and of a kernel with this many groups of invocations in a workgroup.
std::string tileText(const char* format, uint64_t count);
std::string kernelText(Cells cells, uint32_t groups, uint64_t rows, uint64_t columns);  // of workgroups

// Integers of a shader. With matrices they are constants. In plain arithmetic they come from an array, so
// that layers and sizes share shaders: on CPUs these take longer to compile than a picture to compute.
class Numbers {
 public:
  void add(const std::string& name, uint64_t value) { all_.emplace_back(name, static_cast<int32_t>(value)); }
  // Reads the node's input `numbers`.
  std::string text() const;
  // In the order of add(), up to a multiple of 4.
  std::vector<int32_t> values() const;

 private:
  std::vector<std::pair<std::string, int32_t>> all_;
};

// What lattice.glsl needs.
Numbers latticeNumbers(const Lattice& lattice);

}  // namespace lacuna::unet
