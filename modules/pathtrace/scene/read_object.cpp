#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/pose.h"
#include "pathtrace/scene/read_parts.h"

namespace lacuna::pathtrace {
namespace {

struct Shape {
  std::string name;
  std::vector<SettingForm> settings;
  // Null for the sphere, or a file's mesh.
  std::function<Mesh(const Settings&, const Word& where, Diagnostics&)> make;
};

Mesh makeRectangle(const Settings& settings, const Word& where, Diagnostics& diagnostics) {
  const Vec3 corner = settings.vector("corner", {-1, 0, -1});
  const Setting* edges = settings.find("edges");
  const Vec3 first = edges != nullptr ? vectorOf(edges->numbers) : Vec3{0, 0, 2};
  const Vec3 second = edges != nullptr ? vectorOf(edges->numbers, 3) : Vec3{2, 0, 0};
  if (!hasArea(corner, corner + first, corner + first + second))
    diagnostics.error(edges != nullptr ? edges->name.where : where.where, "a rectangle without area");
  return rectangle(corner, first, second);
}

SettingForm segmentsForm() {
  return {"segments", {1}, {3, 4096}, "COUNT"};
}
int segments(const Settings& settings) {
  return static_cast<int>(settings.number("segments", 64));
}

Shape round(const std::string& name, Mesh (*make)(int)) {
  return {name, {segmentsForm()}, [make](const Settings& settings, const Word&, Diagnostics&) {
            return make(segments(settings));
          }};
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"rectangle", {{"corner", {3}, {}, "X Y Z"}, {"edges", {6}, {}, "X Y Z X Y Z"}}, makeRectangle},
      {"cube", {}, [](const Settings&, const Word&, Diagnostics&) { return cube(); }},
      {"sphere", {}, {}},
      round("disk", disk),
      round("cylinder", cylinder),
      round("cone", cone),
      {"torus",
       {{"tube", {1}, {0.001, 0.999}, "RADIUS"}, segmentsForm()},
       [](const Settings& settings, const Word&, Diagnostics&) {
         return torus(settings.number("tube", 0.3), segments(settings));
       }},
      round("teapot", teapot),
      round("head", head),
      {"mesh", {}, {}},
  };
  return all;
}

// Null if there is none of that name, which is reported.
const Shape* findShape(const Word& word, const Names& meshes, Diagnostics& diagnostics) {
  if (const Shape* shape = word.quoted ? nullptr : findNamed(shapes(), word.text))
    return shape;
  diagnostics.error(word.where, fmt::format("there is no shape '{}'", word.text),
                    meshes.contains(word.text) ? fmt::format("write mesh {}", word.text)
                                               : suggest(word.text, namesIn(shapes()), "there are"));
  return nullptr;
}

// The mesh of a shape, which is made once for the same settings.
int shapeMesh(const Shape& shape, const Settings& settings, const Word& where, Scene& scene,
              Diagnostics& diagnostics) {
  std::string name = "(" + shape.name;
  for (const SettingForm& form : shape.settings) {
    const Setting* given = settings.find(form.name);
    for (const double number : given == nullptr ? std::vector<double>{} : given->numbers)
      name += fmt::format(" {} {}", form.name, number);
  }
  name += ")";  // a name that no file's mesh has
  const auto known = std::ranges::find_if(scene.meshes, [&](const Mesh& mesh) { return mesh.name == name; });
  if (known != scene.meshes.end())
    return static_cast<int>(known - scene.meshes.begin());
  scene.meshes.push_back(shape.make(settings, where, diagnostics));
  scene.meshes.back().name = name;
  return static_cast<int>(scene.meshes.size()) - 1;
}

using Kind = SettingForm::Kind;

const std::vector<SettingForm>& poseForms() {
  static const std::vector<SettingForm> all = {
      {"translate", {3}, {}, "X Y Z"},
      {"rotate", {4}, {}, "X Y Z DEGREES", Kind::numbers, true},
      {"scale", {1, 3}, {0, 1e6, true}, "X Y Z"},
  };
  return all;
}

void applyRotations(const Settings& settings, Pose& pose, Diagnostics& diagnostics) {
  if (settings.find("rotate") != nullptr)
    pose.rotate = {};
  for (const Setting& each : settings.all()) {
    if (each.name.text != "rotate")
      continue;
    const Vec3 axis = vectorOf(each.numbers);
    if (length(axis) < 1e-12)
      diagnostics.error(each.name.where, "the axis of a rotation is 0 0 0");
    else
      pose.rotate = rotation(axis, each.numbers[3]) * pose.rotate;
  }
}

bool isEven(const Vec3& scale) {
  return std::abs(scale.x - scale.y) <= 1e-9 * scale.x && std::abs(scale.x - scale.z) <= 1e-9 * scale.x;
}

