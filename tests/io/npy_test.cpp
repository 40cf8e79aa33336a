// NumPy's files: what we write is compared byte for byte with the format's definition, and with NumPy itself
// where it is installed; random round trips, and headers that are wrong on purpose.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "modules/codecs/half_float.h"
#include "modules/codecs/row_file.h"
#include "tests/io/tagged_files.h"
#include "tests/support/python.h"

namespace lacuna::test {
namespace {

std::string npy(const std::string& dictionary, const std::string& numbers, int version = 1) {
  std::string text = std::string("\x93NUMPY", 6) + static_cast<char>(version) + '\0';
  for (size_t byte = 0; byte < (version == 1 ? 2U : 4U); ++byte)
    text += static_cast<char>(dictionary.size() >> (8 * byte) & 0xff);
  return text + dictionary + numbers;
}

std::string numbersOf(const std::vector<std::byte>& pixels, const ValueType& type) {
  const size_t word = type.format == Format::u8                                  ? 1
                      : type.format == Format::u16 || type.format == Format::f16 ? 2
                                                                                 : 4;
  const size_t used = word * static_cast<size_t>(componentCount(type.channels));
  std::string numbers;
  for (size_t at = 0; at < pixels.size(); at += bytesPerPixel(type.channels, type.format))
    numbers.append(reinterpret_cast<const char*>(pixels.data()) + at, used);
  return numbers;
}

// Padding of pixels to words is 0, as readers leave it.
std::vector<std::byte> randomImage(const ValueType& type) {
  std::vector<std::byte> pixels = randomPixels(type);
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  const std::string first =
      numbersOf({pixels.begin(), pixels.begin() + static_cast<ptrdiff_t>(pixelBytes)}, type);
  for (size_t at = 0; at < pixels.size(); at += pixelBytes)
    std::fill(pixels.begin() + static_cast<ptrdiff_t>(at + first.size()),
              pixels.begin() + static_cast<ptrdiff_t>(at + pixelBytes), std::byte{0});
  return pixels;
}

// Of every length that a shape's digits make.
TEST(Npy, HeadersEndAtMultiplesOf64) {
  for (uint64_t height = 1; height < 10'000'000'000; height *= 10) {
    for (uint64_t width = 1; width < 10'000'000'000; width *= 10) {
      const io::NpyHeader header{"<f4", false, {height, width, 3}};
      const std::string text = io::npyPreamble(header);
      EXPECT_EQ(text.size() % 64, 0U);
      EXPECT_EQ(text.back(), '\n');
      EXPECT_EQ(io::parseNpyHeader("a.npy", std::string_view(text).substr(10)).shape, header.shape) << text;
    }
  }
}

TEST(Npy, RandomFilesAreThoseOfTheDefinition) {
  Folder folder;
  const ValueType image{Channels::rgb, Format::f32, ColourTag::data, {2, 3}};
  const auto pixels = randomImage(image);
  writeImage("npy", folder.file("a.npy"), {{"input", image, pixels}});
  const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2, 3), }";
  const std::string header = text + std::string(118 - text.size() - 1, ' ') + '\n';
  EXPECT_EQ(slurp(folder.file("a.npy")), npy(header, numbersOf(pixels, image)));
  const ValueType array{Channels::any1, Format::u32, ColourTag::data, {}, 5};
  const auto words = randomBytes(20);
  writeImage("npy", folder.file("a.npy"), {{"array", array, words}});
  const std::string flat = "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }";
  EXPECT_EQ(slurp(folder.file("a.npy")),
            npy(flat + std::string(118 - flat.size() - 1, ' ') + '\n', numbersOf(words, array)));
}

TEST(Npy, RandomEveryKindOfImageComesBack) {
  Folder folder;
  const std::vector<Channels> numbers = {Channels::y, Channels::mv, Channels::rgb, Channels::rgba};
  for (const Extent extent : {Extent{1, 1}, Extent{1, 70}, Extent{31, 9}})
    for (const Format format : {Format::u8, Format::u16, Format::f16, Format::f32, Format::u32})
      for (const Channels channels :
           format == Format::u32 ? std::vector<Channels>{Channels::any1, Channels::any2, Channels::any4}
                                 : numbers) {
        const ValueType type{channels, format, ColourTag::data, extent};
        const auto pixels = randomImage(type);
        writeImage("npy", folder.file("a.npy"), {{"input", type, pixels}});
        EXPECT_EQ(print(probeImage("npy", folder.file("a.npy"), {}).at("output")), print(type));
        EXPECT_EQ(readPlane("npy", folder.file("a.npy"), "output"), pixels) << print(type);
      }
}

