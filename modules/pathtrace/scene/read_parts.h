#pragma once
// A scene file as written, and its lines that make one object each. Mistakes are reported; the result then
// only serves to find more mistakes.

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/config.h"
#include "graph/config/diagnostics.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// Lines of words, each with the keyframes that follow it. Names are not looked up here.
struct SceneLine {
  std::vector<Word> words;              // from the keyword on
  std::vector<std::vector<Word>> keys;  // the `at` lines below, from `at` on
};

struct SceneText {
  int file = -1;       // in the Diagnostics
  std::string folder;  // file names in the scene start there
  std::vector<SceneLine> lines;

  // Lines with a keyword, in order.
  std::vector<const SceneLine*> of(std::string_view keyword) const;
};

// After this, every line has a known keyword and the number of words before its settings that it needs.
SceneText readSceneText(const std::string& text, const std::string& path, Diagnostics& diagnostics);

// Settings after the name of an object, material or camera: names with values, in any order, such as
//   eye 0 1 3.4  target 0 1 0  fov 40
struct Range {
  double least = -1e9, most = 1e9;
  bool aboveLeast = false, belowMost = false;  // whether the end itself is outside
};

struct SettingForm {
  enum class Kind { numbers, word };
  std::string name;
  std::vector<size_t> counts;  // possible numbers of its values; for words, 1
  Range range;
  std::string values;  // for messages: "X Y Z"
  Kind kind = Kind::numbers;
  bool repeats = false;
};

struct Setting {
  Word name;
  std::vector<double> numbers;
  Word word;
};

class Settings {
 public:
  // Reports names that no form has, repeated ones, and values that don't fit; these are omitted. `owner`: "a
  // camera", "a glossy material".
  Settings(std::span<const Word> words, const std::vector<SettingForm>& forms, const std::string& owner,
           Diagnostics& diagnostics);

  const Setting* find(std::string_view name) const;  // the first one, or null
  const std::vector<Setting>& all() const { return settings_; }
  bool wasGiven(std::string_view name) const;  // also wrongly

  // The given value, or `otherwise`. One number in place of three counts for all three.
  double number(std::string_view name, double otherwise) const;
  Vec3 vector(std::string_view name, const Vec3& otherwise) const;

 private:
  void readOne(std::span<const Word>& words, const std::vector<SettingForm>& forms, const std::string& owner);
  void readValues(std::span<const Word> values, const Word& name, const SettingForm& form);
  void readNumbers(std::span<const Word> values, const SettingForm& form, Setting& setting, bool& right);
  void unknown(const Word& name, const std::vector<SettingForm>& forms, const std::string& owner);

  std::vector<Setting> settings_;
  std::vector<Word> given_;
  Diagnostics& diagnostics_;
};

// Three numbers, or one for all three, from `first` on.
Vec3 vectorOf(const std::vector<double>& numbers, size_t first = 0);

// The number of a word, if it is one within the range; otherwise that is reported.
bool readNumber(const Word& word, std::string_view name, const Range& range, double& value,
                Diagnostics& diagnostics);

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

// A mesh of a Wavefront OBJ: v, vt, vn, f and usemtl. Polygons become fans, so they should be convex. Groups
// and smoothing are ignored; materials are the scene file's, and mtllib is not read. `name` is the mesh's in
// the scene file, which is the place of messages about the whole file; other messages have their place in the
// OBJ. Names of usemtl are looked up in `materials`; triangles with an unknown one use their object's, with a
// warning. Triangles without area are omitted, with a warning. Null if an error was reported.
std::optional<Mesh> readObj(const std::string& path, const Word& name, const Names& materials,
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
    if (frame && words.empty())
      diagnostics.error(at[0].where, "a keyframe that changes nothing", "expected at FRAME SETTINGS...");
    if (keys.empty() && frame && *frame > 0)
      keys.push_back(key);
    change(key, Settings(words, forms, owner, diagnostics), at[0]);
    before = frame ? frame : before;
    key.frame = before.value_or(0);
    keys.push_back(key);
  }
  if (keys.empty())
    keys.push_back(key);
  return keys;
}

}  // namespace lacuna::pathtrace
