// Raw photographs: LibRaw unpacks o-dng's files.

#include <fmt/format.h>
#include <sys/stat.h>

#include <bit>
#include <functional>

#include "modules/codecs/exif.h"
#include "modules/codecs/image_info.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/raw.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

const ValueType cameraType{Channels::y, Format::f32, ColourTag::data, {}, io::cameraCount};

struct Mosaic {
  ValueType type;
  std::vector<float> numbers;
  io::CameraValues camera;
};

io::CameraValues someCamera(std::mt19937_64& random) {
  const auto uniform = [&](double from, double to) {
    return static_cast<float>(std::uniform_real_distribution(from, to)(random));
  };
  io::CameraValues camera;
  for (float& black : camera.black)
    black = std::round(uniform(0, 1024) * 4) / 4;
  camera.white = std::round(uniform(4095, 65535));
  camera.balance = {uniform(1, 3), 1, uniform(1, 3)};
  camera.toRec2020 = {1.5, -0.4, -0.1, -0.2, 1.4, -0.2, 0.05, -0.35, 1.3};
  camera.noise = {uniform(0, 0.01), uniform(0, 1e-4)};
  camera.baselineExposure = 0.5F;
  return camera;
}

Mosaic randomMosaic(const std::string& pattern, Extent extent) {
  std::mt19937_64& random = testRandom();
  Mosaic mosaic{
      {Channels::mosaic, Format::f32, ColourTag::data, extent, 0, {}, patternFromName(pattern).value()},
      std::vector<float>(pixelCount(extent)),
      someCamera(random)};
  for (float& number : mosaic.numbers)
    number = static_cast<float>(random() % 65536);
  return mosaic;
}

void write(const std::string& path, const Mosaic& mosaic, const WriteOptions& options = {}) {
  std::array<float, io::cameraCount> numbers{};
  io::store(mosaic.camera, numbers);
  writeImage("dng", path,
             {{"input", mosaic.type, std::as_bytes(std::span(mosaic.numbers))},
              {"camera", cameraType, std::as_bytes(std::span(numbers))}},
             options);
}

io::CameraValues readCamera(const std::string& path, const ReadOptions& options = {}) {
  std::array<float, io::cameraCount> numbers{};
  EXPECT_EQ(probeImage("dng", path, {"camera"}, options).at("camera"), cameraType);
  readImage("dng", path, "camera", cameraType, std::as_writable_bytes(std::span(numbers)), options);
  return io::cameraFrom(numbers);
}

