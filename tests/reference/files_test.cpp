// The pixel nodes of sources and sinks against their definitions, through small files. f32: 1e-4 relative;
// f16: one step of half; integer codes: the nearest one, or either of two if the value is within 0.01 (8 bit)
// or 0.05 (16 bit, where float's own error is that much of a step) of their middle.

#include "tests/reference/files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

namespace lacuna::test {
namespace {

class FilesReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Folder folder_;
  Extent extent_ = extentOfCase(GetParam(), random_);
  bool srgb_ = GetParam() % 2 == 0;

  const char* encoding() const { return srgb_ ? "srgb" : "linear"; }

  Image readThrough(const std::string& module, const std::string& path, const std::string& parameters,
                    const std::string& output = "output") const {
    MemoryGraph graph;
    graph.text = fmt::format("{0}:01:{1} o-memory:out\nparam:{0}:01:filename:\"{2}\"\n{3}", module, output,
                             path, parameters);
    return runFiles(graph).at("out");
  }

  void writeThrough(const std::string& module, const std::string& path, const Image& image,
                    const std::string& parameters) const {
    MemoryGraph graph;
    graph.sources["in"] = image;
    graph.text = fmt::format("i-memory:in {0}\nparam:{0}:01:filename:\"{1}\"\n{2}", module, path, parameters);
    runFiles(graph);
  }

  // The values of integer codes; alpha has no curve. Encoded colour is straight.
  Picture decoded(const Image& codes, Format format) const {
    Picture picture = pictureOf(codes);
    for (size_t i = 0; i < picture.values.size(); ++i) {
      picture.values[i] =
          srgb_ && i % 4 != 3 ? srgbToLinear(picture.values[i]) * picture.values[i | 3U] : picture.values[i];
    }
    roundTo(picture, format);
    return picture;
  }

