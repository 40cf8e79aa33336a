// The channels of an OpenEXR file that are used for a plane, and the convention of its motion.

#include <fmt/format.h>

#include "modules/codecs/exr_channels.h"
#include "tests/io/exr_parts.h"

namespace lacuna::test {
namespace {

struct Naming {
  std::string plane;
  std::vector<std::string> channels;  // of the plane, in the order of its components
};

TEST(Exr, AliasesOfTheRenderers) {
  const std::vector<Naming> namings = {
      {"output", {"R", "G", "B", "A"}},
      {"output",
       {"ViewLayer.Combined.R", "ViewLayer.Combined.G", "ViewLayer.Combined.B", "ViewLayer.Combined.A"}},
      {"albedo", {"albedo.R", "albedo.G", "albedo.B"}},
      {"albedo",
       {"ViewLayer.Denoising Albedo.R", "ViewLayer.Denoising Albedo.G", "ViewLayer.Denoising Albedo.B"}},
      {"albedo", {"View Layer.DiffCol.R", "View Layer.DiffCol.G", "View Layer.DiffCol.B"}},
      {"albedo", {"base_color.red", "base_color.green", "base_color.blue"}},
      {"albedo", {"diffcol.R", "diffcol.G", "diffcol.B"}},
      {"normal", {"normal.X", "normal.Y", "normal.Z"}},
      {"normal", {"N.X", "N.Y", "N.Z"}},
      {"normal", {"Ns.X", "Ns.Y", "Ns.Z"}},
      {"normal", {"sh_normal.r", "sh_normal.g", "sh_normal.b"}},
      {"normal", {"Denoising Normal.X", "Denoising Normal.Y", "Denoising Normal.Z"}},
      {"motion", {"motion.X", "motion.Y"}},
      {"motion", {"mv.U", "mv.V"}},
      {"motion", {"motion_vectors.r", "motion_vectors.g"}},
      {"motion", {"ViewLayer.Vector.X", "ViewLayer.Vector.Y"}},
      {"depth", {"Z"}},
      {"depth", {"z"}},
      {"depth", {"dd.T"}},
      {"depth", {"ViewLayer.Z_Depth.Z"}},
      {"depth", {"depth"}},
      {"depth", {"ViewLayer.Depth.Z"}},
      {"direct", {"direct.R", "direct.G", "direct.B", "direct.A"}},
      {"indirect", {"Indirect.R", "Indirect.G", "Indirect.B", "Indirect.A"}},
      {"gradient", {"gradient.X", "gradient.Y"}},
      {"moments", {"moments.X", "moments.Y"}},
      {"id", {"id"}},
      {"id", {"ObjectId"}},
      {"id", {"View Layer.IndexOB.X"}},
  };
  Folder folder;
  for (const Naming& naming : namings) {
    // The part has other channels, too, which must not be taken for the plane's.
    Part part{"", {"other.R", "other.G", "other.B", "P.X", "P.Y", "P.Z", "vector.Z", "vector.W"}};
    std::vector<size_t> numbers;
    for (const std::string& channel : naming.channels) {
      numbers.push_back(part.channels.size());
      part.channels.push_back(channel);
    }
    writeParts(folder.file("a.exr"), {part});
    EXPECT_EQ(pixel(folder.file("a.exr"), naming.plane, 5, 3), expected(numbers, 5, 3)) << naming.channels[0];
  }
}

TEST(Exr, BetterNamesWin) {
  Folder folder;
  writeParts(folder.file("a.exr"),
             {{"", {"diffcol.R", "diffcol.G", "diffcol.B", "albedo.R", "albedo.G", "albedo.B"}}});
  EXPECT_EQ(pixel(folder.file("a.exr"), "albedo", 1, 2), expected({3, 4, 5}, 1, 2));
}

TEST(Exr, PartsAreLayers) {
  Folder folder;
  writeParts(folder.file("a.exr"), {{"albedo", {"R", "G", "B"}},
                                    {"position", {"X", "Y", "Z"}},
                                    {"rgba", {"R", "G", "B", "A"}},
                                    {"ViewLayer.Denoising Normal", {"X", "Y", "Z"}},
                                    {"depth", {"Z"}}});
  EXPECT_EQ(pixel(folder.file("a.exr"), "output", 6, 4), expected({6, 7, 8, 9}, 6, 4));
  EXPECT_EQ(pixel(folder.file("a.exr"), "albedo", 6, 4), expected({0, 1, 2}, 6, 4));
  EXPECT_EQ(pixel(folder.file("a.exr"), "normal", 6, 4), expected({10, 11, 12}, 6, 4));
  EXPECT_EQ(pixel(folder.file("a.exr"), "depth", 6, 4), expected({13}, 6, 4));
}

TEST(Exr, LuminanceAloneIsGrey) {
  Folder folder;
  writeParts(folder.file("a.exr"), {{"", {"Y"}}});
  const float grey = valueOf(0, 2, 1);
  EXPECT_EQ(pixel(folder.file("a.exr"), "output", 2, 1), (std::vector<float>{grey, grey, grey, 1.0F}));
  writeParts(folder.file("a.exr"), {{"", {"Y", "A"}}});
  EXPECT_EQ(pixel(folder.file("a.exr"), "output", 2, 1),
            (std::vector<float>{grey, grey, grey, valueOf(1, 2, 1)}));
}

TEST(Exr, MissingPlanesListTheChannels) {
  Folder folder;
  writeParts(folder.file("a.exr"), {{"", {"R", "G", "B", "crypto.X"}}});
  for (const char* plane : {"albedo", "normal", "depth", "motion", "histogram", "direct", "indirect",
                            "gradient", "moments", "id"})
    EXPECT_NE(probeError("exr", folder.file("a.exr"), plane).find(fmt::format("has no '{}' (", plane)),
              std::string::npos)
        << plane;
  writeParts(folder.file("a.exr"), {{"", {"Z"}}});
  EXPECT_NE(probeError("exr", folder.file("a.exr"), "output").find("has no 'output'"), std::string::npos);
}

TEST(Exr, MissingPlanesAreReportedTogether) {
  Folder folder;
  writeParts(folder.file("a.exr"), {{"", {"R", "G", "B", "base.R", "base.G", "base.B"}}});
  ReadOptions options;
  options.layers["normal"] = "bump";
  try {
    probeImage("exr", folder.file("a.exr"), {"output", "albedo", "normal", "depth"}, options);
    FAIL();
  } catch (const FileError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("no 'albedo' (a layer albedo, "), std::string::npos) << text;
    EXPECT_NE(text.find("no 'normal' in a layer 'bump'"), std::string::npos) << text;
    EXPECT_NE(text.find("no 'depth' (a channel of one of these names, or a layer Z, "), std::string::npos)
        << text;
    EXPECT_NE(text.find("its channels are B, G, R, base.B, base.G, base.R"), std::string::npos) << text;
  }
}

TEST(Exr, LayersAreTakenByName) {
  Folder folder;
  writeParts(folder.file("a.exr"),
             {{"", {"R", "G", "B", "cam.base.R", "cam.base.G", "cam.base.B", "far.q", "d"}}});
  ReadOptions options;
  options.layers = {{"albedo", "base"}, {"output", "cam.base"}, {"depth", "d"}};
  EXPECT_EQ(pixel(folder.file("a.exr"), "albedo", 2, 3, options), expected({3, 4, 5}, 2, 3));
  EXPECT_EQ(pixel(folder.file("a.exr"), "depth", 2, 3, options), expected({7}, 2, 3));
  std::vector<float> colour = expected({3, 4, 5}, 2, 3);
  colour.push_back(1.0F);
  EXPECT_EQ(pixel(folder.file("a.exr"), "output", 2, 3, options), colour);
}

TEST(Exr, OneUnknownLayerOfColourIsTheColour) {
  Folder folder;
  writeParts(folder.file("a.exr"),
             {{"", {"shot.R", "shot.G", "shot.B", "albedo.R", "albedo.G", "albedo.B"}}});
  std::vector<float> colour = expected({0, 1, 2}, 4, 1);
  colour.push_back(1.0F);
  EXPECT_EQ(pixel(folder.file("a.exr"), "output", 4, 1), colour);
  writeParts(folder.file("b.exr"), {{"", {"shot.R", "shot.G", "shot.B", "key.R", "key.G", "key.B"}}});
  EXPECT_NE(probeError("exr", folder.file("b.exr"), "output").find("has no 'output'"), std::string::npos);
}

TEST(Exr, MotionMeansWhatItsNamesSay) {
  Folder folder;
  const std::vector<std::string> four = {"Vector.X", "Vector.Y", "Vector.Z", "Vector.W"};
  writeParts(folder.file("a.exr"), {{"", four}});
  const float x = valueOf(0, 3, 2), y = valueOf(1, 3, 2);
  using Pair = std::vector<float>;
  const auto read = [&](std::optional<MotionConvention> motion, std::array<float, 2> scale) {
    ReadOptions options;
    options.motion = motion;
    options.motionScale = scale;
    return pixel(folder.file("a.exr"), "motion", 3, 2, options);
  };
  EXPECT_EQ(read({}, {1, 1}), (Pair{x, -y}));
  EXPECT_EQ(read({}, {-1, 1}), (Pair{-x, y}));  // a scale is the whole conversion
  EXPECT_EQ(read(MotionConvention::pixels, {1, 1}), (Pair{x, y}));
  EXPECT_EQ(read(MotionConvention::blender, {-1, -1}), (Pair{-x, y}));
  EXPECT_EQ(read(MotionConvention::uv, {1, 1}), (Pair{x * 7, y * 5}));
  EXPECT_EQ(read(MotionConvention::ndc, {1, 1}), (Pair{x * 3.5F, y * -2.5F}));
  writeParts(folder.file("a.exr"), {{"", {"Vector.X", "Vector.Y"}}});
  EXPECT_EQ(read({}, {1, 1}), (Pair{x, y}));
}

// For each channel its neighbours are searched.
TEST(Exr, PlanesOfTensOfThousandsOfChannels) {
  std::vector<io::ExrChannel> channels;
  for (int i = 0; i < 30000; ++i)
    channels.push_back(
        io::exrChannel(0, "", false, fmt::format("layer{:05}.{}", i / 3, "RGB"[static_cast<size_t>(i % 3)])));
  EXPECT_FALSE(io::findExrPlane(channels, "output"));  // thousands of layers of colour, all of them unknown
  EXPECT_EQ(io::findExrPlane(channels, "output", {{"output", "layer04711"}})->front().name, "layer04711.R");
  Folder folder;
  Part wide;
  for (int i = 0; i <= 65536; ++i)
    wide.channels.push_back(fmt::format("c{}", i));
  writeParts(folder.file("a.exr"), {wide}, Imf::HALF, {{0, 0}, {0, 0}}, {{0, 0}, {0, 0}});
  EXPECT_NE(errorOf([&] {
              probeImage("exr", folder.file("a.exr"), {"output"});
            }).find("65537 channels, but a file may have 65536"),
            std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