// Slerp takes the shorter way, but keys of 0 and 360 degrees mean a full turn. `before`: degrees of the
// previous key.
void warnOfHalfTurns(double& before, const Settings& settings, Diagnostics& diagnostics) {
  const Setting* rotate = settings.find("rotate");
  if (rotate == nullptr)
    return;
  if (std::abs(rotate->numbers[3] - before) > 180) {
    diagnostics.warn(rotate->name.where,
                     "from key to key an object turns the shorter way, by less than half a turn: give keys "
                     "between");
  }
  before = rotate->numbers[3];
}

// The material of an object, or the mesh's own; reports if there is none.
int materialOf(const Settings& settings, const Names& materials, const Mesh* mesh, const Word& name,
               Diagnostics& diagnostics) {
  if (const Setting* given = settings.find("material")) {
    const Named* found = findName(materials, "material", given->word, diagnostics);
    return found == nullptr ? 0 : found->index;
  }
  const bool isWhole = mesh != nullptr && std::ranges::all_of(mesh->triangles, [](const Triangle& t) {
                         return t.material != none;
                       });
  if (isWhole)
    return mesh->triangles[0].material;
  if (!settings.wasGiven("material")) {
    diagnostics.error(name.where, fmt::format("the object '{}' needs a material", name.text),
                      "expected material NAME");
  }
  return 0;
}

class ObjectReader {
 public:
  ObjectReader(const SceneLine& line, const Names& materials, const Names& meshes, Scene& scene,
               Diagnostics& diagnostics)
      : line_(line), materials_(materials), meshes_(meshes), scene_(scene), diagnostics_(diagnostics) {}

  void read() {
    const Shape* shape = findShape(line_.words[2], meshes_, diagnostics_);
    if (shape == nullptr)
      return;
    Object object;
    object.name = line_.words[1].text;
    size_t firstSetting = 3;
    const bool isMesh = shape->name == "mesh";
    if (isMesh && !findMesh(object))
      return;
    firstSetting += isMesh ? 1 : 0;
    std::vector<SettingForm> forms = {{"material", {1}, {}, "NAME", Kind::word}};
    forms.insert(forms.end(), shape->settings.begin(), shape->settings.end());
    forms.insert(forms.end(), poseForms().begin(), poseForms().end());
    const Settings settings(std::span(line_.words).subspan(firstSetting), forms, "a " + shape->name,
                            diagnostics_);
    if (shape->make)
      object.mesh = shapeMesh(*shape, settings, line_.words[2], scene_, diagnostics_);
    const Mesh* mesh = object.mesh == none ? nullptr : &scene_.meshes[static_cast<size_t>(object.mesh)];
    object.material = materialOf(settings, materials_, mesh, line_.words[1], diagnostics_);
    readPoses(settings, object);
    scene_.objects.push_back(std::move(object));
  }

 private:
  bool findMesh(Object& object) {
    if (line_.words.size() < 4) {
      diagnostics_.error(line_.words[2].where, "'mesh' takes the name of a mesh");
      return false;
    }
    const Named* found = findName(meshes_, "mesh", line_.words[3], diagnostics_);
    object.mesh = found == nullptr ? none : found->index;
    return object.mesh != none;
  }

  void readPoses(const Settings& settings, Object& object) {
    const bool emits = scene_.anyMaterial(object, std::mem_fn(&Material::emits));
    const auto change = [&](PoseKey& key, const Settings& changes, const Word&) {
      key.pose.translate = changes.vector("translate", key.pose.translate);
      key.pose.scale = changes.vector("scale", key.pose.scale);
      applyRotations(changes, key.pose, diagnostics_);
      const Setting* scale = changes.find("scale");
      if (emits && scale != nullptr && !isEven(key.pose.scale))
        diagnostics_.error(scale->name.where, "emissive objects are scaled equally in all directions",
                           "write scale FACTOR");
    };
    PoseKey first;
    change(first, settings, line_.words[1]);
    const Setting* rotate = settings.find("rotate");
    double degrees = rotate != nullptr ? rotate->numbers[3] : 0;
    const auto changeLater = [&](PoseKey& key, const Settings& changes, const Word& at) {
      warnOfHalfTurns(degrees, changes, diagnostics_);
      change(key, changes, at);
    };
    object.keys = readKeys(line_, first, poseForms(), "a keyframe of an object", diagnostics_, changeLater);
  }

  const SceneLine& line_;
  const Names& materials_;
  const Names& meshes_;
  Scene& scene_;
  Diagnostics& diagnostics_;
};

}  // namespace

void readObject(const SceneLine& line, const Names& materials, const Names& meshes, Scene& scene,
                Diagnostics& diagnostics) {
  ObjectReader(line, materials, meshes, scene, diagnostics).read();
}

}  // namespace lacuna::pathtrace
