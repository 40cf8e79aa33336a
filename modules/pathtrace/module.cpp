// The source node `frame` delivers moving parts; the native node `render` uploads the rest and makes the
// kernels.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "graph/config/diagnostics.h"
#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/pack.h"
#include "shared/native.h"

namespace {

using namespace lacuna::native;
using namespace lacuna::pathtrace;

// Scenes that were read and packed, kept from probe() through build() to the last read().
struct LoadedScene {
  Scene scene;
  PackedScene packed;
};

using Loaded = std::shared_ptr<const LoadedScene>;
constexpr size_t mostKept = 8;  // each may hold millions of triangles

std::mutex keptMutex;
std::list<std::pair<std::string, Loaded>> keptScenes;  // by name, the latest first

// 0 if the scene is a file.
uint32_t seedOf(const Call& call) {
  const auto seed = static_cast<uint32_t>(call.integer("random"));
  const bool isNone = call.word("filename") == "none";
  if (isNone && seed == 0)
    throw Error("no scene: expected a file, or above 0 the seed `random` of one", "filename");
  if (!isNone && seed > 0)
    throw Error("two scenes: a file, and the seed `random` of one", "random");
  return seed;
}

std::string nameOf(const Call& call) {
  const uint32_t seed = seedOf(call);
  return seed > 0 ? "random:" + std::to_string(seed) : call.path();
}

Scene readFile(const Call& call, bool tells) {
  if (call.word("filename").find('%') != std::string::npos)
    throw Error("one scene is for all frames, it moves by its keyframes: expected a name without '%'",
                "filename");
  lacuna::Diagnostics diagnostics;
  Scene scene = readScene(call.path(), diagnostics);
  std::string text = diagnostics.render();
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  if (diagnostics.hasErrors())
    throw Error("the scene has errors:\n" + text, "filename");
  if (tells && !text.empty())
    call.warn("of the scene:\n" + text, "filename");
  for (const Image& image : scene.images)
    call.reads(image.file);
  return scene;
}

Loaded load(const Call& call, bool tells) {
  auto loaded = std::make_shared<LoadedScene>();
  const uint32_t seed = seedOf(call);
  loaded->scene = seed > 0 ? randomScene(seed) : readFile(call, tells);
  try {
    loaded->packed = packScene(loaded->scene);
  } catch (const std::length_error& error) {
    throw Error(nameOf(call) + ": " + error.what(), "filename");
  }
  return loaded;
}

Loaded keep(const std::string& name, Loaded scene) {
  keptScenes.remove_if([&](const auto& kept) { return kept.first == name; });
  keptScenes.emplace_front(name, scene);
  if (keptScenes.size() > mostKept)
    keptScenes.pop_back();
  return scene;
}

// The scene that a call requests by `filename` or `random`, from its present files; reports warnings. Throws
// Error with all its mistakes.
Loaded loadScene(const Call& call) {
  const std::scoped_lock lock(keptMutex);
  return keep(nameOf(call), load(call, true));
}

// The same, as it was last loaded for any instance, without warnings. Any thread.
Loaded keptScene(const Call& call) {
  const std::scoped_lock lock(keptMutex);
  const std::string name = nameOf(call);
  const auto found = std::ranges::find(keptScenes, name, [](const auto& kept) { return kept.first; });
  return found != keptScenes.end() ? found->second : keep(name, load(call, false));
}

// --- frame ---

// Calls the function for each array of a FrameScene, or of its FrameSizes.
template <typename Arrays, typename Function>
void eachArray(const Arrays& arrays, const Function& function) {
  function("camera", arrays.camera);
  function("objects", arrays.objects);
  function("toplevel", arrays.toplevel);
  function("lights", arrays.lights);
}

void probe(const Call& call, const Planes& planes) {
  const auto loaded = loadScene(call);
  eachArray(frameSizes(loaded->scene, loaded->packed), [&](const char* name, uint32_t count) {
    if (const lacuna_plane* plane = planes.find(name))
      setType(*plane, arrayType(lacuna_any4, lacuna_u32, count));
  });
}

void read(const Call& call, const Planes& planes) {
  const auto loaded = keptScene(call);
  const bool isStill = call.flag("still");
  const auto moment = static_cast<double>(call.integer("start") + (isStill ? 0 : call.frame()));
  const FrameScene frame =
      packFrame(loaded->scene, loaded->packed, moment, isStill ? moment : moment - 1,
                static_cast<int>(call.integer("width")), static_cast<int>(call.integer("height")));
  eachArray(frame, [&](const char* name, const std::vector<Words>& array) {
    const lacuna_plane* plane = planes.find(name);
    if (plane == nullptr)
      return;
    const size_t bytes = array.size() * sizeof(Words);
    if (bytes != plane->bytes)
      throw Error(
          fmt::format("the scene has changed: {} takes {} bytes, expected {}", name, bytes, plane->bytes),
          "filename");
    std::memcpy(plane->data, array.data(), bytes);
  });
}

// --- render ---

bool hasSurface(const Scene& scene, Surface surface) {
  return std::ranges::any_of(scene.materials, [&](const Material& m) { return m.surface == surface; });
}
bool hasTexture(const Scene& scene, Texture::Kind kind) {
  return std::ranges::any_of(scene.materials, [&](const Material& m) { return m.albedo.kind == kind; });
}

// Code for missing features costs nothing: the compiler removes it.
std::string sceneConstants(const LoadedScene& loaded) {
  const Scene& scene = loaded.scene;
  const PackedScene& packed = loaded.packed;
  const bool hasObjects = !packed.hasWorld || !packed.placed.empty();
  const bool hasSpheres =
      std::ranges::any_of(packed.placed, [&](size_t i) { return scene.objects[i].mesh == none; });
  const bool hasSphereLights = std::ranges::any_of(packed.placed, [&](size_t i) {
    const Object& object = scene.objects[i];
    return object.mesh == none && scene.materialOf(object).emits();
  });
  const bool hasLens =
      std::ranges::any_of(scene.camera, [](const CameraKey& key) { return key.aperture > 0; });
  std::string text =
      fmt::format("const int stackSize = {};\nconst uint energySize = {}u;\n",
                  1 + packed.meshDepth + (hasObjects ? packed.objectDepth() + 1 : 0), energySize);
  const auto flag = [&](const char* name, bool value) {
    text += fmt::format("const bool {} = {};\n", name, value);
  };
  flag("hasObjects", hasObjects);  // else all is one mesh in world space
  flag("hasMeshes", !packed.arrays.triangles.empty());
  flag("hasSpheres", hasSpheres);
  flag("hasLights", hasSurface(scene, Surface::emissive));
  flag("hasSphereLights", hasSphereLights);
  flag("hasGlossy", hasSurface(scene, Surface::glossy));
  flag("hasGlass", hasSurface(scene, Surface::glass));
  flag("hasSpecular", hasSurface(scene, Surface::glass) || hasSurface(scene, Surface::mirror));
  flag("hasCheckers", hasTexture(scene, Texture::Kind::checker));
  flag("hasImages", hasTexture(scene, Texture::Kind::image));
  flag("hasLens", hasLens);
  return text;
}

constexpr const char* nodesText = R"(
[[node]]
name = "trace"
kind = "kernel"
shader = "trace.glsl"
inputs = [{inputs}]
outputs = [
  {{ name = "output", format = "@precision", extent = {extent}, connector = "output" }},
  {{ name = "direct", format = "@precision", extent = {extent}, connector = "direct" }},
  {{ name = "indirect", format = "@precision", extent = {extent}, connector = "indirect" }},
  {{ name = "albedo", format = "@precision", extent = {extent}, connector = "albedo" }},
  {{ name = "normal", format = "@precision", extent = {extent}, connector = "normal" }},
  {{ name = "moments", format = "f32", extent = {extent}, connector = "moments" }},
  {{ name = "histogram", format = "f32", planes = "3 * bins + 1", extent = {extent}, connector = "histogram" }},
  {{ name = "rays", format = "f32", extent = {extent}, connector = "rays" }},
]

[[node]]
name = "features"
kind = "kernel"
shader = "features.glsl"
inputs = [{inputs}]
outputs = [
  {{ name = "depth", format = "f32", extent = {extent}, connector = "depth" }},
  {{ name = "gradient", format = "f32", extent = {extent}, connector = "gradient" }},
  {{ name = "id", format = "u32", extent = {extent}, connector = "id" }},
  {{ name = "motion", format = "f32", extent = {extent}, connector = "motion" }},
]
)";

