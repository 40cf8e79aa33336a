// Which planes are found in the files of renderers, by the names that their documentation states
// (modules/codecs/layers.toml has the sources).

#include <fmt/format.h>

#include <fstream>

#include "modules/codecs/exr_channels.h"
#include "modules/codecs/image_info.h"
#include "tests/io/exr_parts.h"

namespace lacuna::test {
namespace {

using Strings = std::vector<std::string>;

// "N.XYZ" is N.X, N.Y, N.Z; "RGBA" is R, G, B, A; "=Nsx" is a channel alone.
Strings channelsOf(const Strings& layers) {
  Strings channels;
  for (const std::string& layer : layers) {
    const size_t dot = layer.rfind('.');
    const std::string prefix = dot == std::string::npos ? "" : layer.substr(0, dot + 1);
    if (layer.starts_with('='))
      channels.push_back(layer.substr(1));
    else
      for (const char component : layer.substr(prefix.size()))
        channels.push_back(prefix + component);
  }
  return channels;
}

struct RendererFile {
  std::string name;
  std::vector<Part> parts;
  // The first channel of each plane: output, albedo, normal, depth, motion. Empty if the file has none.
  std::array<std::string, 5> expected;
};

std::ostream& operator<<(std::ostream& stream, const RendererFile& file) {
  return stream << file.name;
}

std::vector<Part> onePart(const Strings& layers) {
  return {{"", channelsOf(layers)}};
}

std::vector<Part> parts(const std::vector<std::pair<std::string, Strings>>& named) {
  std::vector<Part> made;
  for (const auto& [name, layers] : named)
    made.push_back({name, channelsOf(layers)});
  return made;
}

const std::vector<RendererFile>& rendererFiles() {
  static const std::vector<RendererFile> files = {
      {"Blender",
       onePart({"ViewLayer.Combined.RGBA", "ViewLayer.Depth.Z", "ViewLayer.Normal.XYZ",
                "ViewLayer.Vector.XYZW", "ViewLayer.Denoising Albedo.RGB", "ViewLayer.Denoising Normal.XYZ",
                "ViewLayer.Denoising Depth.Z"}),
       {"ViewLayer.Combined.R", "ViewLayer.Denoising Albedo.R", "ViewLayer.Normal.X", "ViewLayer.Depth.Z",
        "ViewLayer.Vector.X"}},
      {"BlenderDenoisingData",
       onePart({"ViewLayer.Noisy Image.RGBA", "ViewLayer.Denoising Albedo.RGB",
                "ViewLayer.Denoising Normal.XYZ", "ViewLayer.Denoising Depth.Z"}),
       {"ViewLayer.Noisy Image.R", "ViewLayer.Denoising Albedo.R", "ViewLayer.Denoising Normal.X",
        "ViewLayer.Denoising Depth.Z", ""}},
      {"BlenderPasses",
       onePart({"Main.Combined.RGBA", "Main.DiffCol.RGB", "Main.DiffDir.RGB", "Main.Depth.Z"}),
       {"Main.Combined.R", "Main.DiffCol.R", "", "Main.Depth.Z", ""}},
      {"BlenderCombinedAlone",
       onePart({"ViewLayer.Combined.RGBA"}),
       {"ViewLayer.Combined.R", "", "", "", ""}},
      {"BlenderPlain", onePart({"RGBA"}), {"R", "", "", "", ""}},
      {"LuxCore",
       onePart({"ViewLayer.Combined.RGBA", "ViewLayer.ALBEDO.RGB", "ViewLayer.AVG_SHADING_NORMAL.XYZ",
                "ViewLayer.DEPTH.Z"}),
       {"ViewLayer.Combined.R", "ViewLayer.ALBEDO.R", "ViewLayer.AVG_SHADING_NORMAL.X", "ViewLayer.DEPTH.Z",
        ""}},
      {"PbrtLayers",
       onePart({"RGB", "Albedo.RGB", "P.XYZ", "N.XYZ", "Ns.XYZ", "Variance.RGB", "=u", "=v"}),
       {"R", "Albedo.R", "Ns.X", "", ""}},
      {"PbrtSplit",
       onePart({"RGB", "Albedo.RGB", "=Px", "=Py", "=Pz", "=Nx", "=Ny", "=Nz", "=Nsx", "=Nsy", "=Nsz"}),
       {"R", "Albedo.R", "Nsx", "Pz", ""}},
      {"MitsubaExample",
       onePart({"my_image.RGBA", "dd.y.T", "nn.XYZ"}),
       {"my_image.R", "", "nn.X", "dd.y.T", ""}},
      {"MitsubaTypes",
       onePart({"RGB", "albedo.RGB", "sh_normal.XYZ", "depth.T"}),
       {"R", "albedo.R", "sh_normal.X", "depth.T", ""}},
      {"MitsubaOld",
       onePart({"image.RGBA", "albedo.RGB", "nn.XYZ", "=dd.y"}),
       {"image.R", "albedo.R", "nn.X", "dd.y", ""}},
      {"Arnold",
       onePart({"RGBA", "albedo.RGB", "N.XYZ", "=Z", "motionvector.XY", "crypto_object00.RGBA"}),
       {"R", "albedo.R", "N.X", "Z", "motionvector.X"}},
      {"ArnoldDenoiseAlbedo",
       onePart({"RGBA.RGBA", "denoise_albedo.RGB", "N.RGB", "Z.R"}),
       {"RGBA.R", "denoise_albedo.R", "N.R", "Z.R", ""}},
      {"ArnoldNoice",
       onePart({"RGBA", "diffuse_albedo_noice.RGB", "N_noice.XYZ", "=Z_noice"}),
       {"R", "diffuse_albedo_noice.R", "N_noice.X", "Z_noice", ""}},
      {"ArnoldParts",
       parts({{"diffuse", {"RGB"}}, {"RGBA", {"RGBA"}}, {"albedo", {"RGB"}}, {"N", {"XYZ"}}, {"Z", {"Z"}}}),
       {"RGBA.R", "albedo.R", "N.X", "Z.Z", ""}},
      {"RenderManRaw",
       onePart({"Ci.rgb", "=a", "albedo.rgb", "albedo_var.rgb", "normal.rgb", "normal_var.rgb", "=zfiltered",
                "=zfiltered_var", "mse.rgb", "backward.rgb", "forward.rgb"}),
       {"Ci.r", "albedo.r", "normal.r", "zfiltered", "backward.r"}},
      {"RenderMan",
       onePart({"RGBA", "albedo.rgb", "__Nworld.rgb", "=z"}),
       {"R", "albedo.r", "__Nworld.r", "z", ""}},
      {"RenderManNn", onePart({"Ci.rgb", "Nn.rgb", "__depth.r"}), {"Ci.r", "", "Nn.r", "__depth.r", ""}},
      {"Karma",
       parts(
           {{"C", {"RGBA"}}, {"albedo", {"RGB"}}, {"N", {"XYZ"}}, {"Pz", {"Z"}}, {"directdiffuse", {"RGB"}}}),
       {"C.R", "albedo.R", "N.X", "Pz.Z", ""}},
      {"KarmaOnePart",
       onePart({"C.RGBA", "albedo.RGB", "N.xyz", "=Pz", "motionvectors.xyz"}),
       {"C.R", "albedo.R", "N.x", "Pz", "motionvectors.x"}},
      {"VRay",
       onePart({"RGBA", "VRayDiffuseFilter.RGB", "VRayNormals.XYZ", "VRayZDepth.Z", "VRayVelocity.XYZ"}),
       {"R", "VRayDiffuseFilter.R", "VRayNormals.X", "VRayZDepth.Z", ""}},
      {"VRayIncomplete",
       onePart({"RGBA", "VRayDiffuseFilter.RG", "=VRayZDepth"}),
       {"R", "", "", "VRayZDepth", ""}},
      {"VRayRedGreenBlue",
       onePart({"RGB", "=VRayDiffuseFilter.red", "=VRayDiffuseFilter.green", "=VRayDiffuseFilter.blue"}),
       {"R", "VRayDiffuseFilter.red", "", "", ""}},
      {"Corona",
       onePart({"RGBA", "CShading_Albedo.RGB", "CGeometry_NormalsShading.RGB", "CGeometry_ZDepth.R"}),
       {"R", "CShading_Albedo.R", "CGeometry_NormalsShading.R", "CGeometry_ZDepth.R", ""}},
      {"Redshift",
       parts({{"Beauty", {"RGBA"}},
              {"DiffuseFilter", {"RGB"}},
              {"BumpNormals", {"RGB"}},
              {"Z", {"Z"}},
              {"MotionVectors", {"RGB"}},
              {"DiffuseLighting", {"RGB"}}}),
       {"Beauty.R", "DiffuseFilter.R", "BumpNormals.R", "Z.Z", "MotionVectors.R"}},
      {"RedshiftOnePart",
       onePart({"RGBA", "DiffuseFilter.RGB", "Normals.RGB", "Depth.Z"}),
       {"R", "DiffuseFilter.R", "Normals.R", "Depth.Z", ""}},
      {"Octane",
       onePart({"Beauty.RGBA", "Denoise albedo.RGB", "Denoise normal.RGB", "Z-depth.R", "Motion vector.RGB"}),
       {"Beauty.R", "Denoise albedo.R", "Denoise normal.R", "Z-depth.R", "Motion vector.R"}},
      {"appleseed",
       onePart({"beauty.RGBA", "albedo.RGB", "normal.RGB", "depth.R", "diffuse.RGB"}),
       {"beauty.R", "albedo.R", "normal.R", "depth.R", ""}},
      {"UpperCase",
       onePart({"BEAUTY.RGBA", "ALBEDO.RGB", "NORMAL.XYZ", "DEPTH.Z"}),
       {"BEAUTY.R", "ALBEDO.R", "NORMAL.X", "DEPTH.Z", ""}},
      {"Lacuna",
       onePart({"RGB", "albedo.RGB", "normal.XYZ", "=Z", "motion.XY"}),
       {"R", "albedo.R", "normal.X", "Z", "motion.X"}},
      {"LightGroups",
       onePart({"RGBA", "RGBA_key.RGB", "RGBA_fill.RGB", "albedo.RGB"}),
       {"R", "albedo.R", "", "", ""}},
  };
  return files;
}

constexpr std::array planeNames = {"output", "albedo", "normal", "depth", "motion"};

class ExrRenderers : public testing::TestWithParam<RendererFile> {
 protected:
  const Folder folder_;
  const std::string file_ = folder_.file("a.exr");
};

TEST_P(ExrRenderers, ThePlanesAreFoundAndTheOthersNamedAsMissing) {
  writeParts(file_, GetParam().parts);
  const ImageInfo info = imageInfo(file_);
  for (size_t i = 0; i < planeNames.size(); ++i) {
    const std::string& wanted = GetParam().expected[i];
    const auto found = std::ranges::find(info.planes, planeNames[i], &ImageInfo::Plane::name);
    EXPECT_EQ(found == info.planes.end() ? "" : found->channels.front(), wanted) << planeNames[i];
    if (found != info.planes.end()) {
      EXPECT_NE(found->reason, "") << planeNames[i];
      continue;
    }
    try {
      probeImage("exr", file_, {planeNames[i]});
      ADD_FAILURE() << planeNames[i] << " was found";
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(fmt::format("has no '{}' (", planeNames[i])),
                std::string::npos)
          << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ExrRenderers, testing::ValuesIn(rendererFiles()),
                         [](const auto& file) { return file.param.name; });

TEST(ExrRendererFiles, AreThirtyAtLeast) {
  EXPECT_GE(rendererFiles().size(), 30U);
}

TEST(ExrColours, AreLayersOfLightWithoutPlanesAndCryptomattes) {
  const Folder folder;
  writeParts(folder.file("a.exr"), onePart({"RGBA", "diffuse.RGB", "specular.RGB", "albedo.RGB", "N.XYZ",
                                            "CryptoObject00.rgba", "P.XYZ"}));
  EXPECT_EQ(imageInfo(folder.file("a.exr")).colours, (Strings{"", "diffuse", "specular"}));
}

// As Blender names the channels of a stereo file, and as OpenEXR does, whose first view has no name.
TEST(ExrStereo, PlanesBelongToTheColoursView) {
  const auto channelsNamed = [](const Strings& names) {
    std::vector<io::ExrChannel> channels;
    for (const std::string& name : channelsOf(names))
      channels.push_back(io::exrChannel(0, "", false, name, {"left", "right"}));
    return channels;
  };
  const auto blender =
      channelsNamed({"ViewLayer.Combined.left.RGBA", "ViewLayer.Combined.right.RGBA",
                     "ViewLayer.Depth.left.Z", "ViewLayer.Depth.right.Z", "ViewLayer.Vector.right.XYZW"});
  EXPECT_EQ(io::exrPictures(blender), (Strings{"left.ViewLayer.Combined", "right.ViewLayer.Combined"}));
  EXPECT_EQ(io::findExrPlane(blender, "depth")->front().name, "ViewLayer.Depth.left.Z");
  EXPECT_FALSE(io::findExrPlane(blender, "motion"));
  const io::ExrLayers right = {{"output", "right.ViewLayer.Combined"}};
  EXPECT_EQ(io::findExrPlane(blender, "output", right)->front().name, "ViewLayer.Combined.right.R");
  EXPECT_EQ(io::findExrPlane(blender, "motion", right)->front().name, "ViewLayer.Vector.right.X");
  const auto plain = channelsNamed({"RGB", "right.RGB", "=Z", "right.Z"});
  EXPECT_EQ(io::exrPictures(plain), (Strings{"left", "right"}));
  EXPECT_EQ(io::findExrPlane(plain, "output")->front().name, "R");
  EXPECT_EQ(io::findExrPlane(plain, "output", {{"output", "left"}})->front().name, "R");
  EXPECT_EQ(io::findExrPlane(plain, "depth")->front().name, "Z");
  EXPECT_EQ(io::findExrPlane(plain, "depth", {{"output", "right"}})->front().name, "right.Z");
}

// In a process of its own: the names are read once.
TEST(ExrLayerNamesDeathTest, AFileOfTheUsersComesFirst) {
  const Folder folder;
  const auto inProcess = [&](const std::string& text) {
    std::ofstream(folder.file("my.toml")) << text;
    setenv("LACUNA_LAYERS", folder.file("my.toml").c_str(), 1);
    try {
      std::vector<io::ExrChannel> channels;
      for (const std::string& name : channelsOf({"RGB", "albedo.RGB", "Surface Paint.RGB"}))
        channels.push_back(io::exrChannel(0, "", false, name));
      const auto found = io::findExrPlane(channels, "albedo");
      fmt::print(stderr, "{}: {}", found->front().name, io::exrReasonOf("albedo", *found));
    } catch (const FileError& error) {
      fmt::print(stderr, "{}", error.what());
    }
    std::exit(0);
  };
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(inProcess("[[renderer]]\nname = \"ours\"\nalbedo = [\"surface_paint\"]\n"),
              testing::ExitedWithCode(0), "Surface Paint.R: 'surface_paint' of ours");
  EXPECT_EXIT(inProcess("[[renderer]]\nname = \"ours\"\nalbdo = [\"x\"]\n"), testing::ExitedWithCode(0),
              "LACUNA_LAYERS: .*my.toml:3.*albdo");
}

}  // namespace
}  // namespace lacuna::test
