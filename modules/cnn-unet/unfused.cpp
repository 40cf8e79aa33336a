#include "cnn-unet/unfused.h"

#include "cnn-unet/layer_nodes.h"

namespace lacuna::unet {
namespace {

// With the ring, which copies also have.
uint64_t allFragments(const Lattice& lattice) {
  return lattice.values() / fragmentValues;
}
uint64_t innerFragments(const Lattice& lattice) {
  return lattice.fragments() * lattice.blocks;
}

std::string copyText(const std::string& body) {
  return "#include \"lattice.glsl\"\nuvec4 heldAt(int block, int row, int column) {\n" + body +
         "}\n#include \"copy.glsl\"\n";
}

}  // namespace

Read UnfusedPasses::add(const Pass& pass) {
  constexpr uint32_t groups = 8;
  const Workgroups workgroups = workgroupsFor(divided(pass.fragments, groups));
  const std::string shader = pass.name + "_of.glsl";
  Numbers numbers = latticeNumbers(pass.lattice);
  numbers.add("blocks", pass.lattice.blocks);
  addPlaces(numbers, pass.reads, Cells());
  builder_.shader(shader,
                  arithmeticText(call_) + numbers.text() + placesText(pass.reads, Cells()) + pass.shader);
  KernelNode node{.name = pass.name,
                  .shader = shader,
                  .inputs = inputsFor(pass.reads),
                  .outputs = {{"output", tileText(Cells().format(), pass.lattice.values())}},
                  .kernel = kernelText(Cells(), groups, workgroups.rows, workgroups.columns),
                  .footprint = "local"};
  if (pass.hasBias)
    node.inputs.emplace_back("bias", "upload.biases");
  connectNumbers(numbers, builder_, node);
  text_ += textOf(node);
  return {pass.name + ".output", pass.lattice};
}

Read UnfusedPasses::upsampled(size_t layer, size_t source, const Read& read) {
  Lattice lattice = latticeOf(network_, size_, static_cast<int>(layer));
  lattice.blocks = read.lattice.blocks;
  return add({.name = fmt::format("layer{}_upsampled{}", layer, source),
              .lattice = lattice,
              .fragments = allFragments(lattice),
              .reads = {read},
              .shader = copyText(
                  "  return quads_source0.data[place0(block, row >> 1, column >> 1) + laneOf()];\n")});
}

Read UnfusedPasses::gather(size_t layer, uint32_t split) {
  std::vector<Read> reads;
  for (const Source& source : network_.layers[layer].sources) {
    const Read read = readOf(network_, source, size_, LayerKind::unfused);
    reads.push_back(read.isUpsampled ? upsampled(layer, reads.size(), read) : read);
  }
  if (reads.size() == 1)
    return reads.front();
  std::string body;
  uint32_t first = 0;
  for (size_t i = 0; i < reads.size(); ++i) {
    const uint32_t blocks = reads[i].lattice.blocks;
    body += fmt::format(
        "  if (block >= {1} && block < {2}) {{ return quads_source{0}.data[place{0}(block - {1}, row, "
        "column) + laneOf()]; }}\n",
        i, first, first + blocks);
    first += extended(blocks, split);
  }
  const Lattice lattice = joinedLattice(network_, size_, static_cast<int>(layer), split);
  return add({.name = fmt::format("layer{}_joined", layer),
              .lattice = lattice,
              .fragments = allFragments(lattice),
              .reads = std::move(reads),
              .shader = copyText(body + "  return uvec4(0u);\n")});
}

void UnfusedPasses::finish(size_t layer, uint64_t firstBias) {
  const Lattice lattice = latticeOf(network_, size_, static_cast<int>(layer));
  const Read made = add({.name = fmt::format("layer{}", layer),
                         .lattice = lattice,
                         .fragments = innerFragments(lattice),
                         .reads = {{fmt::format("layer{}_sums.output", layer), lattice}},
                         .shader = fmt::format("const int firstBias = {};\nconst bool isRelu = {};\n"
                                               "#include \"bias.glsl\"\n",
                                               firstBias, network_.layers[layer].relu),
                         .hasBias = true});
  if (isPooled(network_, static_cast<int>(layer)))
    add({.name = fmt::format("layer{}_pooled", layer),
         .lattice = lattice.pooled(),
         .fragments = innerFragments(lattice.pooled()),
         .reads = {made},
         .shader = "#include \"pool.glsl\"\n"});
}

}  // namespace lacuna::unet