  double encoded(double v) const {
    const double unit = std::clamp(v, 0.0, 1.0);
    return srgb_ ? linearToSrgb(unit) : unit;
  }
};

// With three components the unused fourth one is 0, as in readers; albedo is within [0, 1].
void prepareThree(Image& image) {
  const bool isUnit = image.type.channels == Channels::rgb;
  for (uint32_t i = 0; i < image.type.extent.width * image.type.extent.height; ++i) {
    const uint32_t x = i % image.type.extent.width, y = i / image.type.extent.width;
    image.set(x, y, 3, 0.0);
    for (int c = 0; c < 3 && isUnit; ++c)
      image.set(x, y, c, std::clamp(image.at(x, y, c), 0.0, 1.0));
  }
}

void expectCodes(const Image& file, const Picture& values) {
  const double most = file.type.format == Format::u8 ? 255.0 : 65535.0;
  const Deviation d = deviation(file, values, [](int, int, int, double) { return 1.0; });
  EXPECT_LE(d.worst * most, most > 255.0 ? 0.55 : 0.51) << "codes, " << d.where;
}

TEST_P(FilesReference, ReadPng) {
  const Format format = GetParam() < 2 ? Format::u8 : Format::u16;
  const Format precision = GetParam() % 2 == 0 ? Format::f32 : Format::f16;
  const Image codes = randomCodes(random_, format, extent_, false);
  writeFile("png", folder_.file("a.png"), {{"output", codes}});
  const Image device = readThrough(
      "i-png", folder_.file("a.png"),
      fmt::format("param:i-png:01:encoding:{}\nparam:i-png:01:precision:{}\n", encoding(), name(precision)));
  expectAgrees(device, decoded(codes, precision));
}

TEST_P(FilesReference, ReadJpeg) {
  const Format precision = GetParam() % 2 == 0 ? Format::f16 : Format::f32;
  writeFile("jpg", folder_.file("a.jpg"), {{"output", randomCodes(random_, Format::u8, extent_, true)}});
  const Image device = readThrough(
      "i-jpg", folder_.file("a.jpg"),
      fmt::format("param:i-jpg:01:encoding:{}\nparam:i-jpg:01:precision:{}\n", encoding(), name(precision)));
  // The codec's loss comes before the module: the reference starts at what the file decodes to.
  expectAgrees(device, decoded(readFile("jpg", folder_.file("a.jpg")), precision));
}

TEST_P(FilesReference, WritePng) {
  const bool wide = GetParam() >= 2;
  Image image = randomImage(random_, Channels::rgba, Format::f32, extent_, false);
  image.set(0, 0, 3, 0.0);
  writeThrough(
      "o-png", folder_.file("a.png"), image,
      fmt::format("param:o-png:01:encoding:{}\nparam:o-png:01:bits:{}\n", encoding(), wide ? 16 : 8));
  const Image file = readFile("png", folder_.file("a.png"));
  ASSERT_EQ(file.type.format, wide ? Format::u16 : Format::u8);
  const Picture given = pictureOf(image);
  Picture reference = given;
  for (size_t i = 0; i < reference.values.size(); ++i) {
    double& v = reference.values[i];
    const double alpha = given.values[i | 3U];
    v = i % 4 == 3 ? std::clamp(v, 0.0, 1.0) : encoded(srgb_ && alpha > 0.0 ? v / alpha : v);
  }
  expectCodes(file, reference);
}

TEST_P(FilesReference, WriteJpeg) {
  const Image image = randomImage(random_, Channels::rgba, Format::f16, extent_, false);
  writeThrough("o-jpg", folder_.file("a.jpg"), image,
               fmt::format("param:o-jpg:01:encoding:{}\nparam:o-jpg:01:quality:100\n", encoding()));
  Picture reference = pictureOf(image);
  for (size_t i = 0; i < reference.values.size(); ++i)
    reference.values[i] = i % 4 == 3 ? 1.0 : encoded(reference.values[i]);
  // JPEG itself, at its best quality, rounds colour to integers of YCbCr and frequencies to integers: for
  // noise, errors have a standard deviation below one code in red and green, and of one code in blue.
  const Deviation d = deviation(readFile("jpg", folder_.file("a.jpg")), reference,
                                [](int, int, int, double) { return 3.0 / 255.0; });
  EXPECT_LE(d.worst, 2.5) << d.where;
  EXPECT_LE(static_cast<double>(d.beyond), 0.005 * static_cast<double>(d.count) + 1.0) << d.where;
}

TEST_P(FilesReference, ReadExr) {
  const Format format = srgb_ ? Format::f32 : Format::f16;
  std::map<std::string, Image> planes;
  planes["output"] = randomImage(random_, Channels::rgba, format, extent_, false);
  planes["albedo"] = randomImage(random_, Channels::rgb, format, extent_, false);
  planes["albedo"].type.colour = ColourTag::data;
  planes["motion"] = randomImage(random_, Channels::mv, Format::f32, extent_, false);
  writeFile("exr", folder_.file("a.exr"), planes);
  const double scale[2] = {uniform(random_, -20.0, 20.0), uniform(random_, -20.0, 20.0)};
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-exr o-memory:output\ni-exr:01:albedo o-memory:albedo\ni-exr:01:motion o-memory:motion\n"
      "param:i-exr:01:filename:\"{}\"\nparam:i-exr:01:motion_scale:{:.9f}:{:.9f}\n",
      folder_.file("a.exr"), scale[0], scale[1]);
  const auto device = runFiles(graph);
  Picture colour = pictureOf(planes.at("output"));
  Picture albedo = pictureOf(planes.at("albedo"));
  for (double& v : albedo.values)
    v = std::clamp(v, 0.0, 1.0);
  Picture motion = pictureOf(planes.at("motion"));
  for (size_t i = 0; i < motion.values.size(); ++i)
    motion.values[i] *= scale[i % 2];
  roundTo(colour, format);
  roundTo(albedo, format);
  expectAgrees(device.at("output"), colour);
  expectAgrees(device.at("albedo"), albedo);
  expectAgrees(device.at("motion"), motion);
}

TEST_P(FilesReference, WriteExr) {
  const Format format = srgb_ ? Format::f32 : Format::f16;
  const Image image = randomImage(random_, Channels::rgba, Format::f32, extent_, false);
  writeThrough("o-exr", folder_.file("a.exr"), image,
               fmt::format("param:o-exr:01:precision:{}\n", name(format)));
  Picture reference = pictureOf(image);
  roundTo(reference, format);
  const Image file = readFile("exr", folder_.file("a.exr"));
  ASSERT_EQ(file.type.format, format);
  expectAgrees(file, reference);
}

