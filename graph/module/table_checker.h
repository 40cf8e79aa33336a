#pragma once
// The common checks of module.toml's tables: messages at a table's keys, parameters that may shape the graph,
// conditions, shaders.

#include <string>
#include <string_view>
#include <vector>

#include "graph/lists.h"
#include "graph/module/read_module.h"

namespace lacuna {

struct Condition;

class TableChecker {
 public:
  // `table` is its path in the file: "node[3]".
  TableChecker(const ModuleDescription& module, std::string table, TomlFile& file)
      : module_(module), table_(std::move(table)), file_(file) {}

 protected:
  void error(const std::string& key, std::string message, std::string hint = {});
  bool isWrong(const std::string& key) const;

  // A structural parameter of one value; reported and nullptr if there is none.
  const ParameterDescription* structural(const std::string& key, const std::string& name);
  // A count may be a parameter: an int whose range is from `least` to `most`.
  void checkCount(const std::string& key, const Count& count, double least, double most);
  // A structural choice whose words are all among these, or are the one that native code settles. `of` names
  // them in messages.
  void checkChoice(const std::string& key, const std::string& name, std::string_view of,
                   const std::vector<std::string>& words, std::string_view settled = {});
  // A format that is a word, or a structural choice of such words.
  void checkFormat(const std::string& key, const FormatChoice& choice);
  // Checks a node's `shader`: a file, or made by the module's code.
  void checkShaderIsThere(const std::string& shader);
  // A workgroup's width, if rows of invocations hold matrices.
  void checkMatrixWidth(const std::string& key, uint32_t width);
  // Its `when`.
  void checkWhen(const std::string& when);

  const ModuleDescription& module_;
  std::string table_;
  TomlFile& file_;

 private:
  void checkCondition(const Condition& condition);
};

class NodeChecker : protected TableChecker {
 public:
  NodeChecker(const ModuleDescription& module, size_t index, TomlFile& file);

 protected:
  const NodeDescription& node_;
  size_t index_;
};

// A stencil's window, border rule, features and taps; nothing for other kinds.
void checkStencil(const ModuleDescription& module, size_t index, TomlFile& file);
// Sizes of outputs.
void checkExtents(const ModuleDescription& module, size_t index, TomlFile& file);

}  // namespace lacuna
