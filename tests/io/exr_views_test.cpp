// OpenEXR files with the pictures of several view layers: which channels belong together.

#include <fmt/format.h>

#include "modules/codecs/image_info.h"
#include "tests/io/exr_parts.h"

namespace lacuna::test {
namespace {

std::vector<std::string> layer(const std::string& name, const std::string& components) {
  std::vector<std::string> channels;
  for (const char component : components)
    channels.push_back(fmt::format("{}.{}", name, component));
  return channels;
}

std::string namesOf(const ImageInfo& info, const std::string& plane) {
  for (const ImageInfo::Plane& found : info.planes)
    if (found.name == plane)
      return found.channels.front();
  return "";
}

class ExrViews : public testing::Test {
 protected:
  ImageInfo infoOf(const std::vector<std::vector<std::string>>& layers,
                   const std::map<std::string, std::string>& named = {}) const {
    Part part;
    for (const std::vector<std::string>& channels : layers)
      part.channels.insert(part.channels.end(), channels.begin(), channels.end());
    writeParts(folder_.file("a.exr"), {part});
    return imageInfo(folder_.file("a.exr"), {.layers = named});
  }

  // As Blender writes them; the second one has no albedo.
  const std::vector<std::vector<std::string>> two_ = {layer("ViewLayer.Combined", "RGBA"),
                                                      layer("ViewLayer.Denoising Albedo", "RGB"),
                                                      layer("ViewLayer.Denoising Normal", "XYZ"),
                                                      layer("ViewLayer.Denoising Depth", "Z"),
                                                      layer("Second.Combined", "RGBA"),
                                                      layer("Second.Denoising Normal", "XYZ"),
                                                      layer("Second.Depth", "Z")};
  const Folder folder_;
};

TEST_F(ExrViews, AllPlanesAreOfTheColoursView) {
  const ImageInfo second = infoOf(two_);
  EXPECT_EQ(second.pictures, (std::vector<std::string>{"Second.Combined", "ViewLayer.Combined"}));
  EXPECT_EQ(namesOf(second, "output"), "Second.Combined.R");
  EXPECT_EQ(namesOf(second, "normal"), "Second.Denoising Normal.X");
  EXPECT_EQ(namesOf(second, "depth"), "Second.Depth.Z");
  EXPECT_EQ(namesOf(second, "albedo"), "") << "ViewLayer's is of another picture";
  for (const char* name : {"ViewLayer.Combined", "ViewLayer"}) {
    const ImageInfo first = infoOf(two_, {{"output", name}});
    EXPECT_EQ(namesOf(first, "output"), "ViewLayer.Combined.R");
    EXPECT_EQ(namesOf(first, "normal"), "ViewLayer.Denoising Normal.X");
    EXPECT_EQ(namesOf(first, "depth"), "ViewLayer.Denoising Depth.Z");
    EXPECT_EQ(namesOf(first, "albedo"), "ViewLayer.Denoising Albedo.R");
  }
}

TEST_F(ExrViews, NamedLayersMayBeOfAnother) {
  const ImageInfo info = infoOf(two_, {{"albedo", "ViewLayer.Denoising Albedo"}, {"depth", "Depth"}});
  EXPECT_EQ(namesOf(info, "output"), "Second.Combined.R");
  EXPECT_EQ(namesOf(info, "albedo"), "ViewLayer.Denoising Albedo.R");
  EXPECT_EQ(namesOf(info, "depth"), "Second.Depth.Z");
}

TEST_F(ExrViews, WhatIsInNoPictureIsForAll) {
  std::vector<std::vector<std::string>> layers = two_;
  layers.push_back(layer("albedo", "RGB"));
  layers.push_back(layer("utility.motion", "XY"));
  for (const char* name : {"Second", "ViewLayer"})
    EXPECT_EQ(namesOf(infoOf(layers, {{"output", name}}), "motion"), "utility.motion.X");
  EXPECT_EQ(namesOf(infoOf(layers), "albedo"), "albedo.R");
}

TEST_F(ExrViews, ACompositeHasThePlanesOfTheOnlyViewWithSome) {
  const ImageInfo info = infoOf({layer("Composite.Combined", "RGBA"), layer("ViewLayer.Combined", "RGBA"),
                                 layer("ViewLayer.Denoising Albedo", "RGB")});
  EXPECT_EQ(namesOf(info, "output"), "Composite.Combined.R");
  EXPECT_EQ(namesOf(info, "albedo"), "ViewLayer.Denoising Albedo.R");
  std::vector<std::vector<std::string>> layers = two_;
  layers.push_back(layer("Composite.Combined", "RGBA"));
  for (const char* plane : {"albedo", "normal", "depth"})
    EXPECT_EQ(namesOf(infoOf(layers), plane), "") << "of which of two views?";
}

TEST_F(ExrViews, NukesNamesEndWithTheView) {
  writeParts(folder_.file("n.exr"), {{"rgba_main", {"red", "green", "blue"}},
                                     {"albedo_main", {"red", "green", "blue"}},
                                     {"normal_main", {"X", "Y", "Z"}},
                                     {"depth_main", {"Z"}}});
  for (const auto& named : {std::map<std::string, std::string>{}, {{"albedo", "albedo_main"}}}) {
    const ImageInfo parts = imageInfo(folder_.file("n.exr"), {.layers = named});
    EXPECT_EQ(namesOf(parts, "output"), "rgba.red");
    EXPECT_EQ(namesOf(parts, "albedo"), "albedo.red");
    EXPECT_EQ(namesOf(parts, "normal"), "normal.X");
    EXPECT_EQ(namesOf(parts, "depth"), "depth.Z");
  }
  const ImageInfo layers = infoOf(
      {{"R", "G", "B"}, layer("main.albedo", "RGB"), layer("normal_main", "XYZ"), layer("depth_main", "Z")});
  EXPECT_EQ(namesOf(layers, "output"), "R");
  EXPECT_EQ(namesOf(layers, "albedo"), "main.albedo.R");
  EXPECT_EQ(namesOf(layers, "normal"), "normal_main.X");
  EXPECT_EQ(namesOf(layers, "depth"), "depth_main.Z");
}

TEST_F(ExrViews, MorePlanesOfTheRenderers) {
  for (const std::vector<std::string>& depth :
       {layer("ViewLayer.Denoising Depth", "Z"), layer("VRayZDepth", "R"), std::vector<std::string>{"Pz"},
        std::vector<std::string>{"VRayZDepth"}, layer("Z_noice", "R")})
    EXPECT_EQ(namesOf(infoOf({layer("x.Combined", "RGB"), depth}), "depth"), depth.front());
  EXPECT_EQ(namesOf(infoOf({{"R", "G", "B"}, layer("N_noice", "XYZ")}), "normal"), "N_noice.X");
}

}  // namespace
}  // namespace lacuna::test
