#include "tools/bench/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/lists.h"
#include "tools/shell/files.h"

namespace lacuna {

std::string exampleScene(const std::string& name) {
  return installedFolder("examples", "examples") + "/scenes/" + name + ".scene";
}

std::string benchFolder() {
  return installedFolder("tools/bench", "tools/bench");
}

std::string benchText(const std::string& file) {
  const std::string path = benchFolder() + "/" + file;
  FileText read = readTextFile(path);
  if (!read.error.empty())
    throw FileError(fmt::format("{}: {}; it comes with the program: install it again", path, read.error));
  return std::move(read.text);
}

const Json& study(const std::string& name) {
  static const Json all = readOrderedJson(benchText("studies.json"));
  return all.at(name);
}

bool agree(const Json& a, const Json& b, std::initializer_list<const char*> keys) {
  return std::all_of(keys.begin(), keys.end(), [&](const char* key) { return a.at(key) == b.at(key); });
}

const Json* figureLike(const Json& figures, const Json& row, std::initializer_list<const char*> keys) {
  return findWhere(figures, [&](const Json& figure) { return agree(figure, row, keys); });
}

}  // namespace lacuna