void expectNear(const io::CameraValues& found, const io::CameraValues& wanted) {
  EXPECT_EQ(found.black, wanted.black);
  EXPECT_EQ(found.white, wanted.white);
  for (size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(found.balance.at(c), wanted.balance.at(c), 1e-4);
  // LibRaw has whole rows in float; its matrix of Rec. 709 has 6 digits.
  for (size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(found.toRec2020.at(i), wanted.toRec2020.at(i), 2e-3) << i;
  EXPECT_EQ(found.noise, wanted.noise);
  EXPECT_NEAR(found.baselineExposure, wanted.baselineExposure, 1e-5);
}

TEST(Raw, RandomMosaicsComeBackExactly) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  for (const char* pattern : {"rggb", "grbg", "gbrg", "bggr", "x-trans", "none"}) {
    for (const Extent extent : {Extent{64, 48}, Extent{127, 509}, Extent{35, 23}, Extent{22, 90}}) {
      SCOPED_TRACE(fmt::format("{} {}x{}", pattern, extent.width, extent.height));
      const Mosaic mosaic = randomMosaic(pattern, extent);
      write(path, mosaic);
      ASSERT_EQ(codecOfFile(path), "dng");
      ASSERT_EQ(probeImage("dng", path, {"output"}).at("output"), mosaic.type);
      ASSERT_EQ(asFloats(readPlane("dng", path, "output")), mosaic.numbers);
      io::CameraValues wanted = mosaic.camera;
      if (mosaic.type.pattern == MosaicPattern{}) {
        wanted.balance = {1, 1, 1};
        wanted.toRec2020 = readCamera(path).toRec2020;  // for a sensor without colours: any
      }
      expectNear(readCamera(path), wanted);
    }
  }
}

// Programs that stay ask a header once, but not where the file has been written since, or another one has its
// time.
TEST(Raw, RandomMosaicsAreReadAgainWhereTheyAreOthers) {
  const Folder folder;
  const std::string path = folder.file("a.dng"), other = folder.file("b.dng");
  Mosaic mosaic = randomMosaic("rggb", {64, 48});
  const auto writeNext = [&](const std::string& file) {
    mosaic.camera.white = mosaic.camera.white > 5000 ? 4096 : 65000;
    write(file, mosaic);
  };
  writeNext(path);
  const auto time = fs::last_write_time(path);
  EXPECT_EQ(readCamera(path).white, mosaic.camera.white);
  writeNext(other);
  const std::string bytes = slurp(other);
  ASSERT_EQ(fs::file_size(path), bytes.size());
  std::ofstream(path, std::ios::binary | std::ios::in | std::ios::out) << bytes;
  fs::last_write_time(path, time);
  EXPECT_EQ(readCamera(path).white, mosaic.camera.white) << "written in place, and its time put back";
  writeNext(other);
  struct stat one {
  }, two{};
  for (int i = 0; i < 1000 && (i == 0 || one.st_ctim.tv_nsec != two.st_ctim.tv_nsec); ++i) {
    chmod(path.c_str(), 0600 + i % 2 * 0040);
    chmod(other.c_str(), 0600 + i % 2 * 0040);
    stat(path.c_str(), &one);
    stat(other.c_str(), &two);
  }
  EXPECT_NE(readCamera(path).white, mosaic.camera.white);
  EXPECT_EQ(readCamera(other).white, mosaic.camera.white) << "another file, changed at the same time";
}

// LibRaw wants 22 pixels a side.
TEST(Raw, RandomTinySizesAreReadOrRefused) {
  const Folder folder;
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, Extent{2, 2}, Extent{21, 40}}) {
    const Mosaic mosaic = randomMosaic("rggb", extent);
    const std::string path = folder.file("a.dng");
    write(path, mosaic);
    const std::string mistake = probeError("dng", path);
    EXPECT_TRUE(mistake.empty() || mistake.starts_with(path)) << mistake;
  }
}

// A file that is stored in every orientation: pixels, pattern and levels are those of the upright picture.
TEST(Raw, RandomMosaicsAreTurnedUpright) {
  const Folder folder;
  const std::string photo = folder.file("a.jpg"), path = folder.file("a.dng");
  for (const char* pattern : {"rggb", "gbrg", "x-trans"}) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      SCOPED_TRACE(fmt::format("{} {}", pattern, orientation));
      const Mosaic stored = randomMosaic(pattern, {35, 26});
      writeTaggedJpeg(photo, randomPicture(Format::u8, stored.type.extent),
                      {.exif = exifData(orientation, true)});
      write(path, stored, {.origin = Origin{.path = photo, .read = {.orientation = false}}});
      const ValueType type = probeImage("dng", path, {"output"}).at("output");
      ASSERT_EQ(type.extent, io::turned(stored.type.extent, orientation));
      const std::vector<float> pixels = asFloats(readPlane("dng", path, "output"));
      const io::CameraValues camera = readCamera(path);
      for (uint32_t i = 0; i < pixels.size(); ++i) {
        const PixelPlace at{i % type.extent.width, i / type.extent.width};
        const PixelPlace from = io::storedPlace(stored.type.extent, orientation, at);
        ASSERT_EQ(pixels[i], stored.numbers[size_t{from.y} * stored.type.extent.width + from.x]);
        ASSERT_EQ(letterAt(type.pattern, at), letterAt(stored.type.pattern, from));
        ASSERT_EQ(camera.black.at(at.y % 2 * 2 + at.x % 2),
                  stored.camera.black.at(from.y % 2 * 2 + from.x % 2));
      }
      EXPECT_EQ(probeImage("dng", path, {"output"}, {.orientation = false}).at("output"), stored.type);
    }
  }
}