// Every plane that a file can have, unchanged.
TEST_P(FilesReference, EverythingFromExrToExr) {
  const Format format = GetParam() % 2 == 0 ? Format::f16 : Format::f32;
  const std::vector<std::pair<const char*, Channels>> planes = {
      {"output", Channels::rgba},   {"direct", Channels::rgba},   {"indirect", Channels::rgba},
      {"albedo", Channels::rgb},    {"normal", Channels::normal}, {"depth", Channels::depth},
      {"gradient", Channels::any2}, {"motion", Channels::mv},     {"moments", Channels::any2},
      {"id", Channels::y},          {"histogram", Channels::y}};
  std::map<std::string, Image> before;
  std::string text = fmt::format(
      "module:i-exr:01\nmodule:o-exr:01\nparam:i-exr:01:filename:\"{}\"\n"
      "param:o-exr:01:filename:\"{}\"\nparam:o-exr:01:precision:{}\n",
      folder_.file("a.exr"), folder_.file("b.exr"), name(format));
  for (const auto& [plane, channels] : planes) {
    const bool isSingle =
        plane == std::string("depth") || plane == std::string("motion") || plane == std::string("moments");
    Image image = randomImage(random_, channels, isSingle ? Format::f32 : format, extent_, false);
    for (uint32_t i = 0; channels == Channels::rgba && i < extent_.width * extent_.height; ++i)
      image.set(i % extent_.width, i / extent_.width, 3, 1.0);
    if (componentCount(channels) == 3)
      prepareThree(image);
    if (channels == Channels::y) {
      const bool isId = plane == std::string("id");
      image.type = {Channels::y, isId ? Format::u32 : Format::f32, ColourTag::data, extent_, 0};
      if (!isId) {
        image.type.extent = {};
        image.type.arrayCount = extent_.width * extent_.height * static_cast<uint32_t>(pick(random_, 1, 9));
      }
      image.words.resize(byteSize(image.type) / 4);
      for (uint32_t& word : image.words) {
        const auto bits = static_cast<uint32_t>(random_());
        word = isId ? bits : std::bit_cast<uint32_t>(static_cast<float>(bits) / 1e6F);
      }
    }
    before[plane] = std::move(image);
    text += fmt::format("i-exr:01:{} {}=o-exr\n", plane, plane == std::string("output") ? "input" : plane);
  }
  writeFile("exr", folder_.file("a.exr"), before);
  MemoryGraph graph;
  graph.text = text;
  runFiles(graph);
  for (const auto& [plane, image] : before) {
    const Image after = readFile("exr", folder_.file("b.exr"), plane);
    EXPECT_EQ(after.type.format, image.type.format) << plane;
    ASSERT_EQ(after.words.size(), image.words.size()) << plane;
    EXPECT_EQ(after.words, image.words) << plane << ", " << extent_.width << "x" << extent_.height;
  }
}

// Numbers of 32 bits by way of both kinds of file that hold them.
TEST_P(FilesReference, IdsThroughNpyAndExr) {
  Image ids = makeImage(Channels::y, Format::u32, extent_, ColourTag::data);
  for (uint32_t& word : ids.words)
    word = static_cast<uint32_t>(random_());
  MemoryGraph writing;
  writing.sources["in"] = ids;
  writing.sources["colour"] = randomImage(random_, Channels::rgba, Format::f16, extent_, false);
  writing.text = fmt::format(
      "i-memory:in o-npy\ni-memory:in id=o-exr\ni-memory:colour o-exr\n"
      "param:o-npy:01:filename:\"{}\"\nparam:o-exr:01:filename:\"{}\"\n",
      folder_.file("a.npy"), folder_.file("a.exr"));
  runFiles(writing);
  for (const auto& [module, file, output] :
       {std::tuple("i-npy", "a.npy", "output"), std::tuple("i-exr", "a.exr", "id")}) {
    const Image back = readThrough(module, folder_.file(file), "", output);
    EXPECT_EQ(back.type.format, Format::u32) << module;
    EXPECT_EQ(back.type.extent, extent_) << module;
    EXPECT_EQ(back.words, ids.words) << module;
  }
}

// Every kind of alpha: none beside light, so little that a quotient would exceed half's range, full.
TEST_P(FilesReference, AlphaSurvivesFromExrToExr) {
  const Format format = srgb_ ? Format::f32 : Format::f16;
  Image image = randomImage(random_, Channels::rgba, format, extent_, false);
  for (int y = 0; y < static_cast<int>(extent_.height); ++y) {
    for (int x = 0; x < static_cast<int>(extent_.width); ++x) {
      const double alphas[] = {0.0, 1.0, 0x1p-20, uniform(random_, 0.001, 1.0)};
      image.set(x, y, 3, alphas[pick(random_, 0, 3)]);
    }
  }
  writeFile("exr", folder_.file("a.exr"), {{"output", image}});
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-exr o-exr\nparam:i-exr:01:filename:\"{}\"\nparam:o-exr:01:filename:\"{}\"\n"
      "param:o-exr:01:precision:{}\n",
      folder_.file("a.exr"), folder_.file("b.exr"), name(format));
  runFiles(graph);
  EXPECT_EQ(readFile("exr", folder_.file("b.exr")).words, image.words);
}

