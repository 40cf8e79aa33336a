#include "cnn-unet/lattice.h"

#include <algorithm>

namespace lacuna::unet {
bool isPooled(const Network& network, int layer) {
  return std::ranges::any_of(network.layers, [&](const Layer& reader) {
    return std::ranges::any_of(reader.sources, [&](const Source& source) {
      return source.layer == layer && source.scale == Scale::half;
    });
  });
}

Lattice Lattice::pooled() const {
  return {{picture.width / 2, picture.height / 2}, {part.width / 2, part.height / 2}, blocks};
}

Size networkSize(const Network& network, Size image, Size red) {
  const uint32_t side = network.cellSide();
  return {static_cast<uint32_t>(divided(image.width + red.width, side)),
          static_cast<uint32_t>(divided(image.height + red.height, side))};
}

uint32_t multipleOf(const Network& network) {
  return 1U << static_cast<uint32_t>(network.mostHalvings());
}

Lattice latticeOf(const Network& network, Size image, int layer) {
  const uint32_t multiple = multipleOf(network);
  const auto halvings = static_cast<uint32_t>(network.halvingsOfLayer(layer));
  Lattice lattice;
  lattice.picture = {extended(image.width, multiple) >> halvings,
                     extended(image.height, multiple) >> halvings};
  const uint32_t whole = partsAcross * multiple;
  lattice.part = {(extended(image.width, whole) / partsAcross) >> halvings,
                  (extended(image.height, whole) / partsAcross) >> halvings};
  lattice.blocks = blocksOf(network.channelsOfLayer(layer));
  return lattice;
}

Workgroups workgroupsFor(uint64_t count) {
  constexpr uint64_t most = 32768;
  const uint64_t rows = divided(count, most);
  return {divided(count, rows), rows};
}

std::string tileText(const char* format, uint64_t count) {
  constexpr uint64_t most = 0xfffffffe;  // such a picture only runs in tiles
  return fmt::format(R"(channels = "y", format = "{}", colour = "data", array = {}, tile = true)", format,
                     std::min(count, most));
}

std::string kernelText(Cells cells, uint32_t groups, uint64_t rows, uint64_t columns) {
  return fmt::format("workgroup = [{}, {}]\nmatrix = true{}", cells.perFragment(), groups,
                     invocationsText(rows * groups, columns * cells.perFragment()));
}

std::string Numbers::text() const {
  std::string constants, read;
  for (size_t i = 0; i < all_.size(); ++i) {
    constants += fmt::format("const int {} = {};\n", all_[i].first, all_[i].second);
    read += fmt::format("int {} = int(quads_numbers.data[{}][{}]);\n", all_[i].first, i / 4, i % 4);
  }
  return "#include \"arithmetic.glsl\"\n#if USES_MATRICES\n" + constants + "#else\n" + read + "#endif\n";
}

std::vector<int32_t> Numbers::values() const {
  std::vector<int32_t> values;
  for (const auto& [name, value] : all_)
    values.push_back(value);
  values.resize(divided(values.size(), 4) * 4);
  return values;
}

Numbers latticeNumbers(const Lattice& lattice) {
  Numbers numbers;
  numbers.add("across", lattice.part.width);
  numbers.add("down", lattice.part.height);
  numbers.add("width", lattice.picture.width);
  numbers.add("height", lattice.picture.height);
  return numbers;
}

}  // namespace lacuna::unet