// From a JPEG file through a DNG file into another JPEG file; the pixels are the mosaic's, upright.
TEST(Raw, RandomExifGoesOn) {
  const Folder folder;
  const std::string photo = folder.file("a.jpg"), raw = folder.file("a.dng"), out = folder.file("b.jpg");
  const Extent extent{40, 30};
  writeTaggedJpeg(photo, randomPicture(Format::u8, extent), {.exif = cameraExif(6)});
  write(raw, randomMosaic("rggb", extent), {.origin = Origin{.path = photo, .read = {.orientation = false}}});
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {30, 40}};
  writeImage("jpg", out, {{"input", type, randomPixels(type)}}, {.origin = Origin{.path = raw}});
  for (const std::string& file : {raw, out}) {
    std::map<std::string, std::string> entries;
    for (const auto& [name, value] : imageInfo(file).metadata)
      entries[name] = value;
    EXPECT_EQ(entries["Make"], "Foo") << file;
    EXPECT_EQ(entries["Model"], "Bar 7") << file;
    EXPECT_EQ(entries["ExposureTime"], "1/250 sec.") << file;
    EXPECT_EQ(entries["FNumber"], "f/2.8") << file;
    EXPECT_EQ(entries["PhotographicSensitivity"] + entries["ISOSpeedRatings"], "1600") << file;
    EXPECT_EQ(entries["Orientation"], file == raw ? "Right-top" : "Top-left") << file;
  }
  EXPECT_EQ(readCamera(raw).iso, 1600.0F);
}

// The camera's colours, balanced: a file with the camera of a mosaic, in every orientation.
TEST(Raw, RandomLinearPicturesComeBack) {
  const Folder folder;
  const std::string photo = folder.file("a.jpg"), raw = folder.file("a.dng"), clean = folder.file("b.dng");
  const ValueType type{Channels::rgba, Format::f32, ColourTag::data, {35, 26}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    SCOPED_TRACE(orientation);
    const Mosaic mosaic = randomMosaic("grbg", type.extent);
    write(raw, mosaic);
    writeTaggedJpeg(photo, randomPicture(Format::u8, type.extent), {.exif = exifData(orientation, false)});
    std::vector<float> stored(4 * pixelCount(type.extent));
    for (float& number : stored)
      number = std::uniform_real_distribution(0.0F, 1.0F)(testRandom());
    writeImage(
        "dng", clean, {{"input", type, std::as_bytes(std::span(stored))}},
        {.origin = Origin{.path = photo, .read = {.orientation = false}}, .colours = Origin{.path = raw}});
    const ValueType found = probeImage("dng", clean, {"output"}).at("output");
    ASSERT_EQ(print(found), fmt::format("rgba f32 data {}", orientation > 4 ? "26x35" : "35x26"));
    const std::vector<float> pixels = asFloats(readPlane("dng", clean, "output"));
    const io::CameraValues camera = readCamera(clean);
    EXPECT_EQ(camera.black, (std::array<float, 4>{}));
    EXPECT_EQ(camera.white, 1.0F);
    EXPECT_EQ(imageInfo(clean).isMosaic, false);
    for (size_t i = 0; i < pixels.size(); ++i) {
      const size_t x = i / 4 % found.extent.width, y = i / 4 / found.extent.width, c = i % 4;
      const PixelPlace from =
          io::storedPlace(type.extent, orientation, {static_cast<uint32_t>(x), static_cast<uint32_t>(y)});
      const float value = stored[(size_t{from.y} * type.extent.width + from.x) * 4 + c];
      // Rounded to 16 bits before balance.
      ASSERT_NEAR(pixels[i], c == 3 ? 1.0F : value, c == 3 ? 0.0 : 2e-4) << x << " " << y << " " << c;
      ASSERT_NEAR(camera.balance.at(std::min<size_t>(c, 2)),
                  readCamera(raw).balance.at(std::min<size_t>(c, 2)), 1e-4);
    }
  }
}

