// The meaning of a scene file's words.

#include "pathtrace/scene/scene.h"

#include <gtest/gtest.h>

#include "modules/codecs/image_file.h"
#include "pathtrace/scene/pose.h"
#include "tests/pathtrace_scene/sound.h"
#include "tests/support/folder.h"

namespace lacuna::pathtrace {
namespace {

Scene read(const std::string& lines, const std::string& messages = "") {
  Diagnostics diagnostics;
  Scene scene =
      parseScene("scene:1\ncamera eye 0 0 5 target 0 0 0\nbackground 1\n" + lines, "a.scene", diagnostics);
  EXPECT_EQ(diagnostics.render(), messages);
  return scene;
}

TEST(ReadScene, Materials) {
  const Scene scene = read(
      "object o sphere material a\n"
      "material a diffuse\nmaterial b glossy albedo 0.1 0.2 0.3 roughness 0.5\nmaterial c mirror\n"
      "material d glass ior 1.7 albedo 0.9\nmaterial e emissive radiance 3\n"
      "material f diffuse checker 0.1 0.2 0.3 0.4 0.5 0.6 scale 2 3\nmaterial g diffuse checker 1 0.5 scale "
      "4\n");
  const auto& m = scene.materials;
  ASSERT_EQ(m.size(), 7U);
  EXPECT_EQ(m[0].albedo.colour, (Vec3{0.8, 0.8, 0.8}));
  EXPECT_EQ(m[1].surface, Surface::glossy);
  EXPECT_EQ(m[1].albedo.colour, (Vec3{0.1, 0.2, 0.3}));
  EXPECT_EQ(m[1].roughness, 0.5);
  EXPECT_EQ(m[2].albedo.colour, (Vec3{1, 1, 1}));
  EXPECT_EQ(m[3].ior, 1.7);
  EXPECT_EQ(m[3].albedo.colour, (Vec3{0.9, 0.9, 0.9}));
  EXPECT_EQ(m[4].radiance, (Vec3{3, 3, 3}));
  EXPECT_EQ(m[5].albedo.kind, Texture::Kind::checker);
  EXPECT_EQ(m[5].albedo.other, (Vec3{0.4, 0.5, 0.6}));
  EXPECT_EQ(m[5].albedo.scale, (Vec2{2, 3}));
  EXPECT_EQ(m[6].albedo.colour, (Vec3{1, 1, 1}));
  EXPECT_EQ(m[6].albedo.other, (Vec3{0.5, 0.5, 0.5}));
  EXPECT_EQ(m[6].albedo.scale, (Vec2{4, 4}));
}

TEST(ReadScene, LinesInAnyOrderAndMeshesShared) {
  const Scene scene = read(
      "object a cube material m\nobject b torus tube 0.2 material m\nobject c torus material m tube .2\n"
      "object d torus material m\nobject e sphere material m\nmaterial m diffuse\n");
  ASSERT_EQ(scene.objects.size(), 5U);
  EXPECT_EQ(scene.meshes.size(), 3U);
  EXPECT_EQ(scene.objects[1].mesh, scene.objects[2].mesh);
  EXPECT_NE(scene.objects[1].mesh, scene.objects[3].mesh);
  EXPECT_EQ(scene.objects[4].mesh, none);
  expectSound(scene);
}

TEST(ReadScene, PosesAreScaledTurnedMoved) {
  const Scene scene = read(
      "material m diffuse\n"
      "object a cube material m translate 1 2 3 rotate 1 0 0 90 rotate 0 0 1 90 scale 2 1 1\n");
  // A point at 2 on x: the first turn keeps it, the second moves it to y.
  const Vec3 p = mapPoint(objectToWorld(poseAt(scene.objects[0], 0)), {1, 0, 0});
  EXPECT_NEAR(p.x, 1, 1e-12);
  EXPECT_NEAR(p.y, 4, 1e-12);
  EXPECT_NEAR(p.z, 3, 1e-12);
}

TEST(ReadScene, KeyframesChangeWhatTheyName) {
  const Scene scene = read(
      "material m diffuse\nobject a cube material m translate 1 0 0 scale 2\n"
      "  at 10 translate 3 0 0\nat 20 scale 1\n"
      "object b cube material m translate 1 0 0\nat 0 translate 2 0 0\nat 4 translate 4 0 0\n"
      "object c cube material m\nat -5 translate 1 0 0\nat 5 translate 3 0 0\n");
  const auto& a = scene.objects[0].keys;
  ASSERT_EQ(a.size(), 3U);
  EXPECT_EQ(a[0].frame, 0);
  EXPECT_EQ(a[1].frame, 10);
  EXPECT_EQ(a[1].pose.translate.x, 3);
  EXPECT_EQ(a[1].pose.scale.x, 2);
  EXPECT_EQ(a[2].pose.translate.x, 3);
  EXPECT_EQ(a[2].pose.scale.x, 1);
  EXPECT_EQ(poseAt(scene.objects[0], 5).translate.x, 2);
  EXPECT_EQ(scene.objects[1].keys.size(), 2U) << "`at 0` is the first key itself";
  EXPECT_EQ(poseAt(scene.objects[1], 0).translate.x, 2);
  EXPECT_EQ(scene.objects[2].keys.size(), 2U);
  EXPECT_EQ(poseAt(scene.objects[2], 0).translate.x, 2);
}

TEST(ReadScene, WarnsOfWholeTurns) {
  read(
      "material m diffuse\nobject a cube material m\nat 10 rotate 0 1 0 360\nat 20 rotate 0 1 0 500\n",
      "a.scene:6:7: warning: from key to key an object turns the shorter way, by less than half a turn: give "
      "keys between\n  at 10 rotate 0 1 0 360\n        ^~~~~~\n");
}

class Textures : public ::testing::Test {
 protected:
  Image load(const std::string& codec, const ValueType& type, const void* pixels) {
    const std::string file = "picture." + codec;
    writeImage(codec, folder_.file(file),
               {{"output", type, {static_cast<const std::byte*>(pixels), byteSize(type)}}});
    messages_ = {};
    const Scene scene =
        parseScene("scene:1\nbackground 1\ncamera eye 0 0 5 target 0 0 0\nmaterial a diffuse image \"" +
                       file + "\"\nmaterial b diffuse image \"./" + file + "\"\nobject o sphere material a\n",
                   folder_.file("a.scene"), messages_);
    EXPECT_EQ(scene.images.size(), 1U) << "a file is read once\n" << messages_.render();
    return scene.images.empty() ? Image{} : scene.images[0];
  }

