#include "pathtrace/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>

#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/pose.h"
#include "pathtrace/scene/procedural.h"

namespace lacuna::pathtrace {
namespace {

constexpr double roomHalf = 7, roomHeight = 5;  // metres, for example
constexpr double spread = 1.9;                  // objects stand within this of the middle
constexpr double lastFrame = 64;
constexpr int shapeCount = 7;

// A point on the unit circle of the floor.
Vec3 aside(double degrees) {
  return {std::cos(radians(degrees)), 0, std::sin(radians(degrees))};
}

// Saturated to grey, not too dark.
Vec3 randomColour(RandomNumbers& random) {
  const double hue = random.between(0, 6), saturation = std::sqrt(random.between(0, 1)) * 0.85;
  const double value = random.between(0.35, 0.9);
  const auto component = [&](double offset) {
    const double k = std::fmod(offset + hue, 6.0);
    return value * (1 - saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0));
  };
  const double red = component(5), green = component(3);
  return {red, green, component(1)};
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  Scene make() {
    moves_ = random_.chance(0.5);
    if (random_.chance(0.6)) {
      const double brightness = random_.between(0.05, 0.6);
      scene_.background = Vec3{0.8, 0.9, 1.0} * brightness;
    }
    tube_ = random_.between(0.15, 0.45);
    addRoom();
    const int objects = random_.whole(4, 10);
    for (int i = 0; i < objects; ++i)
      addObject();
    addLights();
    addCamera();
    return std::move(scene_);
  }

 private:
  struct Standing {
    double x, z, radius;
  };
  struct ShapeMesh {
    int mesh;       // none: the sphere
    double lowest;  // y
    double around;  // largest distance from the y axis
  };

  // Operands are evaluated in any order, so random numbers are drawn one by one.
  Vec3 away(double least, double most) {
    const Vec3 direction = aside(random_.between(0, 360));
    return direction * random_.between(least, most);
  }

  int addMaterial(Material material) {
    material.name = fmt::format("material-{}", scene_.materials.size());
    scene_.materials.push_back(std::move(material));
    return static_cast<int>(scene_.materials.size()) - 1;
  }
  Object& add(const std::string& kind, int mesh, int material, const Pose& pose) {
    Object object;
    object.name = fmt::format("{}-{}", kind, scene_.objects.size());
    object.mesh = mesh;
    object.material = material;
    object.keys = {{0, pose}};
    scene_.objects.push_back(std::move(object));
    return scene_.objects.back();
  }
  int addMesh(Mesh mesh) {
    mesh.name = fmt::format("mesh-{}", scene_.meshes.size());
    scene_.meshes.push_back(std::move(mesh));
    return static_cast<int>(scene_.meshes.size()) - 1;
  }

  Texture randomTexture(double repeats) {
    Texture texture;
    texture.colour = randomColour(random_);
    texture.other = randomColour(random_);
    texture.scale = {repeats, repeats};
    texture.kind = random_.chance(0.4) ? Texture::Kind::checker : Texture::Kind::image;
    if (texture.kind == Texture::Kind::image) {
      const auto pattern = static_cast<Pattern>(random_.whole(0, patternCount - 1));
      texture.image = static_cast<int>(scene_.images.size());
      scene_.images.push_back(drawPattern(pattern, texture.colour, texture.other, random_));
    }
    return texture;
  }

  void addRoom() {
    Material floor;
    floor.albedo = randomTexture(random_.between(3, 12));
    if (random_.chance(0.25)) {
      floor.surface = Surface::glossy;
      floor.roughness = random_.between(0.1, 0.6);
    }
    const double h = roomHalf;
    add("floor", addMesh(rectangle({-h, 0, -h}, {0, 0, 2 * h}, {2 * h, 0, 0})), addMaterial(floor), {});
    if (!random_.chance(0.6))
      return;
    const Vec3 up{0, roomHeight, 0};
    const Vec3 corners[] = {{-h, 0, -h}, {h, 0, -h}, {h, 0, h}, {-h, 0, h}};
    for (size_t i = 0; i < 4; ++i) {
      const Vec3 along = corners[(i + 1) % 4] - corners[i];
      add("wall", addMesh(rectangle(corners[i], along, up)), addMaterial(wall()), {});
    }
    if (random_.chance(0.5)) {
      add("ceiling", addMesh(rectangle(Vec3{-h, 0, -h} + up, {2 * h, 0, 0}, {0, 0, 2 * h})),
          addMaterial(wall()), {});
    }
  }
  Material wall() {
    Material material;
    const double grey = random_.between(0.5, 0.85);
    material.albedo.colour = random_.chance(0.3) ? randomColour(random_) : Vec3{grey, grey, grey};
    if (random_.chance(0.15))
      material.albedo = randomTexture(random_.between(2, 6));
    return material;
  }

