// The parts of one frame: the lens, the objects' places, and the lights.

#include <algorithm>

#include "pathtrace/scene/device_scene.h"
#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/pack.h"

namespace lacuna::pathtrace {
namespace {

// Largest error of float arithmetic on a ray in an object's space, relative to the largest coordinate.
constexpr double boxMargin = 1e-6;

constexpr uint32_t lensElements = 4;
constexpr uint32_t cameraElements = 2 * lensElements + 2;
constexpr uint32_t objectElements = 11;
constexpr uint32_t lightElements = 4;

void append(std::vector<Words>& array, const Lens& lens) {
  array.push_back(words(lens.eye, lens.aperture));
  array.push_back(words(lens.right));
  array.push_back(words(lens.up, lens.focus));
  array.push_back(words(lens.forward));
}

void append(std::vector<Words>& array, const Affine& map) {
  for (const auto& row : map.rows)
    array.push_back(words(Vec3{row[0], row[1], row[2]}, row[3]));
}

Box mappedBox(const Box& box, const Affine& map) {
  Box result;
  for (unsigned i = 0; i < 8; ++i)
    result.add(mapPoint(map, {(i & 1U) != 0 ? box.high.x : box.low.x, (i & 2U) != 0 ? box.high.y : box.low.y,
                              (i & 4U) != 0 ? box.high.z : box.low.z}));
  return result;
}

// The box of the sphere of radius 1: each axis reaches as far as its row is long.
Box sphereBox(const Affine& map) {
  const auto reach = [&](size_t i) {
    const auto& row = map.rows[i];
    return length({row[0], row[1], row[2]});
  };
  const Vec3 half{reach(0), reach(1), reach(2)};
  const Vec3 centre = mapPoint(map, {});
  return {centre - half, centre + half};
}

Box widened(const Box& box) {
  const Vec3& a = box.low;
  const Vec3& b = box.high;
  const double margin = boxMargin * std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z), std::abs(b.x),
                                              std::abs(b.y), std::abs(b.z)});
  const Vec3 by{margin, margin, margin};
  return {a - by, b + by};
}

// If a scale passes through 0, the object is invisible.
bool isThere(const Affine& map) {
  return std::isnormal(determinant(map));
}

class FramePacker {
 public:
  FramePacker(const Scene& scene, const PackedScene& packed) : scene_(scene), packed_(packed) {}

  void addWorld() {
    if (!packed_.hasWorld)
      return;
    for (int i = 0; i < 3; ++i)
      append(frame_.objects, Affine{});
    frame_.objects.push_back({0, 0, 0, 0});
    frame_.objects.push_back({});
    add(worldBox());
  }

  void addObject(size_t index, double moment, double before) {
    const Object& object = scene_.objects[index];
    const Affine map = objectToWorld(poseAt(object, moment));
    const bool there = isThere(map);
    const Affine inverse = there ? worldToObject(poseAt(object, moment)) : Affine{};
    append(frame_.objects, inverse);
    append(frame_.objects, map);
    append(frame_.objects, objectToWorld(poseAt(object, before)));
    const bool isSphere = object.mesh == none;
    const uint32_t root = isSphere ? 0 : packed_.roots[static_cast<size_t>(object.mesh)];
    frame_.objects.push_back(
        {isSphere ? 1U : 0U, root, static_cast<uint32_t>(object.material), static_cast<uint32_t>(index + 1)});
    const double radius = length({map.rows[0][0], map.rows[1][0], map.rows[2][0]});
    const double area = 4 * 3.14159265358979323846 * radius * radius;
    frame_.objects.push_back(isSphere ? words(Vec3{area, radius, 0}) : Words{});
    if (there) {
      add(isSphere ? sphereBox(map) : mappedBox(packed_.bounds[static_cast<size_t>(object.mesh)], map));
      isSphere ? addSphereLight(object, map, radius, area) : addMeshLights(object, map, inverse);
    } else {
      ++objects_;
    }
  }

  FrameScene finish(const Lens& lens, const Lens& before) {
    const FrameSizes sizes = frameSizes(scene_, packed_);
    addTopLevel();
    const double power = addLights();
    append(frame_.camera, lens);
    append(frame_.camera, before);
    frame_.camera.push_back(words(scene_.background, power));
    frame_.camera.push_back({power > 0 ? static_cast<uint32_t>(lights_.size()) : 0, objects_, 0, 0});
    frame_.objects.resize(sizes.objects);
    frame_.toplevel.resize(sizes.toplevel);
    frame_.lights.resize(sizes.lights);
    return std::move(frame_);
  }

