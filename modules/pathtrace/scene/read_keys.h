#pragma once
// The `at` lines below a camera or an object. Each changes what it names; the rest stays as it was.

#include <algorithm>
#include <string>
#include <vector>

#include "pathtrace/scene/read_parts.h"
#include "pathtrace/scene/settings.h"

namespace lacuna::pathtrace {

// `first` is what the line itself says: the key of frame 0, unless the first `at` is not after that.
// change(key, settings, at) takes a line's settings into a key.
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
