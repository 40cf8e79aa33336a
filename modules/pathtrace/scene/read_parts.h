#pragma once
// The lines of a scene file that make one object each. Mistakes are reported; the result then only serves to
// find more mistakes.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pathtrace/scene/scene.h"
#include "pathtrace/scene/scene_text.h"
#include "pathtrace/scene/settings.h"

namespace lacuna::pathtrace {

// The meaning of a name: an index, and its place. The index of a failed one is `none`.
struct Named {
  int index = none;
  Location where;
};
using Names = std::map<std::string, Named, std::less<>>;

// Enters a name; reports one that is not a name or already exists. `kind`: "material".
void addName(Names& names, const std::string& kind, const Word& name, int index, Diagnostics& diagnostics);

// Null if there is no such name, which is reported with the nearest one.
const Named* findName(const Names& names, const std::string& kind, const Word& name,
                      Diagnostics& diagnostics);

// The frame of an `at` line, if it is one and later than the one before.
std::optional<double> readFrame(const std::vector<Word>& line, std::optional<double> before,
                                Diagnostics& diagnostics);

// Images that materials name go to `images`, each file once.
Material readMaterial(const SceneLine& line, const std::string& folder, std::vector<Image>& images,
                      Diagnostics& diagnostics);

// Adds the object, and the mesh of its shape unless the scene has that one already.
void readObject(const SceneLine& line, const Names& materials, const Names& meshes, Scene& scene,
                Diagnostics& diagnostics);

std::vector<CameraKey> readCamera(const SceneLine& line, Diagnostics& diagnostics);

// The `at` lines below a camera or an object. Each changes the settings that it names; the rest is unchanged.
// `first` is what the line itself says: the key of frame 0, unless the first `at` is not after that.
// change(key, settings, at) applies a line's settings to a key.
template <typename Key, typename Change>
std::vector<Key> readKeys(const SceneLine& line, const Key& first, const std::vector<SettingForm>& forms,
                          const std::string& owner, Diagnostics& diagnostics, const Change& change) {
  Key key = first;
  std::vector<Key> keys;
  std::optional<double> before;
  for (const std::vector<Word>& at : line.keys) {
    const auto frame = readFrame(at, before, diagnostics);
    const auto words = std::span(at).subspan(std::min<size_t>(at.size(), 2));
    if (frame && words.empty()) {
      diagnostics.error(at[0].where, "a keyframe that changes nothing", "expected at FRAME SETTINGS...");
    }
    if (keys.empty() && frame && *frame > 0) {
      keys.push_back(key);
    }
    change(key, Settings(words, forms, owner, diagnostics), at[0]);
    before = frame ? frame : before;
    key.frame = before.value_or(0);
    keys.push_back(key);
  }
  if (keys.empty()) {
    keys.push_back(key);
  }
  return keys;
}

}  // namespace lacuna::pathtrace