 private:
  void add(const Box& box) {
    boxes_.push_back(widened(box));
    places_.push_back(objects_++);
  }

  // The box of the first hierarchy: of both of its root's children.
  Box worldBox() const {
    Box box;
    const auto number = [&](size_t element, size_t word) {
      return double{std::bit_cast<float>(packed_.arrays.nodes[element][word])};
    };
    for (size_t child = 0; child < 2; ++child) {
      const Vec3 low{number(child, 0), number(child, 2), number(2, 2 * child)};
      const Vec3 high{number(child, 1), number(child, 3), number(2, 2 * child + 1)};
      if (low.x <= high.x)
        box.add(Box{low, high});
    }
    return box;
  }

  void addSphereLight(const Object& object, const Affine& map, double radius, double area) {
    const Material& material = scene_.materialOf(object);
    if (shines(material))
      lights_.push_back({true, mapPoint(map, {}), {}, {}, radius, material.radiance, area});
  }

  void addMeshLights(const Object& object, const Affine& map, const Affine& inverse) {
    const Mesh& mesh = scene_.meshOf(object);
    for (const Triangle& triangle : mesh.triangles)
      if (const Material& material = scene_.materialOf(object, triangle.material); shines(material))
        lights_.push_back(lightOf(mapped(cornersOf(mesh, triangle), map, inverse), material));
  }

  void addTopLevel() {
    Bvh bvh = buildBvh(boxes_, {1, packed_.objectDepth()});
    for (BvhNode& node : bvh.nodes)
      for (uint32_t& child : node.children)
        if ((child & leafBit) != 0 && (child & 15U) != 0)
          child = leafBit | places_[bvh.order[(child & ~leafBit) >> 4U]] << 4U | 1U;
    appendNodes(bvh, 0, 0, frame_.toplevel);
  }

  // Returns the sum of all powers.
  double addLights() {
    lights_.insert(lights_.begin(), packed_.lights.begin(), packed_.lights.end());
    double power = 0;
    for (const Light& light : lights_)
      power += luminance(light.radiance) * light.area;
    if (!(power > 0))
      return 0;
    double sum = 0;
    for (const Light& light : lights_) {
      const double p = luminance(light.radiance) * light.area / power;
      sum += p;
      frame_.lights.push_back(words(light.origin, sum));
      frame_.lights.push_back(light.isSphere ? Words{bits(nearestFloat(light.radius)), 0, 0, 1}
                                             : words(light.edge1, 0U));
      frame_.lights.push_back(words(light.edge2, p));
      frame_.lights.push_back(words(light.radiance, light.area));
    }
    return power;
  }

  const Scene& scene_;
  const PackedScene& packed_;
  FrameScene frame_;
  std::vector<Light> lights_;
  std::vector<Box> boxes_;
  std::vector<uint32_t> places_;  // of objects that have boxes
  uint32_t objects_ = 0;
};

}  // namespace

FrameScene packFrame(const Scene& scene, const PackedScene& packed, double moment, double before, int width,
                     int height) {
  FramePacker packer(scene, packed);
  packer.addWorld();
  for (const size_t object : packed.placed)
    packer.addObject(object, moment, before);
  return packer.finish(lensAt(scene.camera, moment, width, height),
                       lensAt(scene.camera, before, width, height));
}

FrameSizes frameSizes(const Scene& scene, const PackedScene& packed) {
  size_t lights = packed.lights.size();
  for (const size_t index : packed.placed) {
    const Object& object = scene.objects[index];
    const auto isLight = [&](const Triangle& t) { return shines(scene.materialOf(object, t.material)); };
    lights += static_cast<size_t>(object.mesh == none
                                      ? shines(scene.materialOf(object))
                                      : std::ranges::count_if(scene.meshOf(object).triangles, isLight));
  }
  const auto count = static_cast<uint32_t>(std::max<size_t>(1, packed.objectCount()));
  return {cameraElements, objectElements * count, nodeElements * count,
          lightElements * static_cast<uint32_t>(std::max<size_t>(1, lights))};
}

}  // namespace lacuna::pathtrace
