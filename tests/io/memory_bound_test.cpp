// Pictures beyond the memory bound for files are refused before anything is allocated.

#include <fmt/format.h>

#include "graph/files/memory_bound.h"
#include "graph/pictures/compare.h"
#include "modules/codecs/image_file.h"
#include "tests/io/tagged_files.h"
#include "tests/support/environment.h"

namespace lacuna::test {
namespace {

constexpr Extent large{640, 512};

const std::string beyond =
    " MiB of memory, but at most 1 MiB are allowed (LACUNA_READ_MEMORY); "
    "LACUNA_READ_MEMORY=MIB sets another bound";

// A file of each codec, more than a MiB in memory.
TEST(MemoryBound, HoldsForEveryCodec) {
  const Folder folder;
  const std::pair<const char*, Format> codecs[] = {{"png", Format::u8},  {"jpg", Format::u8},
                                                   {"pnm", Format::u8},  {"pfm", Format::f32},
                                                   {"exr", Format::f32}, {"npy", Format::f32}};
  for (const auto& [codec, format] : codecs) {
    SCOPED_TRACE(codec);
    const ValueType type{Channels::rgba, format, ColourTag::rec709, large};
    const std::vector<std::byte> grey(byteSize(type), std::byte{0x3f});
    const std::string path = folder.file(codec);
    writeImage(codec, path, {{"input", type, grey}});
    EXPECT_EQ(probeError(codec, path), "");
    const Environment small("LACUNA_READ_MEMORY", "1");
    const std::string error = probeError(codec, path);
    EXPECT_TRUE(error.starts_with(path + ": takes ")) << error;
    EXPECT_TRUE(error.ends_with(beyond)) << error;
  }
}

// Interlaced files are decoded whole before their colours are converted; the others in strips.
TEST(MemoryBound, CountsWhatTheDecoderNeeds) {
  const Folder folder;
  const Picture picture{{Channels::rgba, Format::u8, ColourTag::rec709, {220, 260}},
                        std::vector<std::byte>(size_t{4} * 220 * 260, std::byte{0x3f})};
  const Tags tags{.profile = rgbProfile({0.31, 0.33, 0.68, 0.32, 0.26, 0.69, 0.15, 0.06}, 1.9)};
  writeTaggedPng(folder.file("strips.png"), picture, tags);
  writeTaggedPng(folder.file("whole.png"), picture, tags, true);
  const Environment small("LACUNA_READ_MEMORY", "1");
  EXPECT_EQ(probeError("png", folder.file("strips.png")), "");
  EXPECT_EQ(probeError("png", folder.file("whole.png")), folder.file("whole.png") + ": takes 2" + beyond);
}

// Comparing needs several times what the files take.
TEST(MemoryBound, HoldsForComparisons) {
  const Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {200, 100}};
  writeImage("png", folder.file("a.png"), {{"input", type, std::vector<std::byte>(byteSize(type))}});
  const Environment small("LACUNA_READ_MEMORY", "1");
  const ColourImage image = loadColour(folder.file("a.png"));
  EXPECT_EQ(errorOf([&] { compare(image, image); }), "comparing 200 x 100 pixels: takes 2" + beyond);
  const ValueType wide{Channels::rgba, Format::u8, ColourTag::rec709, {400, 200}};
  writeImage("png", folder.file("b.png"), {{"input", wide, std::vector<std::byte>(byteSize(wide))}});
  EXPECT_EQ(probeError("png", folder.file("b.png")), "");
  EXPECT_EQ(errorOf([&] { loadColour(folder.file("b.png")); }), folder.file("b.png") + ": takes 2" + beyond);
}

TEST(MemoryBound, IsHalfTheMachineUnlessToldOtherwise) {
  EXPECT_GT(readMemory(), uint64_t{1} << 26);
  const uint64_t half = readMemory();
  EXPECT_NE(errorOf([&] { checkMemory("a.png", half + 1); }).find("half of this machine's memory"),
            std::string::npos);
  EXPECT_EQ(errorOf([&] { checkMemory("a.png", half); }), "");
  for (const char* wrong : {"", "0", "-1", "1.5", "many", "99999999999999999999"}) {
    const Environment variable("LACUNA_READ_MEMORY", wrong);
    EXPECT_EQ(errorOf([] { readMemory(); }),
              fmt::format("LACUNA_READ_MEMORY is '{}', but must be a number of MiB from 1 on", wrong));
  }
  const Environment variable("LACUNA_READ_MEMORY", "17");
  EXPECT_EQ(readMemory(), uint64_t{17} << 20);
}

}  // namespace
}  // namespace lacuna::test
