// module.toml, and nodes that native code built -> their description: read, completed, checked.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/module/key_reader.h"
#include "graph/module/registry.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// `isBase`: the module is read for an alias of it, and must not be an alias itself.
std::shared_ptr<const ModuleDescription> readFolder(const std::string& folder, bool isBase,
                                                    Diagnostics& diagnostics, ModuleSource* source) {
  const std::string path = (fs::path(folder) / "module.toml").string();
  // As for shaders: a link must not lead outside, because messages would quote that file.
  if (!liesWithin(path, {folder, fs::path(folder).parent_path(), fs::path(folder) / ".."})) {
    diagnostics.error({diagnostics.addFile(path, {}), 0, 0, 1},
                      "the file is a link to a place outside the module's folder and its parent");
    return nullptr;
  }
  const FileText read = readTextFile(path);
  const int index = diagnostics.addFile(path, read.text);
  if (!read.error.empty()) {
    diagnostics.error({index, 0, 0, 1}, "the file cannot be read: " + read.error);
    return nullptr;
  }
  const std::string text(afterByteOrderMark(read.text));
  TomlFile file(index, text, diagnostics);
  auto module = std::make_shared<ModuleDescription>();
  module->folder = folder;
  const bool isToml = readToml(text, file, [&](const toml::table& root) {
    TableReader reader(file, root, "", "the module");
    KeyReader keyReader(reader);
    keys(keyReader, *module);
    reader.finish();
    complete(*module, file);
    const std::string& alias = module->alias.base;
    if (!alias.empty() && isBase) {
      file.error("alias", "this module is itself an alias, and can't have one");
    } else if (!alias.empty()) {
      const fs::path beside = fs::path(folder) / ".." / alias;
      const auto base = readFolder(beside.lexically_normal(), true, diagnostics, nullptr);
      if (base == nullptr) {
        file.error("alias", fmt::format("the description of module '{}' has errors", alias));
        return;
      }
      takeOver(*base, *module, file);
    }
    checkModule(*module, file);
  });
  if (source != nullptr)
    *source = {*module, file.places()};
  return isToml && !file.hasErrors() ? module : nullptr;
}

template <typename T>
bool contradicts(const std::vector<T>& wanted, const std::optional<T>& stated) {
  return !wanted.empty() && stated && !contains(wanted, *stated);
}

bool countDiffers(uint32_t promised, uint32_t stated) {
  const bool isAny = promised == anyCount || stated == anyCount;
  return isAny ? (promised == 0) != (stated == 0) : promised != stated;
}

// A built node's output must have the type that the native node promises.
void checkOutput(const ConnectorDescription& promised, const NodeOutput& output, const std::string& path,
                 TomlFile& file) {
  std::optional<Format> format;
  if (output.format && output.format->parameter.empty())
    format = output.format->value;
  const bool differs =
      contradicts(promised.channels, output.channels) || contradicts(promised.formats, format) ||
      countDiffers(promised.arrayCount, output.arrayCount) || promised.planes != output.planes.has_value() ||
      (promised.colour && output.colour && output.colour->parameter.empty() &&
       promised.colour->value != output.colour->value);
  if (differs) {
    file.error(path, fmt::format("'{}' is not of the type of the native node's output '{}'", output.name,
                                 promised.name));
  }
}

void checkBuilt(const ModuleDescription& module, TomlFile& file) {
  for (size_t n = 0; n < module.nodes.size(); ++n) {
    const NodeDescription& node = module.nodes[n];
    if (node.kind == NodeKind::source || node.kind == NodeKind::sink || node.kind == NodeKind::native) {
      file.error(fmt::format("node[{}].kind", n),
                 fmt::format("native code can't build a {}", wordOf(nodeKindWords(), node.kind)));
    }
    for (size_t o = 0; o < node.outputs.size(); ++o)
      if (const ConnectorDescription* promised = module.connector(node.outputs[o].connector))
        checkOutput(*promised, node.outputs[o], fmt::format("node[{}].outputs[{}]", n, o), file);
  }
}

// Adds the owner's variants for nodes that were built here, restricted to those.
void addVariants(const std::vector<NodeDescription>& nodes, const ModuleDescription& owner,
                 std::vector<VariantDescription>& variants) {
  for (VariantDescription variant : owner.variants) {
    std::erase_if(variant.nodes, [&](const std::string& name) { return findNamed(nodes, name) == nullptr; });
    if (!variant.nodes.empty())
      variants.push_back(std::move(variant));
  }
}

}  // namespace

std::shared_ptr<const ModuleDescription> readModule(const std::string& folder, Diagnostics& diagnostics,
                                                    ModuleSource* source) {
  return readFolder(folder, false, diagnostics, source);
}

std::shared_ptr<const ModuleDescription> readBuilt(const ModuleDescription& owner, const BuiltNodes& built,
                                                   Diagnostics& diagnostics) {
  auto module = std::make_shared<ModuleDescription>();
  module->name = owner.name;
  module->summary = owner.summary;
  module->folder = owner.folder;
  module->parameters = owner.parameters;
  module->connectors = built.inputs;
  module->connectors.insert(module->connectors.end(), built.outputs.begin(), built.outputs.end());
  module->made = built.shaders;
  TomlFile file(diagnostics.addFile(built.name + " as built", built.toml), built.toml, diagnostics);
  const bool isToml = readToml(built.toml, file, [&](const toml::table& root) {
    TableReader reader(file, root, "", "a native node's parts");
    reader.tables("node", "[[node]]", [&](TableReader& table) {
      KeyReader node(table);
      keys(node, module->nodes.emplace_back());
    });
    reader.tables("variant", "[[variant]]", [&](TableReader& table) {
      KeyReader variant(table);
      keys(variant, module->variants.emplace_back());
    });
    reader.finish();
    completeNodes(*module, file);
    checkVariants(*module, file);
    addVariants(module->nodes, owner, module->variants);
    checkBuiltVariants(*module, file);
    checkKeys(*module, file);
    checkNodes(*module, file);
    checkBuilt(*module, file);
  });
  return isToml && !file.hasErrors() ? module : nullptr;
}

}  // namespace lacuna
