// Inputs that are refused by name, before anything is allocated, and without files left in the folder.

#include <fmt/format.h>
#include <unistd.h>

#include <zlib.h>

#include "graph/files/output_file.h"
#include "tests/io/support.h"

namespace lacuna::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// While it lives, a process of root's has the rights of `nobody`, since root may write everywhere.
class NotRoot {
 public:
  NotRoot() {
    if (isRoot_ && setresuid(65534, 65534, 0) != 0)
      ADD_FAILURE() << "setresuid: " << std::strerror(errno);
  }
  ~NotRoot() {
    if (isRoot_ && setresuid(0, 0, 0) != 0)
      ADD_FAILURE() << "setresuid: " << std::strerror(errno);
  }
  NotRoot(const NotRoot&) = delete;
  NotRoot& operator=(const NotRoot&) = delete;

 private:
  const bool isRoot_ = geteuid() == 0;
};

TEST(Refusal, MissingEmptyAndFolders) {
  Folder folder;
  for (const char* codec : {"png", "jpg", "pfm", "exr"}) {
    EXPECT_TRUE(has(probeError(codec, folder.file("gone")), "No such file")) << codec;
    EXPECT_TRUE(has(probeError(codec, folder.path()), "this is a folder")) << codec;
    spill(folder.file("empty"), "");
    EXPECT_TRUE(has(probeError(codec, folder.file("empty")), "is empty")) << codec;
  }
}

TEST(Refusal, RandomMislabelledFilesAreCalledByTheirNames) {
  Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {3, 2}};
  const auto pixels = randomPixels(type);
  writeImage("jpg", folder.file("a.png"), {{"pixels", type, pixels}});
  EXPECT_TRUE(has(probeError("png", folder.file("a.png")), "expected PNG, but this is a JPEG file"));
  writeImage("png", folder.file("a.exr"), {{"pixels", type, pixels}});
  EXPECT_TRUE(has(probeError("exr", folder.file("a.exr")), "expected OpenEXR, but this is a PNG file"));
  spill(folder.file("a.pfm"), std::string("II*\0rest", 8));
  EXPECT_TRUE(has(probeError("pfm", folder.file("a.pfm")), "this is a TIFF"));
  spill(folder.file("b.pfm"), "hello, world");
  EXPECT_TRUE(has(probeError("pfm", folder.file("b.pfm")), "not those of a known image file"));
  EXPECT_EQ(codecOfFile(folder.file("a.png")), "jpg");
  EXPECT_EQ(codecOfFile(folder.file("a.pfm")), "tif");
  spill(folder.file("a.pfm"), "GIF89a");
  EXPECT_TRUE(has(errorOf([&] { codecOfFile(folder.file("a.pfm")); }), "this is a GIF file"));
}

TEST(Refusal, SizesBeyondTheLimits) {
  Folder folder;
  const auto pfm = [&](const std::string& size) {
    spill(folder.file("a.pfm"), "PF\n" + size + "\n-1.0\nxxxxxxxxxxxxxxxxxxxxxxxx");
    return probeError("pfm", folder.file("a.pfm"));
  };
  EXPECT_TRUE(has(pfm("0 5"), "no pixels (0 x 5)"));
  EXPECT_TRUE(has(pfm("65536 1"), "65536 x 1 pixels, but a side may have 65535 at most"));
  EXPECT_TRUE(has(pfm("65535 65535"), "an image may have 2147483648 at most"));
  EXPECT_TRUE(has(pfm("99999999999999999999 1"), "the width"));
  EXPECT_TRUE(has(pfm("-3 1"), "the width"));
  EXPECT_TRUE(has(pfm("100 100"), "need 120016 bytes, but it has"));
  EXPECT_EQ(pfm("2 1"), "");
}

TEST(Refusal, RandomHeadersThatPromiseMoreThanTheFileCouldHold) {
  Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {3, 2}};
  const auto pixels = randomPixels(type);
  writeImage("jpg", folder.file("a.jpg"), {{"pixels", type, pixels}});
  std::string bytes = slurp(folder.file("a.jpg"));
  const size_t frame = bytes.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  bytes.replace(frame + 5, 4, "\x7f\xff\xff\x00", 4);
  spill(folder.file("a.jpg"), bytes);
  EXPECT_TRUE(has(probeError("jpg", folder.file("a.jpg")), "too short for 65280 x 32767 pixels"));
}