TEST(Npy, RandomArraysAreTheNumbersOfAnyShape) {
  Folder folder;
  spill(folder.file("a.npy"), npy("{'shape':(2,2),'fortran_order':False,'descr':'|u1'}", "\1\2\3\xff", 2));
  const ValueType type = probeImage("npy", folder.file("a.npy"), {"array"}).at("array");
  EXPECT_EQ(print(type), "array of (2, 2) y f32");
  EXPECT_EQ(asFloats(readPlane("npy", folder.file("a.npy"), "array")), (std::vector<float>{1, 2, 3, 255}));
  spill(folder.file("a.npy"), npy("{\"descr\": \"<f2\", \"fortran_order\": True, \"shape\": (2,)}\n",
                                  std::string("\x00\x3c\x00\xc0", 4), 3));
  EXPECT_EQ(print(probeImage("npy", folder.file("a.npy"), {"array"}).at("array")), "array of 2 y f16");
  EXPECT_EQ(readPlane("npy", folder.file("a.npy"), "array"),
            (std::vector<std::byte>{std::byte{0}, std::byte{0x3c}, std::byte{0}, std::byte{0xc0}}));
  const ValueType words{Channels::any1, Format::u32, ColourTag::data, {}, 40000};
  const auto many = randomBytes(160000);
  writeImage("npy", folder.file("a.npy"), {{"array", words, many}});
  EXPECT_EQ(probeImage("npy", folder.file("a.npy"), {"array"}).at("array"), words);
  EXPECT_EQ(readPlane("npy", folder.file("a.npy"), "array"), many);
}