constexpr const char* inputsText = R"(
  { name = "camera", source = "camera" },
  { name = "objects", source = "objects" },
  { name = "toplevel", source = "toplevel" },
  { name = "lights", source = "lights" },
  { name = "nodes", source = "upload.nodes" },
  { name = "triangles", source = "upload.triangles" },
  { name = "shading", source = "upload.shading" },
  { name = "materials", source = "upload.materials" },
  { name = "texels", source = "upload.texels" },
  { name = "energy", source = "upload.energy" },
)";

template <typename Element>
void upload(const Builder& builder, const char* name, lacuna_channels channels, std::vector<Element> array) {
  if (array.empty())  // arrays have elements
    array.emplace_back();
  const lacuna_format format = std::is_same_v<Element, float> ? lacuna_f32 : lacuna_u32;
  builder.upload(name, arrayType(channels, format, static_cast<uint32_t>(array.size())), array.data(),
                 array.size() * sizeof(Element));
}

void build(const Call& call, const Planes&, const Builder& builder) {
  const auto loaded = keptScene(call);
  const StaticScene& arrays = loaded->packed.arrays;
  upload(builder, "nodes", lacuna_any4, arrays.nodes);
  upload(builder, "triangles", lacuna_any4, arrays.triangles);
  upload(builder, "shading", lacuna_any4, arrays.shading);
  upload(builder, "materials", lacuna_any4, arrays.materials);
  upload(builder, "texels", lacuna_any2, arrays.texels);
  upload(builder, "energy", lacuna_y, arrays.energy);
  builder.shader("scene_constants.glsl", sceneConstants(*loaded));
  builder.nodes(fmt::format(nodesText, fmt::arg("inputs", inputsText),
                            fmt::arg("extent", R"({ width = "width", height = "height" })")));
}

}  // namespace

LACUNA_MODULE(Table("pathtrace").probe<probe>().read<read>().build<build>())
