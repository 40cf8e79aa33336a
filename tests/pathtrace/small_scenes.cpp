#include "tests/pathtrace/small_scenes.h"

#include "pathtrace/scene/pose.h"

namespace lacuna::pathtrace::reference {

Material plain(Surface surface, const Vec3& albedo) {
  Material m;
  m.surface = surface;
  m.albedo.colour = albedo;
  return m;
}

Material glossy(const Vec3& albedo, double roughness) {
  Material m = plain(Surface::glossy, albedo);
  m.roughness = roughness;
  return m;
}

Material lamp(const Vec3& radiance) {
  Material m;
  m.surface = Surface::emissive;
  m.radiance = radiance;
  return m;
}

int addRectangle(Scene& scene, const Vec3& corner, const Vec3& edge1, const Vec3& edge2) {
  Mesh mesh;
  mesh.positions = {corner, corner + edge1, corner + edge1 + edge2, corner + edge2};
  mesh.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (const std::array<int, 3> corners : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
    Triangle triangle;
    triangle.positions = corners;
    triangle.uvs = corners;
    mesh.triangles.push_back(triangle);
  }
  scene.meshes.push_back(std::move(mesh));
  return static_cast<int>(scene.meshes.size()) - 1;
}

void addObject(Scene& scene, int mesh, const Material& material, const Pose& pose) {
  scene.materials.push_back(material);
  Object object;
  object.mesh = mesh;
  object.material = static_cast<int>(scene.materials.size()) - 1;
  object.keys = {{0, pose}};
  scene.objects.push_back(object);
}

Scene sphereOf(const Material& material) {
  Scene scene;
  scene.camera = {{0, {0, 0, 4}, {0, 0, 0}}};
  addObject(scene, none, material);
  return scene;
}

Scene room() {
  Scene s;
  s.camera = {{0, {0.03, 1.05, 3.6}, {0.01, 1, 0}}};  // no edge runs along pixels' centres
  s.camera[0].fov = 38;
  const Material white = plain(Surface::diffuse, {0.75, 0.75, 0.75});
  const auto wall = [&](const Vec3& corner, const Vec3& edge1, const Vec3& edge2, const Material& m) {
    addObject(s, addRectangle(s, corner, edge1, edge2), m);
  };
  Material floor = white;
  floor.albedo.kind = Texture::Kind::checker;
  floor.albedo.other = {0.2, 0.3, 0.5};
  floor.albedo.scale = {6, 4};
  wall({-1, 0, 1}, {2, 0, 0}, {0, 0, -2}, floor);
  wall({-1, 2, -1}, {2, 0, 0}, {0, 0, 2}, white);
  wall({-1, 0, -1}, {2, 0, 0}, {0, 2, 0}, white);
  wall({-1, 0, 1}, {0, 0, -2}, {0, 2, 0}, plain(Surface::diffuse, {0.65, 0.06, 0.05}));
  wall({1, 0, -1}, {0, 0, 2}, {0, 2, 0}, plain(Surface::diffuse, {0.12, 0.45, 0.1}));
  wall({-0.4, 1.98, -0.4}, {0.8, 0, 0}, {0, 0, 0.8}, lamp({9, 8, 6}));
  wall({-0.7, 0.1, -0.6}, {0.7, 0.1, -0.2}, {0.1, 0.9, 0}, glossy({0.9, 0.8, 0.5}, 0.4));
  addObject(s, none, glossy({0.9, 0.6, 0.6}, 0.25), {{-0.5, 0.3, 0.4}, {}, {0.3, 0.3, 0.3}});
  addObject(s, none, plain(Surface::mirror, {0.9, 0.9, 0.9}), {{0.55, 0.35, -0.2}, {}, {0.25, 0.35, 0.25}});
  addObject(s, none, plain(Surface::glass, {0.95, 1, 0.95}), {{0.3, 0.25, 0.6}, {}, {0.25, 0.25, 0.25}});
  return s;
}

}  // namespace lacuna::pathtrace::reference
