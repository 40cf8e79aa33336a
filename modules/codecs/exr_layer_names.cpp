#include "modules/codecs/exr_channels.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

#include "graph/config/text.h"
#include "graph/config/toml_reader.h"
#include "modules/codecs/codec.h"

namespace lacuna::io {

extern const char* const layerTable;  // the text of layers.toml

namespace {

using Names = std::map<std::string, std::vector<ExrLayerName>, std::less<>>;

void add(const std::string& name, const std::string& renderer, std::vector<ExrLayerName>& names) {
  const std::string plain = plainName(name);
  auto known = std::ranges::find(names, plain, &ExrLayerName::plain);
  if (known == names.end())
    known = names.insert(names.end(), {name, plain, {}});
  known->renderers.push_back(renderer);
}

void readRenderer(TableReader& table, Names& names) {
  const std::string renderer = table.string("name", Need::required).value_or("");
  table.string("source");
  for (const std::string& plane : exrPlanes())
    if (plane != "histogram")
      for (const std::string& name : table.strings(plane))
        add(name, renderer, names[plane]);
}

void readTable(const std::string& file, const std::string& text, Names& names) {
  Diagnostics diagnostics;
  TomlFile toml(diagnostics.addFile(file, text), text, diagnostics);
  readToml(text, toml, [&](const toml::table& root) {
    TableReader reader(toml, root, "", "the table of layers");
    reader.tables("renderer", "[[renderer]]", [&](TableReader& table) { readRenderer(table, names); });
    reader.finish();
  });
  if (diagnostics.hasErrors())
    throw FileError("LACUNA_LAYERS: " + diagnostics.render());
}

Names readNames() {
  Names names;
  const char* own = std::getenv("LACUNA_LAYERS");
  if (own != nullptr && *own != 0) {
    const FileText read = readTextFile(own);
    if (!read.error.empty())
      throw FileError(std::string("LACUNA_LAYERS: ") + own + ": " + read.error);
    readTable(own, read.text, names);
  }
  readTable("layers.toml", layerTable, names);
  return names;
}

}  // namespace

std::string plainName(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (c != ' ' && c != '_' && c != '-')
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

const std::vector<ExrLayerName>& exrLayerNames(std::string_view plane) {
  static const Names names = readNames();
  static const std::vector<ExrLayerName> none;
  const auto found = names.find(plane);
  return found == names.end() ? none : found->second;
}

bool isLayerNamed(std::string_view plainLayer, std::string_view plainName) {
  if (!plainLayer.ends_with(plainName))
    return false;
  const size_t before = plainLayer.size() - plainName.size();
  return before == 0 || plainLayer[before - 1] == '.';
}

}  // namespace lacuna::io
