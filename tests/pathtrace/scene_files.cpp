#include "tests/pathtrace/scene_files.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace lacuna::pathtrace::reference {
namespace {

namespace fs = std::filesystem;

// All digits of a double.
std::string text(const Vec3& v) {
  return fmt::format("{} {} {}", v.x, v.y, v.z);
}

std::string textureText(const Scene& scene, const Texture& texture) {
  const std::string scale = fmt::format("scale {} {}", texture.scale.x, texture.scale.y);
  switch (texture.kind) {
    case Texture::Kind::constant:
      return "albedo " + text(texture.colour);
    case Texture::Kind::checker:
      return fmt::format("checker {} {} {}", text(texture.colour), text(texture.other), scale);
    case Texture::Kind::image:
      break;
  }
  const Image& image = scene.images[static_cast<size_t>(texture.image)];
  const std::string file = image.pixels.empty() ? image.file : fmt::format("image{}.pfm", texture.image);
  return fmt::format("image \"{}\" {}", file, scale);
}

std::string materialText(const Scene& scene, const Material& material) {
  switch (material.surface) {
    case Surface::diffuse:
      return "diffuse " + textureText(scene, material.albedo);
    case Surface::glossy:
      return fmt::format("glossy {} roughness {}", textureText(scene, material.albedo), material.roughness);
    case Surface::mirror:
      return "mirror " + textureText(scene, material.albedo);
    case Surface::glass:
      return fmt::format("glass {} ior {}", textureText(scene, material.albedo), material.ior);
    case Surface::emissive:
      break;
  }
  return "emissive radiance " + text(material.radiance);
}

std::string poseText(const Pose& pose) {
  const Quaternion& q = pose.rotate;
  const double sine = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const double degrees = 2 * std::atan2(sine, q.w) * 180 / std::numbers::pi;
  const Vec3 axis = sine > 1e-12 ? Vec3{q.x, q.y, q.z} * (1 / sine) : Vec3{0, 1, 0};
  const Vec3& s = pose.scale;
  const std::string scale = s.x == s.y && s.x == s.z ? fmt::format("{}", s.x) : text(s);
  return fmt::format("translate {}  rotate {} {}  scale {}", text(pose.translate), text(axis), degrees,
                     scale);
}

std::string cameraText(const CameraKey& key) {
  return fmt::format("eye {}  target {}  up {}  fov {}  aperture {}  focus {}", text(key.eye),
                     text(key.target), text(key.up), key.fov, key.aperture, key.focus);
}

template <class Key, class Print>
std::string keyLines(const std::vector<Key>& keys, const Print& print) {
  std::string lines;
  for (size_t i = keys.size() == 1 || keys.front().frame == 0 ? 1 : 0; i < keys.size(); ++i)
    lines += fmt::format("  at {} {}\n", keys[i].frame, print(keys[i]));
  return lines;
}

std::string cornerText(const Triangle& triangle, size_t i) {
  std::string corner = std::to_string(triangle.positions[i] + 1);
  if (triangle.uvs[0] != none || triangle.normals[0] != none) {
    corner += '/';
    corner += triangle.uvs[0] != none ? std::to_string(triangle.uvs[i] + 1) : "";
  }
  return corner + (triangle.normals[0] != none ? fmt::format("/{}", triangle.normals[i] + 1) : "");
}

// Materials of triangles: each applies to all triangles from its first one on.
std::string objText(const Mesh& mesh) {
  std::string obj;
  for (const Vec3& v : mesh.positions)
    obj += fmt::format("v {}\n", text(v));
  for (const Vec2& v : mesh.uvs)
    obj += fmt::format("vt {} {}\n", v.x, v.y);
  for (const Vec3& v : mesh.normals)
    obj += fmt::format("vn {}\n", text(v));
  int material = none;
  for (const Triangle& t : mesh.triangles) {
    if (t.material != material) {
      if (t.material == none)
        throw std::logic_error("an OBJ file cannot return to the object's material");
      obj += fmt::format("usemtl m{}\n", t.material);
      material = t.material;
    }
    obj += fmt::format("f {} {} {}\n", cornerText(t, 0), cornerText(t, 1), cornerText(t, 2));
  }
  return obj;
}

// Rows from the bottom, in this machine's order of bytes.
void writePfm(const fs::path& path, const Image& image) {
  static_assert(std::endian::native == std::endian::little);
  std::string content = fmt::format("PF\n{} {}\n-1.0\n", image.width, image.height);
  const size_t row = static_cast<size_t>(image.width);
  for (size_t y = static_cast<size_t>(image.height); y-- > 0;)
    content.append(reinterpret_cast<const char*>(&image.pixels[y * row]), row * sizeof image.pixels[0]);
  test::spill(path, content);
}

}  // namespace

std::string writeScene(const Scene& scene, const fs::path& folder) {
  std::string lines = fmt::format("scene:1\ncamera {}\n", cameraText(scene.camera.front()));
  lines += keyLines(scene.camera, cameraText);
  lines += fmt::format("background {}\n", text(scene.background));
  for (size_t i = 0; i < scene.materials.size(); ++i)
    lines += fmt::format("material m{} {}\n", i, materialText(scene, scene.materials[i]));
  for (size_t i = 0; i < scene.images.size(); ++i)
    if (!scene.images[i].pixels.empty())
      writePfm(folder / fmt::format("image{}.pfm", i), scene.images[i]);
  for (size_t i = 0; i < scene.meshes.size(); ++i) {
    test::spill(folder / fmt::format("mesh{}.obj", i), objText(scene.meshes[i]));
    lines += fmt::format("mesh mesh{0} \"mesh{0}.obj\"\n", i);
  }
  for (size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& o = scene.objects[i];
    const std::string shape = o.mesh == none ? "sphere" : fmt::format("mesh mesh{}", o.mesh);
    lines +=
        fmt::format("object o{} {} material m{}  {}\n", i, shape, o.material, poseText(o.keys.front().pose));
    lines += keyLines(o.keys, [](const PoseKey& key) { return poseText(key.pose); });
  }
  const fs::path path = folder / "test.scene";
  test::spill(path, lines);
  return path.string();
}

}  // namespace lacuna::pathtrace::reference
