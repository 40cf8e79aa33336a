// The parts that are the same in all frames. Meshes that stand still share one hierarchy in world space:
// their rays need no second level and no maps. If they have more than mostStill triangles, they remain
// instances of their meshes.

#include <Imath/half.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include "graph/parallel.h"
#include "pathtrace/scene/device_scene.h"
#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/pack.h"

namespace lacuna::pathtrace {
namespace {

constexpr size_t mostStill = 1U << 21U;

// Triangles of one hierarchy: from the i-th to its corners, and the id of the object where there are several.
struct Soup {
  size_t count = 0;
  std::function<Corners(size_t)> corners;
  std::function<uint32_t(size_t)> id = [](size_t) { return 0U; };
};

void appendTriangle(StaticScene& arrays, const Corners& corners, uint32_t id) {
  const auto& [p, n, t, material] = corners;
  arrays.triangles.push_back(words(p[0], id));
  arrays.triangles.push_back(words(p[1]));
  arrays.triangles.push_back(words(p[2]));
  arrays.shading.push_back(words(n[0], t[0].x));
  arrays.shading.push_back(words(n[1], t[0].y));
  arrays.shading.push_back(words(n[2], t[1].x));
  Words last = words(Vec3{t[1].y, t[2].x, t[2].y});
  last[3] = material == none ? noMaterial : static_cast<uint32_t>(material);
  arrays.shading.push_back(last);
}

// Returns the box of all, and adds the hierarchy behind the existing ones.
Box appendHierarchy(PackedScene& packed, const Soup& soup) {
  StaticScene& arrays = packed.arrays;
  std::vector<Box> boxes(soup.count);
  Box all;
  for (size_t i = 0; i < soup.count; ++i) {
    for (const Vec3& v : soup.corners(i).positions)
      boxes[i].add(Vec3{nearestFloat(v.x), nearestFloat(v.y), nearestFloat(v.z)});
    all.add(boxes[i]);
  }
  const Bvh bvh = buildBvh(boxes, {});
  const size_t firstTriangle = arrays.triangles.size() / 3;
  if (firstTriangle + soup.count >= 1U << 27U)
    throw std::length_error("a scene holds at most 2^27 - 1 triangles");
  appendNodes(bvh, static_cast<uint32_t>(arrays.nodes.size() / nodeElements),
              static_cast<uint32_t>(firstTriangle), arrays.nodes);
  for (const uint32_t i : bvh.order)
    appendTriangle(arrays, soup.corners(i), soup.id(i));
  packed.meshDepth = std::max(packed.meshDepth, bvh.depth);
  return all;
}

// Collects meshes that stand still, while there is room.
std::vector<size_t> stillMeshes(const Scene& scene) {
  std::vector<size_t> still;
  size_t triangles = 0;
  for (size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = scene.objects[i];
    if (object.mesh == none || !isStill(object))
      continue;
    const size_t count = scene.meshOf(object).triangles.size();
    if (count == 0 || triangles + count > mostStill)
      continue;
    triangles += count;
    still.push_back(i);
  }
  return still;
}

// A triangle of an object that stands still, in world space, with its material.
Corners inWorld(const Scene& scene, const Object& object, size_t triangle) {
  const Mesh& mesh = scene.meshOf(object);
  const Pose& pose = object.keys.front().pose;
  Corners corners =
      mapped(cornersOf(mesh, mesh.triangles[triangle]), objectToWorld(pose), worldToObject(pose));
  corners.material = corners.material == none ? object.material : corners.material;
  return corners;
}

void appendWorld(PackedScene& packed, const Scene& scene, const std::vector<size_t>& still) {
  std::vector<std::pair<uint32_t, uint32_t>> places;  // object, triangle
  for (const size_t object : still) {
    const auto count = static_cast<uint32_t>(scene.meshOf(scene.objects[object]).triangles.size());
    for (uint32_t i = 0; i < count; ++i)
      places.emplace_back(static_cast<uint32_t>(object), i);
  }
  Soup soup;
  soup.count = places.size();
  soup.corners = [&](size_t i) { return inWorld(scene, scene.objects[places[i].first], places[i].second); };
  soup.id = [&](size_t i) { return places[i].first + 1; };
  for (size_t i = 0; i < soup.count; ++i) {
    const Corners corners = soup.corners(i);
    const Material& material = scene.materials[static_cast<size_t>(corners.material)];
    if (shines(material) && corners.area() > 0)
      packed.lights.push_back(lightOf(corners, material));
  }
  packed.hasWorld = soup.count > 0;
  if (packed.hasWorld)
    appendHierarchy(packed, soup);
}

// Packs the meshes to which objects on the device refer.
void appendMeshes(PackedScene& packed, const Scene& scene) {
  packed.roots.resize(scene.meshes.size());
  packed.bounds.resize(scene.meshes.size());
  for (const size_t object : packed.placed) {
    const int index = scene.objects[object].mesh;
    if (index == none || !packed.bounds[static_cast<size_t>(index)].isEmpty())
      continue;
    const auto at = static_cast<size_t>(index);
    const Mesh& mesh = scene.meshes[at];
    packed.roots[at] = static_cast<uint32_t>(packed.arrays.nodes.size() / nodeElements);
    Soup soup;
    soup.count = mesh.triangles.size();
    soup.corners = [&](size_t i) { return cornersOf(mesh, mesh.triangles[i]); };
    packed.bounds[at] = appendHierarchy(packed, soup);
  }
}

void appendTexels(StaticScene& arrays, const Image& image) {
  const auto half = [](float v) {
    constexpr float most = 65504;
    return uint32_t{Imath::half(std::clamp(v, -most, most)).bits()};
  };
  for (const std::array<float, 3>& pixel : image.pixels)
    arrays.texels.push_back({{half(pixel[0]) | half(pixel[1]) << 16U, half(pixel[2])}});
}

// Rows of `energy` by alpha; each takes thousands of samples.
std::map<double, uint32_t> appendEnergy(StaticScene& arrays, const Scene& scene) {
  std::map<double, uint32_t> rows;
  for (const Material& material : scene.materials)
    if (material.surface == Surface::glossy)
      rows.try_emplace(material.roughness * material.roughness, static_cast<uint32_t>(rows.size()));
  arrays.energy.resize(rows.size() * (energySize + 1));
  const std::vector<std::pair<double, uint32_t>> list(rows.begin(), rows.end());
  inParallel(list.size(), [&](size_t i) {
    const auto row = energyRow(list[i].first);
    std::ranges::copy(row, arrays.energy.begin() + list[i].second * (energySize + 1));
  });
  return rows;
}

void appendMaterials(StaticScene& arrays, const Scene& scene) {
  std::vector<uint32_t> firstTexels;
  for (const Image& image : scene.images) {
    firstTexels.push_back(static_cast<uint32_t>(arrays.texels.size()));
    appendTexels(arrays, image);
  }
  const std::map<double, uint32_t> rows = appendEnergy(arrays, scene);
  for (const Material& m : scene.materials) {
    const Texture& texture = m.albedo;
    const double alpha = m.roughness * m.roughness;
    arrays.materials.push_back({static_cast<uint32_t>(m.surface), bits(nearestFloat(alpha)),
                                bits(nearestFloat(m.ior)), static_cast<uint32_t>(texture.kind)});
    arrays.materials.push_back(
        words(m.surface == Surface::emissive ? m.radiance : texture.colour, texture.scale.x));
    arrays.materials.push_back(words(texture.other, texture.scale.y));
    Words last{0, 0, 0, m.surface == Surface::glossy ? rows.at(alpha) : 0};
    if (texture.kind == Texture::Kind::image) {
      const auto index = static_cast<size_t>(texture.image);
      const Image& image = scene.images[index];
      last = {firstTexels[index], static_cast<uint32_t>(image.width), static_cast<uint32_t>(image.height),
              last[3]};
    }
    arrays.materials.push_back(last);
  }
}

}  // namespace

uint32_t PackedScene::objectDepth() const {
  const size_t count = objectCount();
  return count <= 1
             ? 1
             : std::min<uint32_t>(maxObjectDepth, static_cast<uint32_t>(std::bit_width(count - 1)) + 4);
}

PackedScene packScene(const Scene& scene) {
  PackedScene packed;
  const std::vector<size_t> still = stillMeshes(scene);
  for (size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = scene.objects[i];
    const bool isEmpty = object.mesh != none && scene.meshOf(object).triangles.empty();
    if (!isEmpty && !std::ranges::binary_search(still, i))
      packed.placed.push_back(i);
  }
  if (packed.placed.size() >= 1U << maxObjectDepth)
    throw std::length_error("a scene holds at most 2^24 - 1 objects");
  appendWorld(packed, scene, still);
  appendMeshes(packed, scene);
  appendMaterials(packed.arrays, scene);
  return packed;
}

}  // namespace lacuna::pathtrace