// Every bit pattern, NaNs too; more than are read at once.
TEST(Npy, RandomArraysKeepShapeAndElements) {
  Folder folder;
  const std::vector<std::vector<uint32_t>> shapes = {{1},        {5},       {1, 1},      {17, 1},
                                                     {127, 509}, {2, 3, 7}, {3, 1, 5, 2}};
  for (const std::vector<uint32_t>& shape : shapes)
    for (const Format format : {Format::f16, Format::f32, Format::u32}) {
      ValueType type{format == Format::u32 ? Channels::any1 : Channels::y, format, ColourTag::data, {}};
      setSizes(type, shape);
      const auto bytes = randomBytes(byteSize(type));
      writeImage("npy", folder.file("a.npy"), {{"array", type, bytes}});
      const std::string written = slurp(folder.file("a.npy"));
      const std::string sizes =
          fmt::format("'shape': ({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
      EXPECT_NE(written.find(sizes), std::string::npos) << sizes;
      EXPECT_EQ(written.size(), 128 + bytes.size());
      EXPECT_EQ(probeImage("npy", folder.file("a.npy"), {"array"}).at("array"), type) << print(type);
      EXPECT_EQ(readPlane("npy", folder.file("a.npy"), "array"), bytes) << print(type);
    }
}

TEST(Npy, RandomPlanesHaveThreeSides) {
  Folder folder;
  const ValueType planes{Channels::y, Format::f32, ColourTag::data, {7, 3}, 2 * 21};
  const auto pixels = randomPixels(planes);
  writeImage("npy", folder.file("a.npy"), {{"array", planes, pixels}});
  const std::string written = slurp(folder.file("a.npy"));
  EXPECT_NE(written.find("'shape': (2, 3, 7), "), std::string::npos);
  EXPECT_EQ(readPlane("npy", folder.file("a.npy"), "array"), pixels);
}

TEST(Npy, RandomChannelsAndColourAreTheReaders) {
  Folder folder;
  const ValueType type{Channels::rgb, Format::f16, ColourTag::data, {4, 2}};
  writeImage("npy", folder.file("a.npy"), {{"input", type, randomPixels(type)}});
  ReadOptions options;
  options.channels = Channels::normal;
  EXPECT_EQ(probeImage("npy", folder.file("a.npy"), {}, options).at("output").channels, Channels::normal);
  options.channels = Channels::rgb;
  options.colour = ColourTag::rec2020;
  EXPECT_EQ(probeImage("npy", folder.file("a.npy"), {}, options).at("output").colour, ColourTag::rec2020);
  options.channels = Channels::depth;
  EXPECT_EQ(errorOf([&] { probeImage("npy", folder.file("a.npy"), {}, options); }),
            folder.file("a.npy") + ": its shape is (2, 4, 3), but depth has 1");
}

// As filters take them; written back with as many components.
TEST(Npy, RandomGreyAndThreeComponentsAreReadAsColour) {
  Folder folder;
  const std::string from = folder.file("a.npy"), to = folder.file("b.npy");
  for (const Format format : {Format::f16, Format::f32})
    for (const Channels channels : {Channels::y, Channels::rgb}) {
      const ValueType type{channels, format, ColourTag::data, {5, 3}};
      const auto numbers = randomImage(type);
      writeImage("npy", from, {{"input", type, numbers}});
      const ReadOptions options{.channels = Channels::rgba};
      auto [colour, pixels, warnings] = deliver("npy", from, options);
      EXPECT_EQ(colour.channels, Channels::rgba);
      const size_t last = bytesPerPixel(Channels::rgba, format) * 14;
      for (size_t c = 0; c < 4; ++c) {
        const size_t own = channels == Channels::y ? 0 : c;
        const size_t step = bytesPerPixel(channels, format);
        EXPECT_EQ(io::componentAt(pixels.data() + last, c, format),
                  c == 3 ? 1.0F : io::componentAt(numbers.data() + 14 * step, own, format));
      }
      writeImage("npy", to, {{"input", colour, pixels}}, {.origin = Origin{from}});
      EXPECT_EQ(slurp(to), slurp(from));
      const std::array<uint16_t, 4> redHalves{0x3c00, 0, 0, 0x3c00};
      const std::array<float, 4> red{1, 0, 0, 1};
      std::memcpy(pixels.data() + last,
                  format == Format::f16 ? static_cast<const void*>(redHalves.data()) : red.data(),
                  bytesPerPixel(Channels::rgba, format));
      writeImage("npy", to, {{"input", colour, pixels}}, {.origin = Origin{from}});
      EXPECT_EQ(probeImage("npy", to, {}).begin()->second.channels,
                channels == Channels::y ? Channels::rgba : Channels::rgb)
          << "one pixel is red";
      std::memset(pixels.data() + last, 0, bytesPerPixel(Channels::rgba, format));
      writeImage("npy", to, {{"input", colour, pixels}}, {.origin = Origin{from}});
      EXPECT_EQ(probeImage("npy", to, {}).begin()->second.channels, Channels::rgba) << "alpha is 0";
    }
}

TEST(Npy, WhatIsRefusedIsNamed) {
  Folder folder;
  const std::string path = folder.file("a.npy");
  const auto error = [&](const std::string& dictionary, const std::string& numbers = std::string(16, 'x'),
                         const char* plane = "output") {
    spill(path, npy(dictionary, numbers));
    const std::string text = probeError("npy", path, plane);
    EXPECT_EQ(text.find(path + ": "), 0U) << text;
    return text.substr(std::min(text.size(), path.size() + 2));
  };
  const auto of = [](const std::string& type, const std::string& shape, const char* fortran = "False") {
    return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", type, fortran, shape);
  };
  EXPECT_EQ(error(of("'>f4'", "(2, 2)")),
            "its numbers are big-endian (>f4); expected |u1, <u2, <u4, <f2 or <f4");
  EXPECT_EQ(error(of("'<f8'", "(2, 2)")),
            "its numbers are <f8; expected |u1, <u2, <u4, <f2 or <f4, as of astype(\"<f4\")");
  EXPECT_NE(error(of("[('a', '<f4')]", "(2, 2)")).find("not a structure at character 11"), std::string::npos);
  EXPECT_NE(error(of("'<f4'", "(2, 2)", "True")).find("Fortran order"), std::string::npos);
  EXPECT_NE(error(of("'<f4'", "(4,)")).find("its shape is (4,); expected that of an image"),
            std::string::npos);
  EXPECT_NE(error(of("'<f4'", "()"), "1234").find("its shape is ()"), std::string::npos);
  EXPECT_NE(error(of("'|u1'", "(1, 2, 8)")).find("its shape is (1, 2, 8)"), std::string::npos);
  EXPECT_NE(error(of("'<f4'", "(2, 0)")).find("has no numbers"), std::string::npos);
  EXPECT_NE(error(of("'<f4'", "(99999999999, 99999999999)")).find("more numbers than"), std::string::npos);
  EXPECT_NE(error(of("'<f4'", "(999999999999999999999, 2)")).find("expected a length"), std::string::npos);
  EXPECT_EQ(error(of("'<f4'", "(2, 3)")), "damaged .npy file: (2, 3) of <f4 take 24 bytes, but it has 16");
  EXPECT_EQ(error(of("'<f4'", "(3,)"), std::string(16, 'x'), "array"),
            "damaged .npy file: (3,) of <f4 take 12 bytes, but it has 16");
  EXPECT_EQ(error(of("'<f4'", "(1, 2, 1, 2, 1)"), std::string(16, 'x'), "array"),
            "its shape is (1, 2, 1, 2, 1), of 5 sizes, but an array has 4 at most");
  EXPECT_EQ(error(of("'<f2'", "(3, 0)"), "", "array"), "its shape (3, 0) has no numbers");
  EXPECT_NE(error("{'descr': '<f4', 'descr': '<f4'}").find("not 'descr' at character 25"), std::string::npos);
  EXPECT_NE(error("{'descr': '<f4', 'shape': (2, 2)}").find("expected the key 'fortran_order'"),
            std::string::npos);
  EXPECT_NE(error("{'descr': '<f4', 'shape': (-2, 2)}").find("expected a length at character 28"),
            std::string::npos);
  spill(path, npy("{}", "", 4));
  EXPECT_NE(probeError("npy", path).find("version 4.0"), std::string::npos);
}

TEST(Npy, RandomDamagedHeadersAreErrorsOrFiles) {
  Folder folder;
  const ValueType type{Channels::rgba, Format::f16, ColourTag::data, {5, 3}};
  writeImage("npy", folder.file("a.npy"), {{"input", type, randomPixels(type)}});
  const std::string whole = slurp(folder.file("a.npy"));
  for (size_t length = 0; length < whole.size(); ++length) {
    spill(folder.file("bad"), whole.substr(0, length));
    EXPECT_NE(probeError("npy", folder.file("bad")), "") << length;
  }
  const std::string alphabet = "{}()[]'\",: 0123456789TFalserudcptn_o<>|\\\n\xff";
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = whole;
    for (unsigned changes = 1 + testRandom()() % 3; changes > 0; --changes)
      bad[testRandom()() % 80] = alphabet[testRandom()() % alphabet.size()];
    spill(folder.file("bad"), bad);
    const std::string error = errorOf([&] {
      const ValueType found = probeImage("npy", folder.file("bad"), {}).at("output");
      std::vector<std::byte> pixels(byteSize(found));
      readImage("npy", folder.file("bad"), "output", found, pixels);
    });
    refused += error.empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 1500);
  EXPECT_LT(refused, 3000);  // a change within the padding, which stays blank
}