// A window that begins on an odd pixel, with the camera of the whole.
TEST(Raw, RandomWindowsTakeTheirBlackLevelsAlong) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  for (const char* pattern : {"rggb", "bggr"})
    for (uint32_t k = 0; k < 4; ++k) {
      Mosaic mosaic = randomMosaic(pattern, {40, 30});
      mosaic.camera.pattern = mosaic.type.pattern;
      const io::CameraValues whole = mosaic.camera;
      mosaic.type.pattern = movedTo(mosaic.type.pattern, {k % 2 + 2, k / 2});
      write(path, mosaic);
      for (uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(readCamera(path).black.at(i), whole.black.at((i / 2 + k / 2) % 2 * 2 + (i + k) % 2))
            << pattern << " " << k << " " << i;
    }
}

// LibRaw may crash, never end or take all memory; here lacuna-raw simulates that.
TEST(Raw, RandomMisbehaviourOfTheChildIsAnError) {
  const Folder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"crash", "LibRaw crashes over it (signal 11)"},
      {"spin", "unpacking it takes more than 10 seconds"},
      {"memory", "unpacking it takes more memory than a file of its size may take"}};
  for (const auto& [how, message] : cases) {
    const std::string path = folder.file(fmt::format("{}.dng", how));
    write(path, randomMosaic("rggb", {64, 48}));
    setenv(io::rawTestVariable, how, 1);
    const std::string mistake = probeError("dng", path);
    unsetenv(io::rawTestVariable);
    EXPECT_EQ(mistake, fmt::format("{}: {}", path, message) +
                           (how == cases[1].first ? ", which no file of its size may take" : ""));
  }
}

TEST(Raw, RandomPicturesThatAreNoMosaicAreRefused) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  const ValueType grey{Channels::y, Format::f16, ColourTag::data, {8, 8}};
  EXPECT_NE(errorOf([&] {
              writeImage("dng", path, {{"input", grey, randomPixels(grey)}});
            }).find("written from a mosaic, or from colours that are rec2020"),
            std::string::npos);
  Mosaic wrong = randomMosaic("rggb", {32, 32});
  wrong.camera.black[2] = wrong.camera.white;
  EXPECT_NE(errorOf([&] { write(path, wrong); }).find("expected 0 <= black < white"), std::string::npos);
  EXPECT_TRUE(folder.isEmpty());
}

TEST(Raw, RandomLevelsAreInInfo) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  Mosaic mosaic = randomMosaic("bggr", {64, 48});
  mosaic.camera.black = {512, 512, 512, 512};
  mosaic.camera.white = 16383;
  write(path, mosaic);
  EXPECT_NE(errorOf([&] { loadColour(path); }).find("a raw photograph"), std::string::npos);
  const ImageInfo info = imageInfo(path);
  EXPECT_EQ(info.codec, "dng");
  EXPECT_EQ(info.format, "raw photograph");
  EXPECT_EQ(info.pixels, "mosaic bggr, black 512, white 16383");
  EXPECT_EQ(info.extent, mosaic.type.extent);
}

// DNG 1.4 also has a pair for each plane: green's counts.
TEST(Raw, RandomNoiseOfEachColourIsThatOfGreen) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  write(path, randomMosaic("rggb", {64, 48}));
  std::string bytes = slurp(path);
  const size_t at = bytes.find(exifNumber(51041, 2) + exifNumber(12, 2) + exifNumber(2, 4));
  ASSERT_NE(at, std::string::npos);
  const std::string place = exifNumber(6, 4) + exifNumber(static_cast<uint32_t>(bytes.size()), 4);
  bytes.replace(at + 4, place.size(), place);
  const std::array<double, 6> noise = {0.125, 0.25, 0.375, 0.5, 0.625, 0.75};
  bytes.append(reinterpret_cast<const char*>(noise.data()), sizeof noise);
  spill(path, bytes);
  EXPECT_EQ(readCamera(path).noise, (std::array<float, 2>{0.375F, 0.5F}));
}

