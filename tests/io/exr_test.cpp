// OpenEXR files as renderers write them: names of channels, parts, windows, pixel types.

#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfInputFile.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <fmt/format.h>

#include "tests/io/exr_parts.h"

namespace lacuna::test {
namespace {

using Imath::Box2i;
using Imath::V2i;

TEST(Exr, PixelTypes) {
  Folder folder;
  writeParts(folder.file("a.exr"), {{"", {"R", "G", "B", "Z"}}}, Imf::FLOAT);
  EXPECT_EQ(probeImage("exr", folder.file("a.exr"), {"output"}).at("output").format, Format::f32);
  EXPECT_EQ(pixel(folder.file("a.exr"), "depth", 3, 3), expected({3}, 3, 3));
  writeParts(folder.file("a.exr"), {{"", {"R", "G", "B"}}}, Imf::UINT);
  EXPECT_EQ(probeImage("exr", folder.file("a.exr"), {"output"}).at("output").format, Format::f32);
  EXPECT_EQ(pixel(folder.file("a.exr"), "output", 3, 3),
            (std::vector<float>{8 * valueOf(0, 3, 3), 8 * valueOf(1, 3, 3), 8 * valueOf(2, 3, 3), 1.0F}));
}

// Overscan is picture: the data window is, wherever it lies. In sequences it has its place in the display
// window, and is 0 outside.
TEST(Exr, PicturesAreDataWindows) {
  Folder folder;
  const Box2i display(V2i(-3, 10), V2i(8, 15));
  const std::vector<Box2i> windows = {{V2i(0, 12), V2i(2, 13)},         // inside
                                      {V2i(-9, 2), V2i(12, 30)},        // around
                                      {V2i(5, 14), V2i(20, 200)},       // over a corner, in several strips
                                      {V2i(100, 100), V2i(104, 103)}};  // elsewhere
  for (const Box2i& data : windows)
    for (const bool framed : {false, true}) {
      // `Y` has three destinations.
      using Kind = std::pair<std::vector<std::string>, std::vector<size_t>>;
      for (const auto& [channels, order] :
           {Kind{{"A", "B", "G", "R"}, {3, 2, 1, 0}}, Kind{{"A", "Y"}, {1, 1, 1, 0}}}) {
        writeParts(folder.file("a.exr"), {{"", channels}}, Imf::FLOAT, display, data);
        ReadOptions options;
        options.framed = framed;
        Box2i window = data;
        if (framed)
          window.extendBy(display);
        const ValueType type = probeImage("exr", folder.file("a.exr"), {"output"}, options).at("output");
        const auto width = static_cast<uint32_t>(window.max.x - window.min.x + 1),
                   height = static_cast<uint32_t>(window.max.y - window.min.y + 1);
        ASSERT_EQ(type.extent, (Extent{width, height}));
        std::vector<std::byte> bytes(byteSize(type));
        readImage("exr", folder.file("a.exr"), "output", type, bytes, options);
        const std::vector<float> values = asFloats(bytes);
        for (size_t i = 0; i < values.size() / 4; ++i) {
          const V2i at(window.min.x + static_cast<int>(i % width),
                       window.min.y + static_cast<int>(i / width));
          const std::vector<float> found(values.begin() + static_cast<long>(4 * i),
                                         values.begin() + static_cast<long>(4 * i + 4));
          ASSERT_EQ(found, data.intersects(at) ? expected(order, at.x - display.min.x, at.y - display.min.y)
                                               : std::vector<float>(4, 0.0F))
              << at.x << "," << at.y << " of a data window at " << data.min.x << "," << data.min.y;
        }
      }
    }
}

TEST(Exr, HistogramsLieBinAfterBin) {
  Folder folder;
  Part part{"", {}};
  for (int bin = 0; bin < 11; ++bin)
    part.channels.push_back(fmt::format("Bin_{:04d}", bin));
  writeParts(folder.file("a.exr"), {part}, Imf::FLOAT);
  const ValueType type = probeImage("exr", folder.file("a.exr"), {"histogram"}).at("histogram");
  EXPECT_EQ(type, (ValueType{Channels::y, Format::f32, ColourTag::data, {7, 5}, 11 * 7 * 5}));
  const std::vector<float> values = asFloats(readPlane("exr", folder.file("a.exr"), "histogram"));
  for (int bin = 0; bin < 11; ++bin)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x)
        ASSERT_EQ(values[static_cast<size_t>((bin * 5 + y) * 7 + x)],
                  valueOf(static_cast<size_t>(bin), x, y));
}

TEST(Exr, IdsAreOfAnyPixelType) {
  Folder folder;
  for (const Imf::PixelType type : {Imf::HALF, Imf::FLOAT, Imf::UINT})
    for (const Box2i& data : {exrWindow, Box2i(V2i(-2, -3), V2i(9, 4))}) {
      writeParts(folder.file("a.exr"), {{"", {"R", "G", "B", "id"}}}, type, exrWindow, data);
      const float scale = type == Imf::UINT ? 8.0F : 1.0F;
      const int x = 6 - data.min.x, y = 4 - data.min.y;
      EXPECT_EQ(pixel(folder.file("a.exr"), "id", x, y), std::vector<float>{scale * valueOf(3, 6, 4)});
      EXPECT_EQ(pixel(folder.file("a.exr"), "output", x, y)[2], scale * valueOf(2, 6, 4));
    }
}

// 32 bits, more than a float holds exactly.
TEST(Exr, IdsKeepAllBits) {
  Folder folder;
  const Box2i data(V2i(-1, 0), V2i(2, 0));
  Imf::Header header(Box2i(V2i(0, 0), V2i(3, 0)), data);
  header.channels().insert("id", Imf::Channel(Imf::UINT));
  const std::vector<uint32_t> ids = {4000000001U, 16777217U, 0U, 0xffffffffU};
  Imf::FrameBuffer frame;
  frame.insert(
      "id", Imf::Slice::Make(Imf::UINT, ids.data(), data, sizeof(uint32_t), sizeof(uint32_t) * ids.size()));
  {
    Imf::OutputFile file(folder.file("a.exr").c_str(), header);
    file.setFrameBuffer(frame);
    file.writePixels(1);
  }
  std::vector<uint32_t> found(ids.size());
  const auto bytes = readPlane("exr", folder.file("a.exr"), "id");
  ASSERT_EQ(bytes.size(), 4 * ids.size());
  std::memcpy(found.data(), bytes.data(), bytes.size());
  EXPECT_EQ(found, ids);
}

Imf::PixelType channelType(const std::string& path, const std::string& channel) {
  const Imf::InputFile file(path.c_str());
  const Imf::Channel* found = file.header().channels().findChannel(channel);
  EXPECT_NE(found, nullptr) << channel;
  return found == nullptr ? Imf::NUM_PIXELTYPES : found->type;
}

TEST(Exr, RandomDepthMotionAndMomentsAreFloatAnyway) {
  Folder folder;
  const std::string path = folder.file("a.exr");
  const Extent extent{7, 5};
  std::map<std::string, std::vector<std::byte>> pixels;
  std::vector<NamedImage> planes;
  for (const auto& [name, channels] : std::map<std::string, Channels>{{"depth", Channels::depth},
                                                                      {"gradient", Channels::any2},
                                                                      {"input", Channels::rgba},
                                                                      {"moments", Channels::any2},
                                                                      {"motion", Channels::mv}}) {
    const ValueType type{channels, Format::f16, ColourTag::data, extent};
    pixels[name] = randomPixels(type);
    planes.push_back({name, type, pixels[name]});
  }
  writeImage("exr", path, planes);
  for (const char* name : {"Z", "motion.X", "motion.Y", "moments.X", "moments.Y"})
    EXPECT_EQ(channelType(path, name), Imf::FLOAT) << name;
  for (const char* name : {"R", "A", "gradient.X", "gradient.Y"})
    EXPECT_EQ(channelType(path, name), Imf::HALF) << name;
  for (const auto& [name, components] :
       {std::pair("depth", 1U), std::pair("motion", 2U), std::pair("moments", 2U)}) {
    const std::vector<float> found = asFloats(readPlane("exr", path, name));
    ASSERT_EQ(found.size(), size_t{components} * 35);
    for (size_t i = 0; i < found.size(); ++i) {
      half value;
      uint16_t bits;
      std::memcpy(&bits, pixels[name].data() + (i / components) * 4 + i % components * 2, 2);
      value.setBits(bits);
      ASSERT_EQ(found[i], static_cast<float>(value)) << name << " " << i;
    }
  }
}

TEST(Exr, RandomHistogramsThatAreNoImagesAreRefused) {
  Folder folder;
  const ValueType image{Channels::rgba, Format::f16, ColourTag::data, {7, 5}};
  const ValueType bins{Channels::y, Format::f32, ColourTag::data, {}, 3 * 35 + 1};
  const auto pixels = randomPixels(image), numbers = randomPixels(bins);
  const std::string path = folder.file("a.exr");
  EXPECT_EQ(errorOf([&] {
              writeImage("exr", path, {{"input", image, pixels}, {"histogram", bins, numbers}});
            }),
            path +
                ": 'histogram' has 106 numbers, but 7 x 5 pixels need a multiple of 35, one for each pixel "
                "and bin");
  EXPECT_EQ(errorOf([&] {
              writeImage("exr", path, {{"histogram", bins, numbers}});
            }),
            path + ": a histogram alone doesn't state the picture's size");
  EXPECT_EQ(errorOf([&] {
              writeImage("exr", path, {{"input", image, pixels}, {"moments", bins, numbers}});
            }),
            path + ": an OpenEXR file can't take array of 106 y f32 as 'moments'");
  const ValueType turned{Channels::y, Format::f32, ColourTag::data, {5, 7}, 3 * 35};
  EXPECT_EQ(errorOf([&] {
              writeImage("exr", path, {{"input", image, pixels}, {"histogram", turned, numbers}});
            }),
            path + ": 'histogram' has planes of 5 x 7 pixels, but the picture has 7 x 5");
  EXPECT_TRUE(folder.isEmpty());
}

void writeWith(const std::string& path, const Imf::Chromaticities& colours, int sampling) {
  Imf::Header header(4, 4);
  Imf::addChromaticities(header, colours);
  std::vector<float> values(16, 0.5F);
  Imf::FrameBuffer frame;
  for (const char* name : {"R", "G", "B"}) {
    header.channels().insert(name, Imf::Channel(Imf::FLOAT, sampling, sampling));
    frame.insert(name,
                 Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), 4, 16, sampling, sampling));
  }
  Imf::OutputFile file(path.c_str(), header);
  file.setFrameBuffer(frame);
  file.writePixels(4);
}

