#include "pathtrace/scene/read_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/shapes.h"

namespace lacuna::pathtrace {
namespace {

Mesh makeRectangle(const Settings& settings, const Word& where, Diagnostics& diagnostics) {
  const Vec3 corner = settings.vector("corner", {-1, 0, -1});
  const Setting* edges = settings.find("edges");
  const Vec3 first = edges != nullptr ? vectorOf(edges->numbers) : Vec3{0, 0, 2};
  const Vec3 second = edges != nullptr ? vectorOf(edges->numbers, 3) : Vec3{2, 0, 0};
  if (!hasArea(corner, corner + first, corner + first + second)) {
    diagnostics.error(edges != nullptr ? edges->name.where : where.where, "a rectangle without area");
  }
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

}  // namespace

const Shape* findShape(const Word& word, const Names& meshes, Diagnostics& diagnostics) {
  if (const Shape* shape = word.quoted ? nullptr : findNamed(shapes(), word.text)) {
    return shape;
  }
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
    for (const double number : given == nullptr ? std::vector<double>{} : given->numbers) {
      name += fmt::format(" {} {}", form.name, number);
    }
  }
  name += ")";  // a name that no file's mesh has
  const auto known = std::ranges::find_if(scene.meshes, [&](const Mesh& mesh) { return mesh.name == name; });
  if (known != scene.meshes.end()) {
    return static_cast<int>(known - scene.meshes.begin());
  }
  scene.meshes.push_back(shape.make(settings, where, diagnostics));
  scene.meshes.back().name = name;
  return static_cast<int>(scene.meshes.size()) - 1;
}

}  // namespace lacuna::pathtrace