std::string bigEndian(uint64_t number, size_t count) {
  std::string bytes;
  for (size_t i = count; i > 0; --i)
    bytes += static_cast<char>(number >> (8 * (i - 1)) & 0xffU);
  return bytes;
}

// OpcodeList2 with one opcode, of the planes from the first on, above and below `bottom`.
std::string opcodes(uint32_t opcode, uint32_t bottom, const std::string& numbers, uint32_t count) {
  std::string area = bigEndian(0, 8) + bigEndian(bottom, 4) + bigEndian(64, 4) + bigEndian(0, 4);
  for (const uint32_t number : {1U, 1U, 1U, count})
    area += bigEndian(number, 4);
  return bigEndian(1, 4) + bigEndian(opcode, 4) + bigEndian(0x01030000, 4) + bigEndian(0, 4) +
         bigEndian(area.size() + numbers.size(), 4) + area + numbers;
}

// A polynomial or a table says what numbers mean; one of a part of the picture, and what is cut off, changes
// nothing.
TEST(Raw, RandomNumbersBecomeLightAsTheFileSays) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  const Mosaic mosaic = randomMosaic("grbg", {64, 48});
  std::string polynomial, table;
  for (const double number : {0.1, 0.2, 0.4})
    polynomial += bigEndian(std::bit_cast<uint64_t>(number), 8);
  for (uint32_t i = 0; i < 40000; ++i)
    table += bigEndian(65535 - i, 2);
  const auto expect = [&](const std::string& list, const std::function<double(double)>& light) {
    write(path, mosaic);
    std::string bytes = slurp(path);
    const size_t at = bytes.find(exifNumber(51041, 2) + exifNumber(12, 2));  // the noise's place
    ASSERT_NE(at, std::string::npos);
    const std::string entry =
        exifEntry(51009, 7, static_cast<uint32_t>(list.size()), static_cast<uint32_t>(bytes.size()));
    bytes.replace(at, entry.size(), entry);
    spill(path, bytes + list);
    const std::vector<float> found = asFloats(readPlane("dng", path, "output"));
    for (uint32_t i = 0; i < found.size(); ++i) {
      const double black = mosaic.camera.black.at(i / 64 % 2 * 2 + i % 2),
                   range = mosaic.camera.white - black;
      const double x = std::clamp((mosaic.numbers[i] - black) / range, 0.0, 1.0);
      ASSERT_NEAR(found[i], light == nullptr ? mosaic.numbers[i] : black + range * light(x), 0.01) << i;
    }
  };
  expect(opcodes(8, 48, polynomial, 2), [](double x) { return 0.1 + 0.2 * x + 0.4 * x * x; });
  expect(opcodes(7, 48, table, 40000),
         [](double x) { return (65535.0 - std::min(std::round(65535.0 * x), 39999.0)) / 65535.0; });
  expect(opcodes(8, 47, polynomial, 2), nullptr);
  expect(opcodes(9, 48, polynomial, 2), nullptr);
  expect(opcodes(8, 48, polynomial, 9000), nullptr);
  expect(opcodes(8, 48, polynomial, 2).substr(0, 30), nullptr);
}

// A file that promises more than it has, and one that ends early.
TEST(Raw, RandomDamageIsAnError) {
  const Folder folder;
  const std::string path = folder.file("a.dng");
  write(path, randomMosaic("rggb", {64, 48}));
  const std::string whole = slurp(path);
  std::string large = whole;
  for (const char tag : {'\x00', '\x01'}) {  // width, height
    const std::string entry{tag, '\x01', '\x03', '\0', '\x01', '\0', '\0', '\0'};
    const size_t at = large.find(entry);
    ASSERT_NE(at, std::string::npos);
    large[at + 8] = large[at + 9] = '\x7f';
  }
  spill(path, large);
  EXPECT_NE(errorOf([&] { readPlane("dng", path, "output"); }), "");
  spill(path, whole.substr(0, whole.size() / 2));
  EXPECT_NE(probeError("dng", path), "");
}

}  // namespace
}  // namespace lacuna::test
