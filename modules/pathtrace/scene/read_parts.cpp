#include "pathtrace/scene/read_parts.h"

#include <fmt/format.h>

#include "graph/config/text.h"

namespace lacuna::pathtrace {

void addName(Names& names, const std::string& kind, const Word& name, int index, Diagnostics& diagnostics) {
  if (!isName(name.text)) {
    diagnostics.error(name.where, fmt::format("'{}' is not a name", name.text),
                      "names have letters, digits, '-' and '_'");
    return;
  }
  const auto [entry, isNew] = names.try_emplace(name.text, Named{index, name.where});
  if (!isNew) {
    diagnostics.error(name.where, fmt::format("the {} '{}' is given twice, first in line {}", kind, name.text,
                                              entry->second.where.line));
  }
}

const Named* findName(const Names& names, const std::string& kind, const Word& name,
                      Diagnostics& diagnostics) {
  const auto found = names.find(name.text);
  if (found != names.end())
    return &found->second;
  std::vector<std::string> known;
  for (const auto& [each, where] : names)
    known.push_back(each);
  diagnostics.error(name.where, fmt::format("the scene has no {} '{}'", kind, name.text),
                    suggest(name.text, known, "there are"));
  return nullptr;
}

std::optional<double> readFrame(const std::vector<Word>& line, std::optional<double> before,
                                Diagnostics& diagnostics) {
  if (line.size() < 2) {
    diagnostics.error(line[0].where, "'at' takes a frame", "expected at FRAME SETTINGS...");
    return std::nullopt;
  }
  double frame = 0;
  if (!readNumber(line[1], "at", {-1e6, 1e6}, frame, diagnostics))
    return std::nullopt;
  if (before && frame <= *before) {
    diagnostics.error(line[1].where,
                      fmt::format("frame {} does not come after frame {}, the key before", frame, *before),
                      "keyframes must be in the order of their frames");
    return std::nullopt;
  }
  return frame;
}

namespace {

const std::vector<SettingForm>& forms() {
  static const std::vector<SettingForm> all = {
      {"eye", {3}, {}, "X Y Z"},
      {"target", {3}, {}, "X Y Z"},
      {"up", {3}, {}, "X Y Z"},
      {"fov", {1}, {0, 180, true, true}, "DEGREES"},
      {"aperture", {1}, {0, 1e6}, "RADIUS"},
      {"focus", {1}, {0, 1e9}, "DEPTH"},
  };
  return all;
}

void apply(const Settings& settings, CameraKey& key) {
  key.eye = settings.vector("eye", key.eye);
  key.target = settings.vector("target", key.target);
  key.up = settings.vector("up", key.up);
  key.fov = settings.number("fov", key.fov);
  key.aperture = settings.number("aperture", key.aperture);
  key.focus = settings.number("focus", key.focus);
}

// `where`: the line's first word.
void check(const CameraKey& key, const Word& where, Diagnostics& diagnostics) {
  const Vec3 view = key.target - key.eye;
  if (length(view) == 0)
    diagnostics.error(where.where, "the camera's eye is its target", "move one of them");
  else if (length(key.up) == 0)
    diagnostics.error(where.where, "the camera's 'up' is 0 0 0");
  else if (length(cross(normalised(view), normalised(key.up))) < 1e-6)
    diagnostics.error(where.where, "the camera looks along its 'up'", "give another one, such as up 0 0 1");
}

}  // namespace

std::vector<CameraKey> readCamera(const SceneLine& line, Diagnostics& diagnostics) {
  CameraKey key;
  const Settings settings(std::span(line.words).subspan(1), forms(), "a camera", diagnostics);
  apply(settings, key);
  bool complete = true;
  for (const char* needed : {"eye", "target"}) {
    complete = complete && settings.find(needed) != nullptr;
    if (!settings.wasGiven(needed)) {
      diagnostics.error(line.words[0].where, fmt::format("the camera needs '{}'", needed),
                        fmt::format("expected {} X Y Z", needed));
    }
  }
  if (complete)
    check(key, line.words[0], diagnostics);
  const auto change = [&](CameraKey& changed, const Settings& changes, const Word& at) {
    apply(changes, changed);
    if (complete)
      check(changed, at, diagnostics);
  };
  return readKeys(line, key, forms(), "a camera", diagnostics, change);
}

}  // namespace lacuna::pathtrace