// Deflate expands a byte to at most 1032.
TEST(Refusal, RandomPngFilesThatAreTooShortForTheirPixels) {
  Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {3, 2}};
  writeImage("png", folder.file("a.png"), {{"pixels", type, randomPixels(type)}});
  std::string bytes = slurp(folder.file("a.png"));
  constexpr size_t header = 12;  // its name, which the checksum includes
  bytes.replace(header + 4, 8, std::string("\0\0\x1f\x40\0\0\x1f\x40", 8));
  const auto checksum = static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(&bytes[header]), 17));
  for (size_t i = 0; i < 4; ++i)
    bytes[header + 17 + i] = static_cast<char>(checksum >> (24 - 8 * i));
  spill(folder.file("a.png"), bytes);
  EXPECT_TRUE(has(probeError("png", folder.file("a.png")), "too short for 8000 x 8000 pixels"))
      << probeError("png", folder.file("a.png"));
}

TEST(Refusal, RandomWritersNameWhatTheyCannotTake) {
  Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec2020, {3, 2}};
  const auto pixels = randomPixels(type);
  const auto error = [&](const std::string& codec, const ValueType& as, WriteOptions options = {}) {
    return errorOf([&] { writeImage(codec, folder.file("out"), {{"x", as, pixels}}, options); });
  };
  EXPECT_TRUE(has(error("jpg", {Channels::rgba, Format::u16, ColourTag::rec709, {3, 1}}), "u16"));
  EXPECT_TRUE(has(error("exr", type), "OpenEXR"));
  EXPECT_TRUE(has(error("pfm", type), "u8"));
  EXPECT_TRUE(has(error("png", {Channels::rgba, Format::f16, ColourTag::data, {3, 1}}), "f16"));
  EXPECT_TRUE(
      has(error("jpg", {Channels::rgba, Format::u8, ColourTag::rec709, {3, 2}}, {.quality = 0}), "1..100"));
  EXPECT_TRUE(has(error("png", type, {.compression = 10}), "compression 10 is not within 0..9"));
  EXPECT_TRUE(has(error("png", {Channels::rgba, Format::u8, ColourTag::data, {30, 2}}), "24 bytes"));
  EXPECT_TRUE(has(error("gif", type), "no codec 'gif'"));
  EXPECT_TRUE(folder.isEmpty());
}

