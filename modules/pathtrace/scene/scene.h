#pragma once
// A scene as in its text or from the generator, before anything is built for the device.
//
// Space is right-handed, in any unit; colours are linear Rec. 709; radiance in any unit; angles in degrees.
// Indices are valid, numbers finite, and no triangle of a mesh has the area 0: makers of a Scene ensure
// that.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pathtrace/scene/vector.h"

namespace lacuna {
class Diagnostics;
}

namespace lacuna::pathtrace {

// Pixels of a texture, linear, from the top left, row by row. u grows to the right and v up; both repeat.
struct Image {
  std::string file;
  int width = 0, height = 0;
  std::vector<std::array<float, 3>> pixels;
};

// Colour over a surface, [0, 1] a component.
struct Texture {
  enum class Kind { constant, checker, image };
  Kind kind = Kind::constant;
  Vec3 colour{0.8, 0.8, 0.8};  // constant; checker: of squares where floor(u) + floor(v) is even
  Vec3 other;                  // checker: of the others
  Vec2 scale{1, 1};            // texture coordinates are multiplied by it
  int image = -1;              // of Scene::images, bilinear
};

// The scattering of a surface. Opaque ones scatter on both sides; light from below the geometric surface
// is 0.
enum class Surface {
  diffuse,  // Lambert: albedo / pi
  // GGX (Walter et al. 2007) of reflectance `albedo` without Fresnel's effect; Kulla and Conty's 2017 term
  // restores the loss of single scattering, so that the directional albedo is `albedo` at any angle.
  glossy,
  mirror,   // albedo, into the mirrored direction
  glass,    // smooth dielectric, Fresnel's equations; albedo multiplies reflected and transmitted light
  emissive  // sends `radiance` from its front (where its normal points), is black, and scatters nothing
};

struct Material {
  std::string name;
  Surface surface = Surface::diffuse;
  Texture albedo;
  double roughness = 0.3;  // glossy: GGX's alpha is its square; [0.03, 1]
  double ior = 1.5;        // glass: inside over outside; (1, 4]
  Vec3 radiance;           // emissive

  bool emits() const { return surface == Surface::emissive; }
};

constexpr int none = -1;

// Corners turn counter-clockwise seen from the front.
struct Triangle {
  std::array<int, 3> positions{};
  std::array<int, 3> normals{none, none, none};  // all, or none for flat faces
  std::array<int, 3> uvs{none, none, none};      // all or none: 0
  int material = none;                           // none: its object's
};

struct Mesh {
  std::string name;
  std::vector<Vec3> positions, normals;  // normals of unit length
  std::vector<Vec2> uvs;
  std::vector<Triangle> triangles;
};

struct Quaternion {  // of unit length
  double w = 1, x = 0, y = 0, z = 0;
};

// p -> translate + rotate(scale * p)
struct Pose {
  Vec3 translate;
  Quaternion rotate;
  Vec3 scale{1, 1, 1};
};
struct PoseKey {
  double frame = 0;
  Pose pose;
};

// A mesh, or the sphere of radius 1 around 0 (whose u is the longitude over 2 pi, and v the latitude from -y
// to y, over pi). Emissive spheres and emissive meshes are scaled alike in all directions.
struct Object {
  std::string name;
  int mesh = none;  // none: the sphere
  int material = 0;
  std::vector<PoseKey> keys{{}};  // in rising order of frames, at least one
};

struct CameraKey {
  double frame = 0;
  Vec3 eye, target, up{0, 1, 0};
  double fov = 45;      // of the picture's height, in degrees; (0, 180)
  double aperture = 0;  // radius of the lens; 0: a pinhole
  double focus = 0;     // depth that is sharp; 0: the target's
};

struct Scene {
  std::vector<CameraKey> camera{{}};  // in rising order of frames, at least one
  Vec3 background;                    // radiance from everywhere outside
  std::vector<Image> images;
  std::vector<Material> materials;
  std::vector<Mesh> meshes;
  std::vector<Object> objects;

  // `own`: the material of one of its triangles.
  const Material& materialOf(const Object& object, int own = none) const {
    return materials[static_cast<size_t>(own == none ? object.material : own)];
  }
  const Mesh& meshOf(const Object& object) const { return meshes[static_cast<size_t>(object.mesh)]; }

  // Whether `holds` is true for one of an object's materials; missing ones are ignored.
  template <class Condition>
  bool anyMaterial(const Object& object, const Condition& holds) const {
    const auto isOne = [&](int index) {
      return static_cast<size_t>(index) < materials.size() && holds(materials[static_cast<size_t>(index)]);
    };
    if (object.mesh == none)
      return isOne(object.material);
    return std::ranges::any_of(meshOf(object).triangles, [&](const Triangle& t) {
      return isOne(t.material == none ? object.material : t.material);
    });
  }
};

// Reads a scene file (README.md says how one is written) and the files that it names. All mistakes go to
// `diagnostics`, with their place; if there are errors, the result is not to be used.
Scene readScene(const std::string& path, Diagnostics& diagnostics);
// The same for a text. Files that it names start from the folder of `path`.
Scene parseScene(const std::string& text, const std::string& path, Diagnostics& diagnostics);

// A random scene, for training and for tests: a textured floor, sometimes a room around it, cubes, spheres,
// tori, cylinders, teapot-like and head-like meshes of all materials, rectangles of light, and a camera that
// sees them. In about half of them camera and objects move, over the frames 0 to 64. The same seed gives the
// same scene everywhere, up to the rounding of sines.
Scene randomScene(uint32_t seed);

// Images, materials, meshes and objects of `from`, behind the existing ones.
void append(Scene& scene, Scene from);

}  // namespace lacuna::pathtrace
