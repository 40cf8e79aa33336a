// Raw photographs: what o-dng writes, LibRaw unpacks.

#include <fmt/format.h>

#include "modules/codecs/camera_values.h"
#include "modules/codecs/image_info.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/orientation.h"
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

TEST(Raw, RandomLinearPicturesAreRefusedByName) {
  const Folder folder;
  const std::string raw = folder.file("a.dng"), clean = folder.file("b.dng");
  Mosaic mosaic = randomMosaic("grbg", {64, 50});
  write(raw, mosaic);
  const ValueType type{Channels::rgba, Format::f32, ColourTag::rec2020, {64, 50}};
  const auto pixels = randomPixels(type);
  writeImage("dng", clean, {{"input", type, pixels}},
             {.origin = Origin{.path = raw}, .colours = Origin{.path = raw}});
  EXPECT_NE(probeError("dng", clean).find("demosaiced already"), std::string::npos)
      << probeError("dng", clean);
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
