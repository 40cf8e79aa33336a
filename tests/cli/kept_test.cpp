// What output files keep of the input files' metadata, from the command line.

#include <fmt/format.h>
#include <zlib.h>

#include "modules/codecs/codec.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class KeptFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  // A PNG file of random pixels, opaque.
  void writePng(const std::string& name, Format format) const {
    const ValueType type{Channels::rgba, format, ColourTag::rec709, {23, 14}};
    std::mt19937_64 random = namedRandom(name);
    std::vector<std::byte> pixels = randomBytes(byteSize(type), random);
    const size_t word = format == Format::u16 ? 2 : 1;
    for (size_t alpha = 3 * word; alpha < pixels.size(); alpha += 4 * word)
      std::memset(&pixels[alpha], 0xff, word);
    writeImage("png", path(name), {{"output", type, pixels}});
  }

  void addComment(const std::string& name, const std::string& text) const {
    const auto number = [](size_t value) {
      std::string bytes;
      for (const int shift : {24, 16, 8, 0})
        bytes += static_cast<char>(value >> shift & 0xff);
      return bytes;
    };
    std::string file = slurp(path(name));
    const std::string chunk = "tEXtComment" + std::string(1, '\0') + text;
    const size_t sum =
        crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
    file.insert(file.rfind("IDAT") - 4, number(chunk.size() - 4) + chunk + number(sum));
    spill(path(name), file);
  }

  // source:01 -> exposure:01, 0 stops -> sink:01.
  void run(const std::string& source, const std::string& from, const std::string& sink, const std::string& to,
           const std::string& more = {}) const {
    spill(path("graph.cfg"),
          fmt::format("lacuna:1\nmodule:{0}:01\nmodule:exposure:01\nmodule:{2}:01\n"
                      "connect:{0}:01:output:exposure:01:input\nconnect:exposure:01:output:{2}:01:input\n"
                      "param:{0}:01:filename:\"{1}\"\nparam:{2}:01:filename:\"{3}\"\n{4}",
                      source, from, sink, to, more));
    const Outcome outcome = runProgram({"run", path("graph.cfg")}, {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }

  io::StoredKind kind(const std::string& name) const {
    const io::Codec& codec = io::codecOfContent(path(name));
    return codec.kind(path(name), "output", {});
  }

  const Folder folder_;
};

TEST_F(KeptFiles, SixteenBitsComeBackAsTheyWere) {
  writePng("in.png", Format::u16);
  run("i-png", "in.png", "o-png", "out.png");
  EXPECT_EQ(kind("out.png").bits, 16);
  EXPECT_EQ(readPlane("png", path("out.png"), "output"), readPlane("png", path("in.png"), "output"));
  run("i-file", "in.png", "o-file", "any.png");
  EXPECT_EQ(slurp(path("any.png")), slurp(path("out.png")));
  run("i-png", "in.png", "o-png", "small.png", "param:o-png:01:bits:8\n");
  EXPECT_EQ(kind("small.png").bits, 8);
  run("i-png", "in.png", "o-png", "none.png", "param:o-png:01:keep:none\n");
  EXPECT_EQ(kind("none.png").bits, 8);
}

TEST_F(KeptFiles, PrecisionOfOpenExrFilesFollowsTheInput) {
  writePng("in8.png", Format::u8);
  writePng("in16.png", Format::u16);
  run("i-png", "in8.png", "o-exr", "half.exr");
  EXPECT_EQ(kind("half.exr").bits, 16);
  run("i-png", "in16.png", "o-exr", "float.exr");
  EXPECT_EQ(kind("float.exr").bits, 32);
  run("i-exr", "float.exr", "o-exr", "again.exr");
  EXPECT_EQ(kind("again.exr").bits, 32);
  EXPECT_EQ(readPlane("exr", path("again.exr"), "output"), readPlane("exr", path("float.exr"), "output"));
  run("i-exr", "float.exr", "o-exr", "asked.exr", "param:o-exr:01:precision:f16\n");
  EXPECT_EQ(kind("asked.exr").bits, 16);
}

TEST_F(KeptFiles, ValuesThatPassThroughKeepTheirTag) {
  writePng("in.png", Format::u8);
  const std::string raw = "param:i-png:01:encoding:linear\nparam:i-png:01:precision:u8\n";
  run("i-png", "in.png", "o-png", "out.png", raw + "param:o-png:01:encoding:linear\n");
  const io::Metadata tag = io::codecOfWord("png")->metadata(path("out.png"));
  EXPECT_TRUE(tag.colour.profile.empty());  // the profile had gamma 1.0
  ASSERT_EQ(tag.colourChunks.size(), 1U);
  EXPECT_EQ(tag.colourChunks[0].name, "sRGB");
  EXPECT_EQ(readPlane("png", path("out.png"), "output"), readPlane("png", path("in.png"), "output"));
  // Decoded values are tagged as linear.
  run("i-png", "in.png", "o-png", "linear.png", "param:o-png:01:encoding:linear\n");
  EXPECT_EQ(io::codecOfWord("png")->metadata(path("linear.png")).colour.profile,
            io::profileFor(ColourTag::rec709, true));
}

TEST_F(KeptFiles, EachFrameKeepsItsOwn) {
  for (const char* number : {"0", "1"}) {
    const std::string name = std::string("in_") + number + ".png";
    writePng(name, Format::u8);
    addComment(name, std::string("frame ") + number);
  }
  run("i-png", "in_%d.png", "o-jpg", "out_%d.jpg", "frames:2\n");
  for (const char* number : {"0", "1"})
    EXPECT_EQ(io::codecOfWord("jpg")->metadata(path(std::string("out_") + number + ".jpg")).comments,
              std::vector<std::string>{std::string("frame ") + number});
}

TEST_F(KeptFiles, LayersOfARenderGoThrough) {
  const std::string render = LACUNA_TEST_FOLDER "/../examples/inputs/render.exr";
  run("i-exr", render, "o-exr", "out.exr");
  for (const char* plane : {"albedo", "normal", "depth"})
    EXPECT_EQ(readPlane("exr", path("out.exr"), plane), readPlane("exr", render, plane)) << plane;
}

}  // namespace
}  // namespace lacuna::test
