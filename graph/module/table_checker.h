#pragma once
// The steps of reading a module.toml after its keys (key_reader.h), and what they share: messages at a
// table's keys, parameters that may shape the graph, conditions, shaders.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/toml_reader.h"
#include "graph/lists.h"
#include "graph/module/keys.h"

namespace lacuna {

class TableChecker {
 public:
  // `table` is its path in the file: "node[3]"; "" for the whole.
  TableChecker(const ModuleDescription& module, std::string table, TomlFile& file)
      : module_(module), table_(std::move(table)), file_(file) {}
  TableChecker inside(const std::string& key) const { return {module_, path(key), file_}; }

  void error(const std::string& key, std::string message, std::string hint = {});
  // An error if the key is not as it should be.
  void expect(bool isRight, const std::string& key, std::string message, std::string hint = {});
  // Whether the key is there, has an error that was reported, or is there without one. A table that an alias
  // took over has none.
  bool has(const std::string& key) const { return file_.has(path(key)); }
  bool isWrong(const std::string& key) const { return file_.isWrong(path(key)); }
  bool isRight(const std::string& key) const { return has(key) && !isWrong(key); }

  // A structural parameter of one value; reported and nullptr if there is none.
  const ParameterDescription* structural(const std::string& key, const std::string& name);
  // One that is an int whose range is from `least` to `most`. No name is right.
  void checkCount(const std::string& key, const std::string& name, int64_t least, int64_t most);
  // One that is a choice whose words are all among these, or are the one that native code settles. `of` names
  // them in messages.
  void checkChoice(const std::string& key, const std::string& name, std::string_view of,
                   const std::vector<std::string>& words, std::string_view settled = {});
  // `isKnown`: names that it may use; `known` lists them.
  void checkFormula(const std::string& key, const Formula& formula,
                    const std::function<bool(std::string_view)>& isKnown, const std::string& known);
  // A node's `shader`: a file, or made by the module's code.
  void checkShaderIsThere(const std::string& shader);
  // A workgroup's width, if rows of invocations hold matrices.
  void checkMatrixWidth(const std::string& key, uint32_t width);

 protected:
  std::string path(const std::string& key) const { return table_.empty() ? key : table_ + "." + key; }

  const ModuleDescription& module_;
  std::string table_;
  TomlFile& file_;
};

class NodeChecker : protected TableChecker {
 public:
  NodeChecker(const ModuleDescription& module, size_t index, TomlFile& file);

 protected:
  std::string kind() const { return wordOf(nodeKindWords(), node_.kind); }
  // Sizes of parameters and of the node's inputs.
  void checkSizes(const std::string& key, const std::vector<Formula>& sizes);
  void checkNumber(const std::string& key, const Formula& number, const std::vector<std::string_view>& names);

  const NodeDescription& node_;
  size_t index_;
};

// complete.cpp: of a module, and of nodes that native code built.
void complete(ModuleDescription& module, TomlFile& file);
void completeNodes(ModuleDescription& module, TomlFile& file);

// check_keys.cpp: the parameters that keys name.
void checkKeys(const ModuleDescription& module, TomlFile& file);
// check_module.cpp: names that must exist, be unique or fit each other.
void checkModule(const ModuleDescription& module, TomlFile& file);
// Its nodes, and the output connectors that they make.
void checkNodes(const ModuleDescription& module, TomlFile& file);
// check_node.cpp, check_output.cpp and check_stencil.cpp: a node; earlier ones are those before `index`.
void checkNode(const ModuleDescription& module, size_t index, TomlFile& file);
void checkOutputs(const ModuleDescription& module, size_t index, TomlFile& file);
void checkStencil(const ModuleDescription& module, size_t index, TomlFile& file);
// check_variant.cpp
void checkVariants(const ModuleDescription& module, TomlFile& file);
// Those that a native node's module has for nodes built by its code. Mistakes are reported at the nodes that
// don't fit them.
void checkBuiltVariants(const ModuleDescription& module, TomlFile& file);
// read_alias.cpp: takes over what the alias names of `base`.
void takeOver(const ModuleDescription& base, ModuleDescription& module, TomlFile& file);

}  // namespace lacuna
