#include "pathtrace/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "graph/config/text.h"
#include "pathtrace/scene/read_parts.h"

namespace lacuna::pathtrace {
namespace {

// The line of a keyword that a scene has once, or null.
const SceneLine* only(const SceneText& text, std::string_view keyword, Diagnostics& diagnostics) {
  const auto lines = text.of(keyword);
  for (size_t i = 1; i < lines.size(); ++i) {
    diagnostics.error(lines[i]->words[0].where, fmt::format("'{}' is given twice, first in line {}", keyword,
                                                            lines[0]->words[0].where.line));
  }
  return lines.empty() ? nullptr : lines[0];
}

void noMoreWords(const SceneLine& line, size_t count, Diagnostics& diagnostics) {
  if (line.words.size() > count) {
    diagnostics.error(line.words[count].where,
                      fmt::format("a {} has no '{}'", line.words[0].text, line.words[count].text));
  }
}

class SceneReader {
 public:
  SceneReader(const SceneText& text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  Scene read() {
    for (const SceneLine* line : text_.of("material")) {
      addName(materials_, "material", line->words[1], static_cast<int>(scene_.materials.size()),
              diagnostics_);
      scene_.materials.push_back(readMaterial(*line, text_.folder, scene_.images, diagnostics_));
    }
    for (const SceneLine* line : text_.of("mesh"))
      readMesh(*line);
    Names objects;
    for (const SceneLine* line : text_.of("object")) {
      addName(objects, "object", line->words[1], 0, diagnostics_);
      readObject(*line, materials_, meshes_, scene_, diagnostics_);
    }
    generate();
    readBackground();
    readView();
    warnOfDarkness();
    return std::move(scene_);
  }

 private:
  void readMesh(const SceneLine& line) {
    noMoreWords(line, 3, diagnostics_);
    const Word& name = line.words[1];
    const std::string path =
        (std::filesystem::path(text_.folder) / line.words[2].text).lexically_normal().generic_string();
    auto mesh = readObj(path, {name.text, line.words[2].where, false}, materials_, diagnostics_);
    addName(meshes_, "mesh", name, mesh ? static_cast<int>(scene_.meshes.size()) : none, diagnostics_);
    if (mesh)
      scene_.meshes.push_back(std::move(*mesh));
  }

  // A random scene brings a background and a camera; the file's own lines come after and replace them.
  void generate() {
    const SceneLine* line = only(text_, "generate", diagnostics_);
    if (line == nullptr)
      return;
    noMoreWords(*line, 2, diagnostics_);
    const Word& word = line->words[1];
    const auto seed = parseInteger(word.text);
    if (!seed || *seed < 0 || *seed > std::numeric_limits<uint32_t>::max()) {
      diagnostics_.error(word.where, fmt::format("'generate' takes a whole number from 0 to {}, not '{}'",
                                                 std::numeric_limits<uint32_t>::max(), word.text));
      return;
    }
    Scene made = randomScene(static_cast<uint32_t>(*seed));
    scene_.background = made.background;
    scene_.camera = made.camera;
    hasCamera_ = true;
    append(scene_, std::move(made));
  }

  void readBackground() {
    if (const SceneLine* line = only(text_, "background", diagnostics_)) {
      const Settings settings(line->words, {{"background", {1, 3}, {0, 1e9}, "R G B"}}, "a background",
                              diagnostics_);
      scene_.background = settings.vector("background", {});
    }
  }

  void readView() {
    const SceneLine* line = only(text_, "camera", diagnostics_);
    if (line != nullptr) {
      scene_.camera = readCamera(*line, diagnostics_);
    } else if (!hasCamera_ && !diagnostics_.hasErrors()) {
      diagnostics_.error({text_.file, 0, 0, 1}, "the scene has no camera",
                         "expected a line such as camera eye 0 1 4 target 0 1 0");
    }
  }

  static bool isBlack(const Vec3& colour) { return colour.x <= 0 && colour.y <= 0 && colour.z <= 0; }

  // Only checked in scenes without errors, because missing parts may be in a wrong line.
  void warnOfDarkness() {
    if (diagnostics_.hasErrors())
      return;
    const auto shines = [](const Material& m) { return m.emits() && !isBlack(m.radiance); };
    const bool isLit =
        !isBlack(scene_.background) || std::ranges::any_of(scene_.objects, [&](const Object& object) {
          return scene_.anyMaterial(object, shines);
        });
    if (!isLit) {
      diagnostics_.warn({text_.file, 0, 0, 1},
                        "the scene has no light, no emissive object and no background: it will be black");
    }
    if (scene_.objects.empty())
      diagnostics_.warn({text_.file, 0, 0, 1}, "the scene has no objects");
  }

  const SceneText& text_;
  Diagnostics& diagnostics_;
  Scene scene_;
  Names materials_, meshes_;
  bool hasCamera_ = false;
};

}  // namespace

Scene parseScene(const std::string& text, const std::string& path, Diagnostics& diagnostics) {
  const SceneText lines = readSceneText(text, path, diagnostics);
  return SceneReader(lines, diagnostics).read();
}

Scene readScene(const std::string& path, Diagnostics& diagnostics) {
  const FileText file = readTextFile(path);
  if (!file.error.empty()) {
    diagnostics.error({diagnostics.addFile(path, {}), 0, 0, 1}, "the scene cannot be read: " + file.error);
    return {};
  }
  return parseScene(file.text, path, diagnostics);
}

}  // namespace lacuna::pathtrace