// Codes come back unchanged; encoded ones become black where alpha is 0.
TEST_P(FilesReference, PngComesBackBitForBit) {
  const bool wide = GetParam() >= 2;
  Image codes = randomCodes(random_, wide ? Format::u16 : Format::u8, extent_, false);
  codes.words[wide ? 1 : 0] &= wide ? 0x0000ffffU : 0x00ffffffU;  // the first pixel's alpha
  writeFile("png", folder_.file("a.png"), {{"output", codes}});
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-png o-png\nparam:i-png:01:filename:\"{0}\"\nparam:o-png:01:filename:\"{1}\"\n"
      "param:i-png:01:precision:f32\nparam:i-png:01:encoding:{2}\nparam:o-png:01:encoding:{2}\n"
      "param:o-png:01:bits:{3}\n",
      folder_.file("a.png"), folder_.file("b.png"), encoding(), wide ? 16 : 8);
  runFiles(graph);
  const Image after = readFile("png", folder_.file("b.png"));
  for (uint32_t i = 0; i < extent_.width * extent_.height; ++i) {
    const uint32_t x = i % extent_.width, y = i / extent_.width;
    const bool isBlack = srgb_ && codes.at(x, y, 3) == 0.0;
    for (int c = 0; c < 4; ++c)
      ASSERT_EQ(after.at(x, y, c), isBlack ? 0.0 : codes.at(x, y, c)) << x << ", " << y << ", " << c;
  }
}

std::vector<std::byte> bytesOf(const std::string& path, const std::string& plane) {
  const ValueType type = probeImage("npy", path, {plane}).at(plane);
  std::vector<std::byte> bytes(byteSize(type));
  readImage("npy", path, plane, type, bytes);
  return bytes;
}

TEST_P(FilesReference, NpyComesBackBitForBit) {
  const Image image = randomImage(random_, GetParam() < 2 ? Channels::rgb : Channels::y,
                                  srgb_ ? Format::f32 : Format::f16, extent_, false);
  for (const bool asArray : {false, true}) {
    writeFile("npy", folder_.file("a.npy"), {{"input", image}});
    MemoryGraph graph;
    graph.text =
        fmt::format("i-npy:01:{} {}=o-npy\nparam:i-npy:01:filename:\"{}\"\nparam:o-npy:01:filename:\"{}\"\n",
                    asArray ? "array" : "output", asArray ? "array" : "input", folder_.file("a.npy"),
                    folder_.file("b.npy"));
    runFiles(graph);
    const std::string plane = asArray ? "array" : "output";
    EXPECT_EQ(bytesOf(folder_.file("b.npy"), plane), bytesOf(folder_.file("a.npy"), plane));
    EXPECT_EQ(probeImage("npy", folder_.file("b.npy"), {"array"}),
              probeImage("npy", folder_.file("a.npy"), {"array"}));
  }
}

// Every bit pattern of one number a pixel, NaNs too, as (height, width).
TEST_P(FilesReference, NpyKeepsBits) {
  for (const Format format : {Format::f16, Format::f32}) {
    Image image = makeImage(Channels::y, format, extent_, ColourTag::data);
    for (uint32_t& word : image.words)
      word = static_cast<uint32_t>(random_()) & (format == Format::f16 ? 0xffffU : ~0U);
    writeFile("npy", folder_.file("a.npy"), {{"input", image}});
    MemoryGraph graph;
    graph.text = fmt::format("i-npy o-npy\nparam:i-npy:01:filename:\"{}\"\nparam:o-npy:01:filename:\"{}\"\n",
                             folder_.file("a.npy"), folder_.file("b.npy"));
    runFiles(graph);
    EXPECT_EQ(readFile("npy", folder_.file("b.npy")).words, image.words);
    const ValueType array = probeImage("npy", folder_.file("b.npy"), {"array"}).at("array");
    EXPECT_EQ(sizesOf(array), (std::vector<uint32_t>{extent_.height, extent_.width}));
    EXPECT_EQ(array.format, format);
  }
}

TEST_P(FilesReference, PfmThere) {
  const Image image = randomImage(random_, Channels::rgba, Format::f32, extent_, false);
  writeThrough("o-pfm", folder_.file("a.pfm"), image, "");
  Picture reference = pictureOf(image);
  for (size_t i = 3; i < reference.values.size(); i += 4)
    reference.values[i] = 1.0;
  expectAgrees(readThrough("i-pfm", folder_.file("a.pfm"), ""), reference);
}

INSTANTIATE_TEST_SUITE_P(Random, FilesReference, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
