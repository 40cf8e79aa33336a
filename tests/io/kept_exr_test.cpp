// The data that an OpenEXR file keeps of the file that its picture comes from: attributes, channels that
// nobody reads, parts, names, windows, compression.

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfPreviewImage.h>
#include <ImfStandardAttributes.h>
#include <ImfStringAttribute.h>

#include <deque>
#include <map>
#include <set>

#include "tests/io/exr_parts.h"

namespace lacuna::test {
namespace {

using Imath::Box2i;
using Imath::V2i;

struct StoredChannel {
  Imf::PixelType type;
  std::vector<uint32_t> words;  // of the data window; one for each half
  bool operator==(const StoredChannel&) const = default;
};

// "part/name" -> what is stored.
std::map<std::string, StoredChannel> channelsOf(const std::string& path) {
  std::map<std::string, StoredChannel> all;
  Imf::MultiPartInputFile file(path.c_str());
  for (int p = 0; p < file.parts(); ++p) {
    Imf::InputPart part(file, p);
    const Box2i data = part.header().dataWindow();
    const size_t width = static_cast<size_t>(data.max.x - data.min.x + 1),
                 height = static_cast<size_t>(data.max.y - data.min.y + 1);
    Imf::FrameBuffer frame;
    for (auto it = part.header().channels().begin(); it != part.header().channels().end(); ++it) {
      StoredChannel& channel = all[std::to_string(p) + "/" + it.name()];
      channel.type = it.channel().type;
      channel.words.resize(width * height);
      frame.insert(it.name(), Imf::Slice::Make(channel.type, channel.words.data(), data, 4, 4 * width));
    }
    part.setFrameBuffer(frame);
    part.readPixels(data.min.y, data.max.y);
  }
  return all;
}

std::set<std::string> namesOf(const std::map<std::string, StoredChannel>& channels) {
  std::set<std::string> names;
  for (const auto& [name, channel] : channels)
    names.insert(name);
  return names;
}

class KeptExr : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  // The colour of in.exr, with every bit of its first pixel's red changed, as out.exr.
  void pass(WriteOptions options = {}, Extent extent = {}) {
    ValueType type = probeImage("exr", path("in.exr"), {"output"}).at("output");
    std::vector<std::byte> pixels = readPlane("exr", path("in.exr"), "output");
    pixels[0] ^= std::byte{1};
    if (extent.width != 0) {
      type.extent = extent;
      pixels.resize(byteSize(type));
    }
    options.origin = Origin{path("in.exr")};
    options.warn = [this](const std::string& text) { warnings_ += text + "\n"; };
    writeImage("exr", path("out.exr"), {{"output", type, pixels}}, options);
  }

  // Channels of out.exr that are those of in.exr, bit for bit.
  std::set<std::string> unchanged() const {
    const auto before = channelsOf(path("in.exr")), after = channelsOf(path("out.exr"));
    std::set<std::string> names;
    for (const auto& [name, channel] : before)
      if (after.count(name) != 0 && after.at(name) == channel)
        names.insert(name);
    return names;
  }

  // R, G, B in half, and channels of all types that nobody reads.
  void writeMixed(Imf::Compression compression = Imf::PIZ_COMPRESSION) const {
    constexpr int width = 37, height = 300;
    Imf::Header header(width, height);
    header.compression() = compression;
    header.pixelAspectRatio() = 1.5F;
    Imf::addOwner(header, "somebody");
    header.insert("renderer", Imf::StringAttribute("one"));
    header.setPreviewImage(Imf::PreviewImage(2, 2));
    const std::map<std::string, Imf::PixelType> types = {{"R", Imf::HALF},       {"G", Imf::HALF},
                                                         {"B", Imf::HALF},       {"crypto00.R", Imf::FLOAT},
                                                         {"samples", Imf::UINT}, {"mask.A", Imf::HALF}};
    std::mt19937_64 random = namedRandom("mixed");
    std::deque<std::vector<std::byte>> memory;
    Imf::FrameBuffer frame;
    for (const auto& [name, type] : types) {
      header.channels().insert(name, Imf::Channel(type));
      const ValueType like{
          Channels::y, type == Imf::HALF ? Format::f16 : Format::f32, ColourTag::data, {width, height}};
      memory.push_back(randomPixels(like, random));
      const size_t pixelBytes = bytesPerPixel(like.channels, like.format);
      frame.insert(name, Imf::Slice::Make(type, memory.back().data(), V2i(0, 0), width, height, pixelBytes,
                                          pixelBytes * width));
    }
    Imf::OutputFile file(path("in.exr").c_str(), header);
    file.setFrameBuffer(frame);
    file.writePixels(height);
  }