  const test::Folder folder_;
  Diagnostics messages_;
};

TEST_F(Textures, PngIsDecodedFromSrgb) {
  const uint8_t pixels[] = {255, 128, 0, 255, 10, 188, 64, 255};
  const Image image = load("png", {Channels::rgba, Format::u8, ColourTag::rec709, {2, 1}}, pixels);
  EXPECT_EQ(messages_.render(), "");
  ASSERT_EQ(image.pixels.size(), 2U);
  EXPECT_FLOAT_EQ(image.pixels[0][0], 1);
  EXPECT_NEAR(image.pixels[0][1], 0.21586, 1e-5);  // ((128 / 255 + 0.055) / 1.055)^2.4
  EXPECT_FLOAT_EQ(image.pixels[0][2], 0);
  EXPECT_NEAR(image.pixels[1][0], 10 / 255.0 / 12.92, 1e-6);
  EXPECT_NEAR(image.pixels[1][1], 0.50289, 1e-5);
}

TEST_F(Textures, WidePrimariesBecomeRec709) {
  // Grey stays grey; a green of Rec. 2020 is outside Rec. 709 and is clipped without a warning.
  const uint16_t pixels[] = {30000, 30000, 30000, 65535, 0, 65535, 0, 65535};
  const Image image = load("png", {Channels::rgba, Format::u16, ColourTag::rec2020, {2, 1}}, pixels);
  EXPECT_EQ(messages_.render(), "");
  ASSERT_EQ(image.pixels.size(), 2U);
  EXPECT_NEAR(image.pixels[0][0], image.pixels[0][2], 1e-5);
  EXPECT_EQ(image.pixels[1], (std::array<float, 3>{0, 1, 0}));
}

TEST_F(Textures, FloatsAreLinearAndBroughtIntoRange) {
  const float pixels[] = {0.25F, 1.5F, -0.5F, 1, std::nanf(""), 0.5F, 1, 1, 0.1F, 0.2F, 0.3F, 1};
  for (const char* codec : {"pfm", "exr"}) {
    const Image image = load(codec, {Channels::rgba, Format::f32, ColourTag::rec709, {3, 1}}, pixels);
    ASSERT_EQ(image.pixels.size(), 3U) << codec;
    EXPECT_EQ(image.pixels[0], (std::array<float, 3>{0.25F, 1, 0}));
    EXPECT_EQ(image.pixels[1], (std::array<float, 3>{0, 0.5F, 1}));
    EXPECT_EQ(image.pixels[2], (std::array<float, 3>{0.1F, 0.2F, 0.3F}));
    EXPECT_NE(messages_.render().find("warning: 2 pixels"), std::string::npos) << messages_.render();
    EXPECT_FALSE(messages_.hasErrors());
  }
}

}  // namespace
}  // namespace lacuna::pathtrace