TEST(Exr, ChromaticitiesAreTheTag) {
  Folder folder;
  const std::string path = folder.file("a.exr");
  writeWith(path, Imf::Chromaticities(), 1);
  EXPECT_EQ(probeImage("exr", path, {}).at("output").colour, ColourTag::rec709);
  writeWith(path, {{0.708F, 0.292F}, {0.17F, 0.797F}, {0.131F, 0.046F}, {0.3127F, 0.329F}}, 1);
  EXPECT_EQ(probeImage("exr", path, {}).at("output").colour, ColourTag::rec2020);
  writeWith(path, {{0.713F, 0.293F}, {0.165F, 0.83F}, {0.128F, 0.044F}, {0.32168F, 0.33767F}}, 1);  // ACEScg
  EXPECT_EQ(probeImage("exr", path, {}, {.own = true}).at("output").colour, ColourTag::own);
  EXPECT_EQ(probeImage("exr", path, {}, {.profile = false}).at("output").colour, ColourTag::rec709);
  EXPECT_EQ(probeImage("exr", path, {}).at("output").colour, ColourTag::rec2020);
  // Grey stays grey, whatever the whites; .5 of ACEScg is .5 of Rec. 2020.
  const ValueType type = probeImage("exr", path, {}).at("output");
  std::vector<float> values(byteSize(type) / sizeof(float));
  readImage("exr", path, "output", type, std::as_writable_bytes(std::span(values)));
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], i % 4 == 3 ? 1.0F : 0.5F, 1e-4F);
  writeWith(path, Imf::Chromaticities(), 2);
  EXPECT_NE(probeError("exr", path).find("is subsampled"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
