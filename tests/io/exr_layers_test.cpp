// Which channels of a file make up a plane, judged by names alone: without files, in the order in which they
// are given.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfIntAttribute.h>
#include <ImfOutputFile.h>
#include <ImfStandardAttributes.h>

#include "modules/codecs/exr_channels.h"
#include "modules/codecs/image_info.h"
#include "tests/io/exr_parts.h"

namespace lacuna::test {
namespace {

// "R G diffuse.R": names; a part's in front, "beauty/R".
std::vector<io::ExrChannel> namedChannels(const std::string& names) {
  std::vector<io::ExrChannel> channels;
  std::vector<std::string> parts;
  std::istringstream words(names);
  const bool severalParts = names.find('/') != std::string::npos;
  for (std::string word; words >> word;) {
    const size_t slash = word.find('/');
    const std::string part = severalParts ? word.substr(0, slash) : "";
    if (parts.empty() || parts.back() != part)
      parts.push_back(part);
    channels.push_back(io::exrChannel(static_cast<int>(parts.size()) - 1, part, severalParts,
                                      severalParts ? word.substr(slash + 1) : word));
  }
  return channels;
}

std::string foundIn(const std::string& names, const std::string& plane, const std::string& layer = {}) {
  io::ExrLayers layers;
  if (!layer.empty())
    layers[plane] = layer;
  std::vector<std::string> channels;
  for (const io::ExrChannel& channel :
       io::findExrPlane(namedChannels(names), plane, layers).value_or(std::vector<io::ExrChannel>()))
    channels.push_back(channel.name);
  return fmt::format("{}", fmt::join(channels, " "));
}

TEST(ExrLayers, AreFoundByNames) {
  struct Case {
    const char *names, *plane, *layer, *channels;
  };
  const Case cases[] = {
      // The full name before the last word of another.
      {"Old.diffuse.R Old.diffuse.G Old.diffuse.B diffuse.R diffuse.G diffuse.B", "output", "diffuse",
       "diffuse.R diffuse.G diffuse.B"},
      {"Old.diffuse.R Old.diffuse.G Old.diffuse.B", "output", "diffuse",
       "Old.diffuse.R Old.diffuse.G Old.diffuse.B"},
      {"a.R a.G a.B R G B A", "output", "RGBA", "R G B A"},
      {"a.R a.G a.B R G B A", "output", "RGB", "R G B A"},
      {"R G B mask.Y mask.A", "output", "mask", "mask.Y mask.A"},
      {"R G B mask.Y", "albedo", "mask", ""},
      {"a.Combined.R a.Combined.G a.Combined.B b.Combined.R b.Combined.G b.Combined.B", "output", "b",
       "b.Combined.R b.Combined.G b.Combined.B"},
      {"R G B far.d d", "depth", "d", "d"},
      {"R G B far.d", "depth", "far.d", "far.d"},
      {"R G B", "output", "none", ""},
      // Colour.
      {"R G B A mask.A", "output", "", "R G B A"},
      {"R G B mask.A", "output", "", "R G B"},
      {"red green blue", "output", "", "red green blue"},
      {"R G", "output", "", ""},
      {"albedo.R albedo.G albedo.B R G B", "output", "", "R G B"},
      {"x.R x.G x.B Y", "output", "", "Y"},
      {"Y", "output", "", "Y"},
      {"Y RY BY", "output", "", ""},
      {"X Y Z", "output", "", ""},
      {"shot.R shot.G shot.B shot.A", "output", "", "shot.R shot.G shot.B shot.A"},
      {"a.R a.G a.B b.R b.G b.B", "output", "", ""},
      {"n.R n.G n.B", "output", "", ""},
      {"x/R x/G x/B beauty/R beauty/G beauty/B", "output", "", "R G B"},
      // Planes.
      {"R G B X Y Z", "depth", "", ""},
      {"R G B Y Z", "depth", "", "Z"},
      {"R G B myalbedo.R myalbedo.G myalbedo.B", "albedo", "", ""},
      {"R G B a.Albedo.R a.Albedo.G a.Albedo.B", "albedo", "", "a.Albedo.R a.Albedo.G a.Albedo.B"},
      {"R G B albedo.R albedo.G", "albedo", "", ""},
      {"R G B Nsx Nsy Nsz", "normal", "", "Nsx Nsy Nsz"},
      {"R G B Nsx Nsy a.Nsz", "normal", "", ""},
      {"R G B mv.x mv.y mv.z", "motion", "", "mv.x mv.y"},
      {"R G B albedo.R albedo.G albedo.B albedo.A", "albedo", "", "albedo.R albedo.G albedo.B"},
      {"R G B direct.R direct.G direct.B direct.A", "direct", "", "direct.R direct.G direct.B direct.A"},
      {"R G B Bin_0000 Bin_0001 Bin_0003", "histogram", "", "Bin_0000 Bin_0001"},
      {"R G B Bin_0001", "histogram", "", ""},
      {"R G B", "nonsense", "", ""},
  };
  for (const Case& each : cases)
    EXPECT_EQ(foundIn(each.names, each.plane, each.layer), each.channels)
        << each.plane << " of " << each.names << " by '" << each.layer << "'";
  EXPECT_EQ(io::findExrPlane(namedChannels("x/R x/G x/B beauty/R beauty/G beauty/B"), "output")->front().part,
            1);
}

TEST(ExrLayers, SayWhyTheyWereFound) {
  const auto reason = [](const std::string& names, const std::string& plane) {
    return io::exrReasonOf(plane, io::findExrPlane(namedChannels(names), plane).value());
  };
  EXPECT_EQ(reason("R G B", "output"), "outside of layers");
  EXPECT_EQ(reason("shot.R shot.G shot.B", "output"), "the only layer of colour");
  EXPECT_EQ(reason("R G B a.Denoising~Albedo.R", "output"), "outside of layers");
  EXPECT_NE(reason("R G B Nsx Nsy Nsz", "normal").find("'Ns' of "), std::string::npos);
  const auto motion = [](const std::string& names) {
    const std::vector<io::ExrChannel> channels = namedChannels(names);
    return io::exrMotionConvention(channels, io::findExrPlane(channels, "motion").value());
  };
  EXPECT_EQ(motion("Vector.X Vector.Y Vector.Z Vector.W"), MotionConvention::blender);
  for (const char* names :
       {"Vector.X Vector.Y Vector.Z", "Vector.X Vector.Y Vector.W", "mv.X mv.Y mv.Z mv.W"})
    EXPECT_EQ(motion(names), MotionConvention::pixels) << names;
}

// What `lacuna info` prints of a header.
TEST(ExrLayers, OfAFileAreShownWithItsAttributes) {
  const Folder folder;
  const auto infoOf = [&](const std::function<void(Imf::Header&)>& edit) {
    Imf::Header header(4, 2);
    edit(header);
    std::vector<float> values(4 * 2, 0.5F);
    Imf::FrameBuffer frame;
    for (const char* name : {"R", "G", "B"}) {
      header.channels().insert(name, Imf::Channel(Imf::FLOAT));
      frame.insert(name, Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), 4, 16));
    }
    Imf::OutputFile file(folder.file("a.exr").c_str(), header);
    file.setFrameBuffer(frame);
    file.writePixels(2);
    return folder.file("a.exr");
  };
  const ImageInfo info = imageInfo(infoOf([](Imf::Header& header) {
    header.insert("words", Imf::StringAttribute("text"));
    header.insert("list", Imf::StringVectorAttribute({"a", "b"}));
    header.insert("whole", Imf::IntAttribute(7));
    header.insert("point", Imf::V2fAttribute({1.5F, 2.5F}));
    header.insert("space", Imf::V3iAttribute({1, 2, 3}));
    header.insert("box", Imf::Box2iAttribute({{1, 2}, {3, 4}}));
    header.insert("rate", Imf::RationalAttribute(Imf::Rational(24000, 1001)));
    header.insert("time", Imf::TimeCodeAttribute(Imf::TimeCode(1, 2, 3, 4)));
    header.insert("turn", Imf::M33fAttribute(Imath::M33f(1, 2, 3, 4, 5, 6, 7, 8, 9)));
    header.compression() = Imf::PIZ_COMPRESSION;
  }));
  std::map<std::string, std::string> shown(info.metadata.begin(), info.metadata.end());
  const std::map<std::string, std::string> expected = {
      {"words", "text"},      {"list", "a, b"},        {"whole", "7"},
      {"point", "1.5 2.5"},   {"space", "1 2 3"},      {"box", "1 2 to 3 4"},
      {"rate", "24000/1001"}, {"time", "01:02:03:04"}, {"turn", "1 2 3 4 5 6 7 8 9"},
      {"compression", "piz"}};
  for (const auto& [name, text] : expected)
    EXPECT_EQ(shown[name], text) << name;
  EXPECT_FALSE(shown.contains("channels") || shown.contains("lineOrder"));
  EXPECT_EQ(info.colour, "scene-linear, no chromaticities, taken as Rec. 709");
  const std::pair<Imf::Chromaticities, const char*> spaces[] = {
      {{}, "scene-linear Rec. 709"},
      {{{0.68F, 0.32F}, {0.265F, 0.69F}, {0.15F, 0.06F}, {0.3127F, 0.329F}}, "scene-linear P3, white D65"},
      {{{0.713F, 0.293F}, {0.165F, 0.83F}, {0.128F, 0.044F}, {0.32168F, 0.33767F}},
       "scene-linear ACEScg (AP1)"},
      {{{0.7347F, 0.2653F}, {0.0F, 1.0F}, {0.0001F, -0.077F}, {0.32168F, 0.33767F}},
       "scene-linear ACES2065-1 (AP0)"},
      {{{0.7F, 0.3F}, {0.2F, 0.7F}, {0.1F, 0.05F}, {0.3127F, 0.329F}}, "scene-linear, chromaticities below"}};
  for (const auto& [space, text] : spaces)
    EXPECT_EQ(imageInfo(infoOf([&own = space](Imf::Header& header) {
                Imf::addChromaticities(header, own);
              })).colour,
              text);
}