  // Made when an object first uses it.
  const ShapeMesh& shape(size_t kind) {
    if (!shapes_[kind])
      shapes_[kind] = makeShape(kind);
    return *shapes_[kind];
  }
  ShapeMesh makeShape(size_t kind) {
    const std::function<Mesh()> meshes[shapeCount - 1] = {cube,
                                                          [this] { return torus(tube_, 48); },
                                                          [] { return cylinder(48); },
                                                          [] { return cone(48); },
                                                          [] { return teapot(40); },
                                                          [] { return head(64); }};
    if (kind == shapeCount - 1)
      return {none, -1, 1};
    Mesh mesh = meshes[kind]();
    ShapeMesh made{};
    for (const Vec3& p : mesh.positions) {
      made.lowest = std::min(made.lowest, p.y);
      made.around = std::max(made.around, std::hypot(p.x, p.z));
    }
    made.mesh = addMesh(std::move(mesh));
    return made;
  }

  Material randomMaterial() {
    Material material;
    const double kind = random_.between(0, 1);
    material.albedo.colour = randomColour(random_);
    if (kind < 0.45) {
      material.surface = Surface::diffuse;
    } else if (kind < 0.75) {
      material.surface = Surface::glossy;
      material.roughness = random_.between(0.08, 0.7);
    } else if (kind < 0.85) {
      material.surface = Surface::mirror;
      material.albedo.colour = Vec3{0.5, 0.5, 0.5} + randomColour(random_) * 0.5;
    } else {
      material.surface = Surface::glass;
      material.ior = random_.between(1.3, 1.8);
      material.albedo.colour = Vec3{0.7, 0.7, 0.7} + randomColour(random_) * 0.3;
    }
    const bool isOpaque = material.surface == Surface::diffuse || material.surface == Surface::glossy;
    if (isOpaque && random_.chance(0.25))
      material.albedo = randomTexture(random_.between(1, 6));
    return material;
  }

  // A place where a circle touches none of the others; if all tries fail, the last one is used.
  Standing place(double radius) {
    Standing found{};
    for (int attempt = 0; attempt < 40; ++attempt) {
      const double x = random_.between(-spread, spread);
      found = {x, random_.between(-spread, spread), radius};
      const bool isFree = std::ranges::none_of(standing_, [&](const Standing& other) {
        return std::hypot(found.x - other.x, found.z - other.z) < found.radius + other.radius;
      });
      if (isFree)
        break;
    }
    standing_.push_back(found);
    return found;
  }

  void addObject() {
    const ShapeMesh& mesh = shape(static_cast<size_t>(random_.whole(0, shapeCount - 1)));
    const double size = random_.between(0.25, 0.75);
    const Standing at = place(size * mesh.around);
    Pose pose;
    pose.scale = {size, size * random_.between(0.7, 1.3), size};
    pose.translate = {at.x, -mesh.lowest * pose.scale.y, at.z};
    const double turn = random_.between(0, 360);
    pose.rotate = rotation({0, 1, 0}, turn);
    const int material = addMaterial(randomMaterial());
    Object& object = add("object", mesh.mesh, material, pose);
    if (moves_ && random_.chance(0.75))
      moveObject(object, turn);
  }

