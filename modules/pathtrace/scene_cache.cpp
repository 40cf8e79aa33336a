#include "pathtrace/scene_cache.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <stdexcept>

#include "graph/config/diagnostics.h"
#include "pathtrace/scene/random_scene.h"
#include "pathtrace/scene/read_scene.h"

namespace lacuna::pathtrace {
namespace {

using Loaded = std::shared_ptr<const LoadedScene>;
constexpr size_t mostKept = 8;  // each may hold millions of triangles

struct Kept {
  std::string name;
  Loaded scene;
};
std::mutex keptMutex;
std::list<Kept> keptScenes;  // the latest first

// 0 if the scene is a file.
uint32_t seedOf(const native::Call& call) {
  const auto seed = static_cast<uint32_t>(call.integer("random"));
  const bool isNone = call.word("filename") == "none";
  if (isNone && seed == 0)
    throw native::Error("no scene: expected a file, or above 0 the seed `random` of one", "filename");
  if (!isNone && seed > 0)
    throw native::Error("two scenes: a file, and the seed `random` of one", "random");
  return seed;
}

std::string nameOf(const native::Call& call) {
  const uint32_t seed = seedOf(call);
  return seed > 0 ? "random:" + std::to_string(seed) : call.path();
}

Scene readFile(const native::Call& call, bool tells) {
  if (call.word("filename").find('%') != std::string::npos)
    throw native::Error("one scene is for all frames, it moves by its keyframes: expected a name without '%'",
                        "filename");
  Diagnostics diagnostics;
  Scene scene = readScene(call.path(), diagnostics);
  std::string text = diagnostics.render();
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  if (diagnostics.hasErrors())
    throw native::Error("the scene has errors:\n" + text, "filename");
  if (tells && !text.empty())
    call.warn("of the scene:\n" + text, "filename");
  for (const Image& image : scene.images)
    call.reads(image.file);
  return scene;
}

Loaded load(const native::Call& call, bool tells) {
  auto loaded = std::make_shared<LoadedScene>();
  const uint32_t seed = seedOf(call);
  loaded->scene = seed > 0 ? randomScene(seed) : readFile(call, tells);
  try {
    loaded->packed = packScene(loaded->scene);
  } catch (const std::length_error& error) {
    throw native::Error(nameOf(call) + ": " + error.what(), "filename");
  }
  return loaded;
}

Loaded keep(const std::string& name, Loaded scene) {
  keptScenes.remove_if([&](const Kept& kept) { return kept.name == name; });
  keptScenes.push_front({name, scene});
  if (keptScenes.size() > mostKept)
    keptScenes.pop_back();
  return scene;
}

}  // namespace

Loaded loadScene(const native::Call& call) {
  const std::scoped_lock lock(keptMutex);
  return keep(nameOf(call), load(call, true));
}

Loaded keptScene(const native::Call& call) {
  const std::scoped_lock lock(keptMutex);
  const std::string name = nameOf(call);
  const auto found = std::ranges::find_if(keptScenes, [&](const Kept& kept) { return kept.name == name; });
  return found != keptScenes.end() ? found->scene : keep(name, load(call, false));
}

}  // namespace lacuna::pathtrace
