// Damaged files: an error or a picture, never a crash, and nothing large before the size is known to be sane.

#include <sys/resource.h>

#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

constexpr size_t sane = size_t{64} << 20;  // bytes; a flipped bit may ask for more, and a caller would refuse

struct Sample {
  std::string codec, name;
  ValueType type;
  bool tagged = false;  // with Exif data and the profile of another colour space
};

std::vector<Sample> samples() {
  const Extent extent{23, 9};
  return {{"png", "a8.png", {Channels::rgba, Format::u8, ColourTag::rec709, extent}},
          {"png", "a16.png", {Channels::rgba, Format::u16, ColourTag::rec2020, extent}},
          {"jpg", "a.jpg", {Channels::rgba, Format::u8, ColourTag::rec709, extent}},
          {"pnm", "a.ppm", {Channels::rgba, Format::u8, ColourTag::rec709, extent}},
          {"pnm", "a.pam", {Channels::rgba, Format::u16, ColourTag::rec709, extent}},
          {"pfm", "a.pfm", {Channels::rgba, Format::f32, ColourTag::rec709, extent}},
          {"exr", "a.exr", {Channels::rgba, Format::f16, ColourTag::rec2020, extent}},
          {"tif", "a.tif", {Channels::rgba, Format::u16, ColourTag::rec709, extent}},
          {"tif", "f.tif", {Channels::rgba, Format::f32, ColourTag::rec2020, extent}},
          {"webp", "a.webp", {Channels::rgba, Format::u8, ColourTag::rec709, extent}},
          {"jxl", "a.jxl", {Channels::rgba, Format::u8, ColourTag::rec709, extent}},
          {"avif", "a.avif", {Channels::rgba, Format::u8, ColourTag::rec709, extent}},
          {"hdr", "a.hdr", {Channels::rgba, Format::f32, ColourTag::rec709, extent}},
          {"png", "tagged.png", {Channels::rgba, Format::u8, ColourTag::rec709, extent}, true},
          {"jpg", "tagged.jpg", {Channels::rgba, Format::u8, ColourTag::rec709, extent}, true}};
}

std::string write(const Folder& folder, const Sample& sample) {
  const auto pixels = randomPixels(sample.type);
  const Tags tags{.profile = rgbProfile({0.31, 0.33, 0.68, 0.32, 0.26, 0.69, 0.15, 0.06}, 1.9),
                  .exif = exifData(2, true)};
  if (!sample.tagged)
    writeImage(sample.codec, folder.file(sample.name), {{"input", sample.type, pixels}});
  else if (sample.codec == "png")
    writeTaggedPng(folder.file(sample.name), {sample.type, pixels}, tags);
  else
    writeTaggedJpeg(folder.file(sample.name), {sample.type, pixels}, tags);
  return slurp(folder.file(sample.name));
}

// Probes and, at a sane size, reads. Returns the error or "".
std::string readError(const std::string& codec, const std::string& path) {
  return errorOf([&] {
    const ValueType type = probeImage(codec, path, {"output"}).at("output");
    ASSERT_LE(type.extent.width, maximumSide);
    if (byteSize(type) > sane)
      return;
    std::vector<std::byte> pixels(byteSize(type));
    readImage(codec, path, "output", type, pixels);
  });
}

TEST(Damage, RandomEveryTruncationIsAnError) {
  Folder folder;
  for (const Sample& sample : samples()) {
    const std::string whole = write(folder, sample);
    ASSERT_EQ(readError(sample.codec, folder.file(sample.name)), "");
    for (size_t length = 0; length < whole.size(); ++length) {
      const std::string path = folder.file("cut-" + sample.name);
      spill(path, whole.substr(0, length));
      const std::string error = readError(sample.codec, path);
      EXPECT_NE(error.find(path), std::string::npos)
          << sample.name << " cut to " << length << " of " << whole.size() << " bytes: '" << error << "'";
    }
  }
}

long peakKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(Damage, RandomFlippedBitsNeitherCrashNorAllocateMuch) {
  Folder folder;
  const long before = peakKilobytes();
  int refused = 0, read = 0;
  for (const Sample& sample : samples()) {
    const std::string whole = write(folder, sample);
    for (int round = 0; round < (sample.tagged ? 700 : 1500); ++round) {
      std::string damaged = whole;
      // Headers are at the start, so they get half of the damage.
      const size_t reach =
          round % 2 ? damaged.size() : std::min<size_t>(damaged.size(), sample.tagged ? 900 : 400);
      for (unsigned flips = 1 + testRandom()() % 3; flips > 0; --flips)
        damaged[testRandom()() % reach] ^= static_cast<char>(1U << testRandom()() % 8);
      spill(folder.file("bad"), damaged);
      (readError(sample.codec, folder.file("bad")).empty() ? read : refused) += 1;
    }
  }
  EXPECT_LT(peakKilobytes() - before, 512 * 1024);
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 100);
}

TEST(Damage, RandomFilesThatChangeAfterTheProbeAreErrors) {
  Folder folder;
  for (const Sample& sample : samples()) {
    write(folder, sample);
    ValueType other = probeImage(sample.codec, folder.file(sample.name), {}).at("output");
    other.extent.width += 1;
    std::vector<std::byte> pixels(byteSize(other));
    const std::string error =
        errorOf([&] { readImage(sample.codec, folder.file(sample.name), "output", other, pixels); });
    EXPECT_NE(error.find("24 x 9"), std::string::npos) << error;
    EXPECT_NE(error.find("23 x 9"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace lacuna::test
