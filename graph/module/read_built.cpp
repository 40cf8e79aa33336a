#include "graph/module/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/lists.h"
#include "graph/module/read_module.h"

namespace lacuna {
namespace {

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
  if (output.format && output.format->parameter.empty()) {
    format = output.format->format;
  }
  const bool differs =
      contradicts(promised.channels, output.channels) || contradicts(promised.formats, format) ||
      countDiffers(promised.arrayCount, output.arrayCount) || promised.planes != output.planes.has_value() ||
      (promised.colour && output.colour && *promised.colour != *output.colour);
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
    for (size_t o = 0; o < node.outputs.size(); ++o) {
      if (const ConnectorDescription* promised = module.connector(node.outputs[o].connector)) {
        checkOutput(*promised, node.outputs[o], fmt::format("node[{}].outputs[{}]", n, o), file);
      }
    }
  }
}

// The owner's variants for nodes that were built here, restricted to those.
std::vector<VariantDescription> variantsFor(const std::vector<NodeDescription>& nodes,
                                            const ModuleDescription& owner) {
  std::vector<VariantDescription> variants;
  for (VariantDescription variant : owner.variants) {
    std::erase_if(variant.nodes, [&](const std::string& name) { return findNamed(nodes, name) == nullptr; });
    if (!variant.nodes.empty()) {
      variants.push_back(std::move(variant));
    }
  }
  return variants;
}

}  // namespace

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
    reader.tables("node", "[[node]]", [&](TableReader& table, size_t) {
      module->nodes.push_back(readNode(table, module->parameters));
    });
    reader.finish();
    module->variants = variantsFor(module->nodes, owner);
    checkBuiltVariants(*module, file);
    checkNodes(*module, file);
    checkBuilt(*module, file);
  });
  return isToml && !file.hasErrors() ? module : nullptr;
}

}  // namespace lacuna