  // Moves an object in steps of 16 frames: some turn, some wander, some jump.
  void moveObject(Object& object, double turn) {
    const double turning = random_.chance(0.6) ? random_.between(-90, 90) : 0;
    const Vec3 going = random_.chance(0.6) ? away(0.05, 0.25) : Vec3{};
    const double jump = random_.chance(0.3) ? random_.between(0.2, 0.9) : 0;
    for (int step = 1; step * 16.0 <= lastFrame; ++step) {
      PoseKey key = object.keys.front();
      key.frame = 16.0 * step;
      key.pose.rotate = rotation({0, 1, 0}, turn + turning * step);
      key.pose.translate = key.pose.translate + going * step + Vec3{0, step % 2 == 1 ? jump : 0, 0};
      object.keys.push_back(key);
    }
  }

  // Rectangles above, that face the middle. Their light at the middle is about the same in every scene.
  void addLights() {
    const int lights = random_.whole(1, 3);
    const double power = random_.between(30, 80) / lights;
    for (int i = 0; i < lights; ++i) {
      const double above = random_.between(2.8, roomHeight - 0.3);
      const Vec3 middle = away(0, 3) + Vec3{0, above, 0};
      const Vec3 facing = normalised(Vec3{0, 0.3, 0} - middle);
      const Vec3 x = normalised(cross(facing, aside(random_.between(0, 360)) + Vec3{0, 0.2, 0}));
      const Vec3 y = cross(facing, x);
      const double width = random_.between(0.3, 1.6), height = random_.between(0.3, 1.6);
      const double warm = random_.between(-0.25, 0.25);
      Material lamp;
      lamp.surface = Surface::emissive;
      lamp.radiance = Vec3{1 + warm, 1, 1 - warm} * (power / (width * height));
      // The mesh is centred at 0, so that it can be moved.
      const Vec3 corner = x * (-width / 2) + y * (-height / 2);
      Pose pose;
      pose.translate = middle;
      Object& light =
          add("light", addMesh(rectangle(corner, x * width, y * height)), addMaterial(lamp), pose);
      if (moves_ && random_.chance(0.3)) {
        pose.translate = middle + away(0.3, 1.5);
        light.keys.push_back({lastFrame, pose});
      }
    }
  }

  void addCamera() {
    const double start = random_.between(0, 360), turn = moves_ ? random_.between(-50, 50) : 0;
    const double distance = random_.between(4.4, 6.2), approach = moves_ ? random_.between(-0.6, 0.3) : 0;
    const double elevation = random_.between(10, 38), rise = moves_ ? random_.between(-8, 8) : 0;
    CameraKey key;
    key.target = {random_.between(-0.4, 0.4), random_.between(0.2, 0.6), 0};
    key.fov = random_.between(34, 55);
    if (random_.chance(0.2))
      key.aperture = random_.between(0.01, 0.06);
    scene_.camera.clear();
    const int keys = moves_ ? 4 : 0;
    for (int i = 0; i <= keys; ++i) {
      const double t = keys == 0 ? 0 : double(i) / keys;
      const double up = radians(elevation + rise * t);
      key.frame = lastFrame * t;
      key.eye =
          (aside(start + turn * t) * std::cos(up) + Vec3{0, std::sin(up), 0}) * (distance + approach * t);
      scene_.camera.push_back(key);
    }
  }

  RandomNumbers random_;
  Scene scene_;
  bool moves_ = false;
  double tube_ = 0;  // radius of tori
  std::array<std::optional<ShapeMesh>, shapeCount> shapes_;
  std::vector<Standing> standing_;
};

}  // namespace

Scene randomScene(uint32_t seed) {
  return Generator(seed).make();
}

void append(Scene& scene, Scene from) {
  const auto shift = [](int& index, size_t by) { index += index == none ? 0 : static_cast<int>(by); };
  for (Material& material : from.materials)
    shift(material.albedo.image, scene.images.size());
  for (Mesh& mesh : from.meshes)
    for (Triangle& triangle : mesh.triangles)
      shift(triangle.material, scene.materials.size());
  for (Object& object : from.objects) {
    shift(object.mesh, scene.meshes.size());
    shift(object.material, scene.materials.size());
  }
  const auto move = [](auto& to, auto& what) { std::move(what.begin(), what.end(), std::back_inserter(to)); };
  move(scene.images, from.images);
  move(scene.materials, from.materials);
  move(scene.meshes, from.meshes);
  move(scene.objects, from.objects);
}

}  // namespace lacuna::pathtrace
