// Files whose pictures pass through memory in rows are equal to those of whole pictures.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "graph/nodes/rewrites.h"
#include "modules/codecs/codec.h"
#include "tests/io/support.h"
#include "tests/support/memory_graph.h"

namespace lacuna::test {
namespace {

// Bytes that are in memory.
size_t resident(std::span<const std::byte> memory) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((memory.size() + page - 1) / page);
  EXPECT_EQ(mincore(const_cast<std::byte*>(memory.data()), memory.size(), pages.data()), 0);
  return page * static_cast<size_t>(std::ranges::count_if(pages, [](unsigned char p) { return p & 1; }));
}

class RandomInRows : public testing::TestWithParam<const char*> {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name + GetParam()); }

  // Through a filter of its neighbourhood.
  MemoryGraph graphTo(const std::string& output, const std::string& modules = "exposure") const {
    MemoryGraph graph;
    graph.modulePath.push_back(testFolder() + "/tiles/modules");
    // o-exr's other planes aren't connected.
    const bool isExr = GetParam() == std::string(".exr");
    graph.text = fmt::format(
        "i-file:in box {0} {3}:out\nparam:i-file:in:filename:\"{1}\"\n"
        "param:{3}:out:filename:\"{2}\"\n{4}",
        modules, file("in"), file(output), isExr ? "o-exr" : "o-file",
        isExr ? "param:o-exr:out:precision:f16\n" : "");
    return graph;
  }

  static Tiles tilesOf(const MemoryGraph& graph, Extent extent) {
    std::string reason;
    const std::optional<Tileable> picture = tileable(cull(load(graph).graph), reason);
    EXPECT_TRUE(picture) << reason;
    return {picture->whole, extent, picture->halo};
  }

  // The largest parts of the input and the output that were in memory between tiles.
  std::pair<size_t, size_t> runFiles(const MemoryGraph& graph, int tiles = -1) const {
    Session session(testDevice(), scheduleOf(graph, "baseline"), graph.modulePath,
                    ShaderCache::defaultFolder());
    std::pair<size_t, size_t> most = {0, 0};
    session.stopWhen([&] {
      for (const Value& value : session.schedule().graph.values) {
        const std::span<const std::byte> up = session.uploadMemory(value.name),
                                         down = session.downloadMemory(value.name);
        most.first = std::max(most.first, up.empty() || !graph.tiles ? 0 : resident(up));
        most.second = std::max(most.second, down.empty() || !graph.tiles ? 0 : resident(down));
      }
      return tiles-- == 0;
    });
    session.run(0);
    return most;
  }

  // Opaque colour; PFM files can be grey.
  void writeInput(Extent extent, Channels channels = Channels::rgba) const {
    const io::Codec& codec = *io::codecOfExtension(GetParam());
    const ValueType type{channels, codec.isEncoded() ? Format::u8 : Format::f32, ColourTag::rec709, extent};
    std::vector<std::byte> pixels = randomPixels(type);
    for (size_t i = 0; i < pixels.size() && codec.isEncoded(); ++i)
      pixels[i] = i % 4 == 3 ? std::byte{255} : pixels[i];
    constexpr float opaque = 1.0F;
    for (size_t i = 12; i < pixels.size() && GetParam() == std::string(".exr"); i += 16)
      std::memcpy(&pixels[i], &opaque, sizeof(opaque));
    writeImage(codec.name, file("in"), {{"output", type, pixels}});
  }

  const Folder folder_;
};

TEST_P(RandomInRows, FilesAreEqual) {
  std::mt19937_64& random = testRandom();
  for (int i = 0; i < 4; ++i) {
    const Extent whole{static_cast<uint32_t>(pick(random, 66, 300)),
                       static_cast<uint32_t>(pick(random, 66, 700))};
    writeInput(whole);
    MemoryGraph graph = graphTo("whole");
    runFiles(graph);
    graph = graphTo("rows");
    graph.tiles = tilesOf(graph, {static_cast<uint32_t>(pick(random, 65, static_cast<int>(whole.width))),
                                  static_cast<uint32_t>(pick(random, 65, static_cast<int>(whole.height)))});
    SCOPED_TRACE(print(*graph.tiles));
    runFiles(graph);
    EXPECT_FALSE(slurp(file("whole")).empty());
    EXPECT_TRUE(slurp(file("whole")) == slurp(file("rows")));
  }
}

TEST_P(RandomInRows, FewRowsAreInMemory) {
  writeInput({128, 3000});
  MemoryGraph graph = graphTo("out");
  graph.tiles = tilesOf(graph, {80, 100});
  const auto [input, output] = runFiles(graph);
  const io::Codec& codec = *io::codecOfExtension(GetParam());
  const size_t rowBytes = size_t{128} * (codec.isEncoded() ? 4 : 16);
  constexpr size_t strip = 256;  // OpenEXR's
  EXPECT_GT(input, 0U);
  EXPECT_LE(input, rowBytes * (100 + 2 * io::stripRows) + 8192);
  EXPECT_GT(output, 0U);
  EXPECT_LE(output, rowBytes * (2 * 100 + strip) + 8192);
}

TEST_P(RandomInRows, NothingIsLeftOfARunThatStops) {
  writeInput({128, 600});
  MemoryGraph graph = graphTo("out");
  graph.tiles = tilesOf(graph, {80, 100});
  for (const int tiles : {0, 1, 7}) {
    runFiles(graph, tiles);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "the input alone";
  }
}

TEST(InRows, ValuesThatAreNotFiniteAreCountedInAllRows) {
  const Folder folder;
  const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, {40, 400}};
  std::vector<float> pixels(size_t{4} * 40 * 400, 1.0F);
  for (const size_t y : {150, 260, 399})
    pixels[4 * (40 * y + 2)] = std::numeric_limits<float>::infinity();
  writeImage("exr", folder.file("in.exr"), {{"output", type, std::as_bytes(std::span(pixels))}});
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-file:in exposure o-file:out\nparam:i-file:in:filename:\"{}\"\n"
      "param:o-file:out:filename:\"{}\"\n",
      folder.file("in.exr"), folder.file("out.exr"));
  graph.tiles = {{40, 400}, {40, 65}, 0};
  Session session(testDevice(), scheduleOf(graph, "baseline"), graph.modulePath,
                  ShaderCache::defaultFolder());
  std::string warnings;
  session.onWarning([&](Severity, const std::string& text) { warnings += text; });
  session.run(0);
  EXPECT_NE(
      warnings.find("out.exr: 3 values are NaN or infinite, the first of 'output' at pixel 2, 150; 3 of the "
                    "values that were read"),
      std::string::npos)
      << warnings;
}

// An opaque or grey file's picture gets transparency and colours far from its top.
TEST_P(RandomInRows, PicturesMayChangeTheirKind) {
  writeInput({128, 600}, GetParam() == std::string(".pfm") ? Channels::y : Channels::rgba);
  MemoryGraph graph = graphTo("whole", "lower");
  runFiles(graph);
  graph = graphTo("rows", "lower");
  graph.tiles = tilesOf(graph, {80, 100});
  runFiles(graph);
  EXPECT_TRUE(slurp(file("whole")) == slurp(file("rows")));
}

INSTANTIATE_TEST_SUITE_P(Formats, RandomInRows, testing::Values(".png", ".jpg", ".exr", ".pfm", ".npy"),
                         [](const auto& format) { return std::string(format.param + 1); });

}  // namespace
}  // namespace lacuna::test
