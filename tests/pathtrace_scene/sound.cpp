#include "tests/pathtrace_scene/sound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pathtrace/scene/pose.h"

namespace lacuna::pathtrace {
namespace {

bool isFinite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool inUnit(const Vec3& v) {
  return v.x >= 0 && v.x <= 1 && v.y >= 0 && v.y <= 1 && v.z >= 0 && v.z <= 1;
}

void expectIndex(int index, size_t count) {
  ASSERT_GE(index, 0);
  ASSERT_LT(static_cast<size_t>(index), count);
}

void expectSound(const Mesh& mesh, const Scene& scene) {
  SCOPED_TRACE(mesh.name);
  EXPECT_FALSE(mesh.triangles.empty());
  for (const Vec3& p : mesh.positions)
    ASSERT_TRUE(isFinite(p));
  for (const Vec3& n : mesh.normals)
    ASSERT_NEAR(length(n), 1, 1e-9);
  for (const Triangle& t : mesh.triangles) {
    Vec3 p[3];
    for (size_t i = 0; i < 3; ++i) {
      ASSERT_NO_FATAL_FAILURE(expectIndex(t.positions[i], mesh.positions.size()));
      p[i] = mesh.positions[static_cast<size_t>(t.positions[i])];
      ASSERT_EQ(t.normals[i] == none, t.normals[0] == none);
      ASSERT_EQ(t.uvs[i] == none, t.uvs[0] == none);
      if (t.normals[i] != none)
        ASSERT_NO_FATAL_FAILURE(expectIndex(t.normals[i], mesh.normals.size()));
      if (t.uvs[i] != none)
        ASSERT_NO_FATAL_FAILURE(expectIndex(t.uvs[i], mesh.uvs.size()));
    }
    ASSERT_GT(length(cross(p[1] - p[0], p[2] - p[0])), 0);
    if (t.material != none)
      ASSERT_NO_FATAL_FAILURE(expectIndex(t.material, scene.materials.size()));
  }
}

void expectSound(const Material& material, const Scene& scene) {
  SCOPED_TRACE(material.name);
  EXPECT_TRUE(inUnit(material.albedo.colour));
  EXPECT_TRUE(inUnit(material.albedo.other));
  EXPECT_GT(material.albedo.scale.x, 0);
  EXPECT_GT(material.albedo.scale.y, 0);
  EXPECT_GE(material.roughness, 0.03);
  EXPECT_LE(material.roughness, 1);
  EXPECT_GT(material.ior, 1);
  EXPECT_LE(material.ior, 4);
  EXPECT_TRUE(isFinite(material.radiance));
  EXPECT_GE(std::min({material.radiance.x, material.radiance.y, material.radiance.z}), 0);
  if (material.albedo.kind == Texture::Kind::image)
    ASSERT_NO_FATAL_FAILURE(expectIndex(material.albedo.image, scene.images.size()));
}

void expectSound(const Object& object, const Scene& scene) {
  SCOPED_TRACE(object.name);
  ASSERT_NO_FATAL_FAILURE(expectIndex(object.material, scene.materials.size()));
  if (object.mesh != none)
    ASSERT_NO_FATAL_FAILURE(expectIndex(object.mesh, scene.meshes.size()));
  ASSERT_FALSE(object.keys.empty());
  for (size_t i = 0; i < object.keys.size(); ++i) {
    const Pose& pose = object.keys[i].pose;
    EXPECT_TRUE(i == 0 || object.keys[i].frame > object.keys[i - 1].frame);
    EXPECT_TRUE(isFinite(pose.translate) && isFinite(pose.scale));
    EXPECT_GT(std::min({pose.scale.x, pose.scale.y, pose.scale.z}), 0);
    const Quaternion& q = pose.rotate;
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-9);
  }
}

}  // namespace

void expectSound(const Scene& scene) {
  for (const Image& image : scene.images) {
    EXPECT_GT(image.width, 0);
    EXPECT_EQ(image.pixels.size(), static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
    for (const auto& pixel : image.pixels)
      ASSERT_TRUE(inUnit({pixel[0], pixel[1], pixel[2]})) << image.file;
  }
  for (const Material& material : scene.materials)
    expectSound(material, scene);
  for (const Mesh& mesh : scene.meshes)
    expectSound(mesh, scene);
  for (const Object& object : scene.objects)
    expectSound(object, scene);
  ASSERT_FALSE(scene.camera.empty());
  for (size_t i = 0; i < scene.camera.size(); ++i) {
    const CameraKey& key = scene.camera[i];
    EXPECT_TRUE(i == 0 || key.frame > scene.camera[i - 1].frame);
    EXPECT_GT(length(cross(key.target - key.eye, key.up)), 0);
    const Lens lens = lensAt(scene.camera, key.frame, 16, 9);
    EXPECT_TRUE(isFinite(lens.eye) && isFinite(lens.right) && isFinite(lens.up) && isFinite(lens.forward));
    EXPECT_GT(lens.focus, 0);
  }
}

}  // namespace lacuna::pathtrace
