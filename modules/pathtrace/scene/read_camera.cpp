#include <fmt/format.h>

#include "pathtrace/scene/read_parts.h"

namespace lacuna::pathtrace {
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
  if (length(view) == 0) {
    diagnostics.error(where.where, "the camera's eye is its target", "move one of them");
  } else if (length(key.up) == 0) {
    diagnostics.error(where.where, "the camera's 'up' is 0 0 0");
  } else if (length(cross(normalised(view), normalised(key.up))) < 1e-6) {
    diagnostics.error(where.where, "the camera looks along its 'up'", "give another one, such as up 0 0 1");
  }
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
  if (complete) {
    check(key, line.words[0], diagnostics);
  }
  const auto change = [&](CameraKey& changed, const Settings& changes, const Word& at) {
    apply(changes, changed);
    if (complete) {
      check(changed, at, diagnostics);
    }
  };
  return readKeys(line, key, forms(), "a camera", diagnostics, change);
}

}  // namespace lacuna::pathtrace
