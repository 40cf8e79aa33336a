// Wavefront OBJ as scenes read it.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "pathtrace/scene/read_parts.h"
#include "tests/pathtrace_scene/sound.h"
#include "tests/support/folder.h"

namespace lacuna::pathtrace {
namespace {

class Obj : public ::testing::Test {
 protected:
  void SetUp() override {
    scene_ = diagnostics_.addFile("a.scene", "mesh m\n");
    materials_["white"] = {0, {}};
    materials_["two words"] = {1, {}};
  }

  std::optional<Mesh> read(const std::string& text) {
    return readObj(folder_.write("a.obj", text), {"m", {scene_, 1, 6, 1}, false}, materials_, diagnostics_);
  }

  const test::Folder folder_;
  Diagnostics diagnostics_;
  int scene_ = -1;
  Names materials_;
};

TEST_F(Obj, AllFormsOfFaces) {
  const auto mesh = read(
      "v 0 0 0\nv 1 0 0\nv 0 1 0 1.0\nv 0 0 1 0.5 0.5 0.5\nvt 0 0\nvt 1 0 0\nvt +0.5 1e0\nvn 0 0 2\n"
      "f 1 2 3\nf 1/1 2/2 3/3\nf 1//1 2//1 3//1\nf 1/1/1 2/2/1 3/3/1\n");
  ASSERT_EQ(diagnostics_.render(), "");
  ASSERT_EQ(mesh->triangles.size(), 4U);
  for (const Triangle& t : mesh->triangles) {
    EXPECT_EQ(t.positions, (std::array<int, 3>{0, 1, 2}));
    EXPECT_EQ(t.material, none);
  }
  const std::array<int, 3> no{none, none, none}, uvs{0, 1, 2}, normals{0, 0, 0};
  EXPECT_EQ(mesh->triangles[0].uvs, no);
  EXPECT_EQ(mesh->triangles[0].normals, no);
  EXPECT_EQ(mesh->triangles[1].uvs, uvs);
  EXPECT_EQ(mesh->triangles[1].normals, no);
  EXPECT_EQ(mesh->triangles[2].uvs, no);
  EXPECT_EQ(mesh->triangles[2].normals, normals);
  EXPECT_EQ(mesh->triangles[3].uvs, uvs);
  EXPECT_EQ(mesh->triangles[3].normals, normals);
  EXPECT_EQ(mesh->normals[0], (Vec3{0, 0, 1}));
  EXPECT_EQ(mesh->uvs[2], (Vec2{0.5, 1}));
}

TEST_F(Obj, NegativeIndicesCountFromTheFace) {
  const auto mesh = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -3 -1\n");
  ASSERT_EQ(diagnostics_.render(), "");
  EXPECT_EQ(mesh->triangles[0].positions, (std::array<int, 3>{0, 1, 2}));
  EXPECT_EQ(mesh->triangles[1].positions, (std::array<int, 3>{0, 1, 3}));
}

TEST_F(Obj, FacesMayStandBeforeTheirVertices) {
  const auto mesh = read("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
  EXPECT_EQ(diagnostics_.render(), "");
  EXPECT_EQ(mesh->triangles.size(), 1U);
}

TEST_F(Obj, PolygonsBecomeFans) {
  const auto mesh = read("v 0 0 0\nv 1 0 0\nv 1.3 0.6 0\nv 0.5 1 0\nv -0.3 0.6 0\nf 1 2 3 4 5\n");
  ASSERT_EQ(diagnostics_.render(), "");
  ASSERT_EQ(mesh->triangles.size(), 3U);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(mesh->triangles[static_cast<size_t>(i)].positions, (std::array<int, 3>{0, i + 1, i + 2}));
}

TEST_F(Obj, MaterialsAreTheScenes) {
  const auto right = read(
      "o thing\ng a b\ns off\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nusemtl two words  \r\nf 1 2 3\r\n"
      "usemtl white\n\tf 3 2 1 # back\n# end");
  ASSERT_EQ(diagnostics_.render(), "");
  ASSERT_EQ(right->triangles.size(), 3U);
  EXPECT_EQ(right->triangles[0].material, none);
  EXPECT_EQ(right->triangles[1].material, 1);
  EXPECT_EQ(right->triangles[2].material, 0);
}

TEST_F(Obj, ManyErrorsEnd) {
  std::string text = "v 0 0 0\n";
  for (int i = 0; i < 1000; ++i)
    text += "f 1 2 3\nv 0 x 0\n";
  EXPECT_FALSE(read(text));
  EXPECT_EQ(diagnostics_.sorted().size(), 20U);
  EXPECT_NE(diagnostics_.render().find("reading stopped after"), std::string::npos);
}

TEST_F(Obj, DegenerateOnesAreCountedOnce) {
  const auto mesh = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 0 0\nf 1 2 3\nf 1 2 4\nf 1 1 2\nf 2 3 4\n");
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangles.size(), 2U);
  const auto all = diagnostics_.sorted();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].isWarning);
  EXPECT_EQ(all[0].where.line, 6);
  EXPECT_EQ(all[0].message, "2 triangles without area left out, this is the first (mesh 'm', a.scene:1)");
}

// A wavy sheet of 100 000 triangles with normals and texture coordinates.
TEST_F(Obj, LargeOnesAreReadWhole) {
  constexpr int columns = 250, rows = 200;
  std::ostringstream text;
  for (int y = 0; y <= rows; ++y) {
    for (int x = 0; x <= columns; ++x) {
      text << "v " << 0.01 * x << ' ' << 0.1 * std::sin(0.3 * x + 0.2 * y) << ' ' << 0.01 * y << "\nvt "
           << double(x) / columns << ' ' << double(y) / rows << "\nvn 0.1 0.9 0.2\n";
    }
  }
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const int a = y * (columns + 1) + x + 1, b = a + 1, c = b + columns + 1, d = c - 1;
      text << "f " << a << '/' << a << '/' << a << ' ' << b << '/' << b << '/' << b << ' ' << c << '/' << c
           << '/' << c << ' ' << d << '/' << d << '/' << d << '\n';
    }
  }
  const auto mesh = read(text.str());
  EXPECT_EQ(diagnostics_.render(), "");
  EXPECT_EQ(mesh->triangles.size(), 100000U);
  Scene scene;
  scene.camera[0].eye = {0, 0, 1};
  scene.meshes.push_back(*mesh);
  expectSound(scene);
}

}  // namespace
}  // namespace lacuna::pathtrace