TEST(ExrLayers, ThatAreMissingAreNamedWithTheChannels) {
  const Folder folder;
  const auto mistake = [&](const std::vector<std::string>& channels) {
    writeParts(folder.file("a.exr"), {{"", channels}});
    return probeError("exr", folder.file("a.exr"));
  };
  EXPECT_NE(mistake({"Y", "RY", "BY"}).find("luminance and chroma of half the size"), std::string::npos);
  EXPECT_EQ(mistake({"RY", "BY"}).find("luminance"), std::string::npos);
  std::vector<std::string> many;
  for (int i = 10; i < 74; ++i)
    many.push_back(fmt::format("c{}", i));
  EXPECT_TRUE(mistake(many).ends_with("c72, c73"));
  many.insert(many.end(), {"c74", "c75"});
  EXPECT_TRUE(mistake(many).ends_with("c72, c73, and 2 more"));
}

// OpenEXR would read past an attribute whose size it doesn't look at.
TEST(ExrLayers, AttributesOfOtherSizesThanTheirTypesAreDamage) {
  const Folder folder;
  writeParts(folder.file("whole.exr"), {{"", {"R", "G", "B"}}});
  const std::string whole = slurp(folder.file("whole.exr"));
  struct Attribute {
    std::string name, type;
    int more;  // bytes
  };
  for (const auto& [name, type, more] : {Attribute{"pixelAspectRatio", "float", 1},
                                         {"pixelAspectRatio", "float", -1},
                                         {"dataWindow", "box2i", 4},
                                         {"screenWindowCenter", "v2f", -4},
                                         {"channels", "chlist", -18},
                                         {"compression", "compression", 1}}) {
    const size_t at = whole.find(name + '\0' + type + '\0') + name.size() + type.size() + 2;
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] + more);
    spill(folder.file("a.exr"), damaged);
    EXPECT_NE(probeError("exr", folder.file("a.exr")).find("attribute \"" + name + "\" takes "),
              std::string::npos)
        << name << more << ": " << probeError("exr", folder.file("a.exr"));
  }
}

}  // namespace
}  // namespace lacuna::test