  const Folder folder_;
  std::string warnings_;
};

TEST_F(KeptExr, OtherChannelsAndAttributes) {
  writeMixed();
  pass();
  EXPECT_EQ(namesOf(channelsOf(path("out.exr"))), namesOf(channelsOf(path("in.exr"))));
  // Green and blue were written again, with the same values.
  EXPECT_EQ(unchanged(), (std::set<std::string>{"0/B", "0/G", "0/crypto00.R", "0/mask.A", "0/samples"}));
  Imf::MultiPartInputFile file(path("out.exr").c_str());
  const Imf::Header& header = file.header(0);
  EXPECT_EQ(Imf::owner(header), "somebody");
  EXPECT_EQ(header.typedAttribute<Imf::StringAttribute>("renderer").value(), "one");
  EXPECT_EQ(header.pixelAspectRatio(), 1.5F);
  EXPECT_EQ(header.compression(), Imf::PIZ_COMPRESSION);
  EXPECT_FALSE(header.hasPreviewImage()) << "it shows the old picture";
  EXPECT_EQ(warnings_, "");
}

TEST_F(KeptExr, AsFarAsAsked) {
  writeMixed();
  pass({.keepsLayers = false});
  EXPECT_EQ(namesOf(channelsOf(path("out.exr"))), (std::set<std::string>{"0/B", "0/G", "0/R"}));
  EXPECT_EQ(Imf::owner(Imf::MultiPartInputFile(path("out.exr").c_str()).header(0)), "somebody");
  pass({.exrCompression = "zips"});
  EXPECT_EQ(Imf::MultiPartInputFile(path("out.exr").c_str()).header(0).compression(), Imf::ZIPS_COMPRESSION);
}

TEST_F(KeptExr, LossyCompressionIsNotTakenOver) {
  writeMixed(Imf::DWAA_COMPRESSION);
  pass();
  EXPECT_EQ(unchanged().count("0/mask.A"), 1U);
  EXPECT_EQ(Imf::MultiPartInputFile(path("out.exr").c_str()).header(0).compression(), Imf::ZIP_COMPRESSION);
}

TEST_F(KeptExr, AnotherSizeKeepsAttributesAndNamesWhatIsLost) {
  writeMixed();
  pass({}, {20, 10});
  EXPECT_EQ(namesOf(channelsOf(path("out.exr"))), (std::set<std::string>{"0/B", "0/G", "0/R"}));
  Imf::MultiPartInputFile file(path("out.exr").c_str());
  EXPECT_EQ(Imf::owner(file.header(0)), "somebody");
  EXPECT_EQ(file.header(0).displayWindow(), Box2i(V2i(0, 0), V2i(19, 9)));
  EXPECT_EQ(file.header(0).dataWindow(), file.header(0).displayWindow());
  EXPECT_NE(warnings_.find("another size than the input file, whose other channels are not kept: crypto00.R, "
                           "mask.A, samples"),
            std::string::npos)
      << warnings_;
}

TEST_F(KeptExr, LayersKeepTheirNames) {
  writeParts(path("in.exr"), {{"",
                               {"ViewLayer.Combined.R", "ViewLayer.Combined.G", "ViewLayer.Combined.B",
                                "ViewLayer.Combined.A", "ViewLayer.Mist.Z"}}});
  pass();
  EXPECT_EQ(namesOf(channelsOf(path("out.exr"))), namesOf(channelsOf(path("in.exr"))));
  EXPECT_EQ(unchanged().count("0/ViewLayer.Combined.R"), 0U);
  EXPECT_EQ(unchanged().count("0/ViewLayer.Mist.Z"), 1U);
}

TEST_F(KeptExr, PartsStayParts) {
  writeParts(path("in.exr"), {{"normal", {"X", "Y", "Z"}}, {"beauty", {"R", "G", "B"}}, {"mist", {"V"}}});
  pass();
  Imf::MultiPartInputFile file(path("out.exr").c_str());
  ASSERT_EQ(file.parts(), 3);
  EXPECT_EQ(file.header(1).name(), "beauty");
  EXPECT_EQ(unchanged(), (std::set<std::string>{"0/X", "0/Y", "0/Z", "1/B", "1/G", "2/V"}));
}

// Of any place and size: overscan, a region of the picture, one elsewhere, negative ones.
TEST_F(KeptExr, RandomWindowsStayWhereTheyAre) {
  const auto number = [](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(testRandom());
  };
  for (int round = 0; round < 16; ++round) {
    const V2i first(number(-30, 30), number(-30, 30)), corner(number(-40, 40), number(-40, 40));
    const Box2i display(first, first + V2i(number(0, 20), number(0, 20)));
    const Box2i data(corner, corner + V2i(number(0, 25), number(0, 300)));
    for (const bool framed : {false, true}) {
      writeParts(path("in.exr"), {{"", {"R", "G", "B", "mist"}}}, Imf::FLOAT, display, data);
      warnings_.clear();
      ReadOptions read;
      read.framed = framed;
      const ValueType type = probeImage("exr", path("in.exr"), {"output"}, read).at("output");
      std::vector<std::byte> pixels(byteSize(type));
      readImage("exr", path("in.exr"), "output", type, pixels, read);
      for (std::byte& byte : pixels)
        byte ^= std::byte{1};
      WriteOptions options;
      options.origin = Origin{.path = path("in.exr"), .read = read};
      options.warn = [this](const std::string& text) { warnings_ += text + "\n"; };
      writeImage("exr", path("out.exr"), {{"output", type, pixels}}, options);
      Imf::MultiPartInputFile file(path("out.exr").c_str());
      ASSERT_EQ(file.header(0).displayWindow(), display);
      ASSERT_EQ(file.header(0).dataWindow(), data);
      EXPECT_EQ(warnings_, "");
      EXPECT_EQ(unchanged(), std::set<std::string>{"0/mist"});
      const auto before = channelsOf(path("in.exr")), after = channelsOf(path("out.exr"));
      for (const char* name : {"0/R", "0/G", "0/B"})
        for (size_t i = 0; i < before.at(name).words.size(); ++i)
          ASSERT_EQ(before.at(name).words[i] ^ 0x01010101U, after.at(name).words.at(i)) << name;
    }
  }
}

// The picture is as large as all together, and each keeps its own.
TEST_F(KeptExr, PartsKeepTheirOwnWindows) {
  const Box2i display(V2i(0, 0), V2i(9, 7)), small(V2i(2, 1), V2i(5, 6)), large(V2i(-4, -3), V2i(12, 9));
  std::vector<Imf::Header> headers;
  for (const auto& [name, data] : {std::pair("beauty", small), std::pair("mist", large)}) {
    Imf::Header& header = headers.emplace_back(display, data);
    header.setName(name);
    header.setType(Imf::SCANLINEIMAGE);
    for (const char* channel : {"R", "G", "B"})
      header.channels().insert(channel, Imf::Channel(Imf::FLOAT));
  }
  {
    Imf::MultiPartOutputFile file(path("in.exr").c_str(), headers.data(), 2);
    for (int part = 0; part < 2; ++part) {
      const Box2i data = headers[static_cast<size_t>(part)].dataWindow();
      const size_t width = static_cast<size_t>(data.max.x - data.min.x + 1);
      const std::vector<float> values(width * static_cast<size_t>(data.max.y - data.min.y + 1),
                                      0.5F + static_cast<float>(part));
      Imf::FrameBuffer frame;
      for (const char* channel : {"R", "G", "B"})
        frame.insert(channel, Imf::Slice::Make(Imf::FLOAT, values.data(), data, 4, 4 * width));
      Imf::OutputPart output(file, part);
      output.setFrameBuffer(frame);
      output.writePixels(data.max.y - data.min.y + 1);
    }
  }
  pass();
  EXPECT_EQ(warnings_, "");
  Imf::MultiPartInputFile file(path("out.exr").c_str());
  ASSERT_EQ(file.parts(), 2);
  EXPECT_EQ(file.header(0).dataWindow(), small);
  EXPECT_EQ(file.header(1).dataWindow(), large);
  EXPECT_EQ(unchanged().count("1/R"), 1U);
  EXPECT_EQ(unchanged().count("0/G"), 1U);
}

TEST_F(KeptExr, GreyStaysOneChannel) {
  writeParts(path("in.exr"), {{"", {"Y"}}});
  const ValueType type = probeImage("exr", path("in.exr"), {"output"}).at("output");
  std::vector<std::byte> pixels = readPlane("exr", path("in.exr"), "output");
  const WriteOptions options{.origin = Origin{path("in.exr")}};
  writeImage("exr", path("out.exr"), {{"output", type, pixels}}, options);
  EXPECT_EQ(unchanged(), std::set<std::string>{"0/Y"});
  EXPECT_EQ(channelsOf(path("out.exr")).size(), 1U);
  pixels[1] ^= std::byte{0x20};
  writeImage("exr", path("out.exr"), {{"output", type, pixels}}, options);
  EXPECT_EQ(namesOf(channelsOf(path("out.exr"))), (std::set<std::string>{"0/B", "0/G", "0/R"}));
}

}  // namespace
}  // namespace lacuna::test