TEST(Refusal, UnwritablePlaces) {
  Folder folder;
  EXPECT_FALSE(unwritable(folder.file("a.png")));
  EXPECT_FALSE(unwritable(folder.file("made/then/a.png")));
  EXPECT_TRUE(has(*unwritable(folder.path()), "is a folder"));
  EXPECT_TRUE(has(*unwritable(folder.path() + "/"), "expected the name of a file"));
  spill(folder.file("plain"), "x");
  EXPECT_TRUE(has(*unwritable(folder.file("plain/a.png")), "is not a folder"));
  EXPECT_TRUE(has(*unwritable("/dev/null"), "not a regular file"));
  EXPECT_FALSE(unwritable(folder.file("plain")));
  EXPECT_TRUE(has(*unwritable(folder.file("plain"), FileKind::profile), "holds text"));
  spill(folder.file("a.jpg"), "\x89PNG\r\n\x1a\n");
  EXPECT_TRUE(has(*unwritable(folder.file("a.jpg")), "holds a PNG image, so it is not replaced by a JPEG"));
  fs::permissions(folder.file("plain"), fs::perms::owner_read);
  EXPECT_TRUE(has(*unwritable(folder.file("plain")), "read-only"));
  fs::permissions(folder.path(), fs::perms(0555));
  {
    const NotRoot user;
    EXPECT_TRUE(has(unwritable(folder.file("a.png")).value_or("writable"), "no permission"));
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(FramePath, TakesFrameNumbersAndNothingElse) {
  EXPECT_EQ(framePath("shot_%04d.exr", 7), "shot_0007.exr");
  EXPECT_EQ(framePath("shot_%04d.exr", 123456), "shot_123456.exr");
  EXPECT_EQ(framePath("%d/%02d.png", 3), "3/03.png");
  EXPECT_EQ(framePath("100%%.png", 3), "100%.png");
  EXPECT_EQ(framePath("plain.png", 3), "plain.png");
  EXPECT_EQ(framePath("", 3), "");
  for (const char* bad : {"%s.png", "%4d.png", "a%", "a%0", "a%04", "a%04x", "%-4d", "%0d", "%ld"})
    EXPECT_TRUE(has(errorOf([&] { framePath(bad, 1); }), bad)) << bad;
  EXPECT_TRUE(namesFrames("a%d"));
  EXPECT_FALSE(namesFrames("a%%d"));
  EXPECT_EQ(framePath("shot_####.exr", 7), "shot_0007.exr");
  EXPECT_EQ(framePath("##/shot_###.exr", 7), "07/shot_007.exr");
  EXPECT_FALSE(namesFrames("take#1.png")) << "one # is one";
  EXPECT_TRUE(has(errorOf([] { framePath("a##########", 1); }), "'##########' is not allowed"));
  for (const char* name : {"a##.png", "100%.png", "%04d", "##%%##%d", "#", "plain.png", ""}) {
    EXPECT_EQ(framePath(patternOf(name), 7), name);
    EXPECT_FALSE(namesFrames(patternOf(name))) << name;
  }
  EXPECT_EQ(framePath("%#%#_##.png", 7), "##_07.png");
  EXPECT_EQ(framePath("%04d_%d_####", -2), "-002_-2_-002") << "as printf()";
  EXPECT_EQ(framePath("%.4d", -2) + framePath("%.4d", 2), "-00020002");
}

TEST(FramePath, FindsNegativeNumbers) {
  const Folder folder;
  for (const char* name :
       {"p.-002.x", "p.-001.x", "p.0000.x", "p.0001.x", "p.-0001.x", "q_-0002.x", "q_-1000.x", "q_0003.x",
        "d-2.x", "d0.x", "d1.x", "s-0001.x", "s-0002.x", "s0005.x", "n-3.x", "-07.x", "07.x"})
    spill(folder.file(name), "");
  const auto found = [&](const char* pattern) {
    const NumberedFiles files = numberedFiles(folder.path(), pattern);
    return fmt::format("{} of {}",
                       fmt::join(std::vector<int>(files.numbers.begin(), files.numbers.end()), " "),
                       files.pattern);
  };
  EXPECT_EQ(found("p.%04d.x"), "-2 -1 0 1 of p.%04d.x") << "p.-0001.x is another one";
  EXPECT_EQ(found("q_####.x"), "-1000 -2 3 of q_%.4d.x");
  EXPECT_EQ(found("d%d.x"), "-2 0 1 of d%d.x");
  EXPECT_EQ(found("s%04d.x"), "5 of s%04d.x") << "s-0001 to s-0002 are frames 1 and 2";
  EXPECT_EQ(found("s-%04d.x"), "1 2 of s-%04d.x");
  EXPECT_EQ(found("n%d.x"), "-3 of n%d.x");
  EXPECT_EQ(found("%02d.x"), "-7 7 of %.2d.x");
}

TEST(FramePath, FindsTheNumbersThere) {
  const Folder folder;
  for (const char* name : {"100%_07.x", "100%_12.x", "100%_5.x", "100%_x.x", "other_07.x"})
    spill(folder.file(name), "");
  EXPECT_EQ(numberedFiles(folder.path(), "100%%_%02d.x").numbers, (std::vector<int>{7, 12}));
  EXPECT_EQ(numberedFiles(folder.path(), "100%%_%d.x").numbers, (std::vector<int>{5, 12}));
  EXPECT_EQ(numberedFiles(folder.path(), "other_##.x").numbers, std::vector<int>{7});
  EXPECT_TRUE(numberedFiles(folder.path(), "gone/%d.x").numbers.empty());
  EXPECT_EQ(numberedFiles(folder.path(), "gone/../other_##.x").numbers, std::vector<int>{7})
      << "as fileBelow() has it";
  EXPECT_EQ(unlisted(folder.path(), "gone/%d.x"), std::nullopt);
  EXPECT_EQ(unlisted(folder.path(), "other_07.x/%d.x"), std::nullopt);
  fs::create_symlink("loop", folder.file("loop"));
  EXPECT_TRUE(has(unlisted(folder.path(), "loop/%d.x").value_or(""), "/loop' can't be listed: "));
  EXPECT_EQ(unlisted(folder.path(), "loop"), std::nullopt) << "one file, no folder of them";
  fs::create_symlink("gone.x", folder.file("other_08.x"));
  fs::create_symlink("other_07.x", folder.file("other_09.x"));
  const NumberedFiles others = numberedFiles(folder.path(), "other_##.x");
  EXPECT_EQ(others.numbers, (std::vector<int>{7, 8, 9}));
  EXPECT_EQ(others.broken, FrameSet{8});
  for (const char* name : {"a/3", "a/4", "a/5"})
    fs::create_directories(folder.file(name));
  spill(folder.file("a/3/in_3.x"), "");
  spill(folder.file("a/5/in_5.x"), "");
  EXPECT_EQ(numberedFiles(folder.path(), "a/%d/in_%d.x").numbers, (std::vector<int>{3, 5}));
}

}  // namespace
}  // namespace lacuna::test