TEST(Npy, RandomNumpyReadsWhatWeWriteAndTheOtherWayRound) {
  if (!pythonRuns("import numpy"))
    GTEST_SKIP() << "python3-numpy is not installed";
  Folder folder;
  const ValueType type{Channels::rgb, Format::f32, ColourTag::data, {7, 5}};
  const auto pixels = randomImage(type);
  writeImage("npy", folder.file("a.npy"), {{"input", type, pixels}});
  const std::string code = fmt::format(
      "import numpy as n; a = n.load(\"{0}\"); assert a.shape == (5, 7, 3) and a.dtype == n.float32; "
      "n.save(\"{1}\", a[::-1, :, ::-1]); n.save(\"{2}\", a.astype(\"u2\", casting=\"unsafe\")); "
      "n.save(\"{3}\", n.asfortranarray(a)); n.save(\"{4}\", n.arange(6, dtype=n.uint8))",
      folder.file("a.npy"), folder.file("turned.npy"), folder.file("short.npy"), folder.file("fortran.npy"),
      folder.file("count.npy"));
  ASSERT_TRUE(pythonRuns(code)) << code;
  const auto before = asFloats(pixels),
             after = asFloats(readPlane("npy", folder.file("turned.npy"), "output"));
  for (size_t y = 0; y < 5; ++y)
    for (size_t x = 0; x < 7; ++x)
      for (size_t c = 0; c < 3; ++c)
        EXPECT_EQ(after[(y * 7 + x) * 4 + c], before[((4 - y) * 7 + x) * 4 + 2 - c]);
  EXPECT_EQ(probeImage("npy", folder.file("short.npy"), {}).at("output").format, Format::u16);
  EXPECT_NE(probeError("npy", folder.file("fortran.npy")).find("Fortran"), std::string::npos);
  EXPECT_EQ(asFloats(readPlane("npy", folder.file("count.npy"), "array")),
            (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace lacuna::test
