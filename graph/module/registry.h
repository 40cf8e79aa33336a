#pragma once
// Finds modules on the search path and reads their descriptions.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "graph/module/description.h"

namespace lacuna {

// A module.toml as it was read, also where it has mistakes, and the places of its values:
// "node[2].inputs[0].source".
struct ModuleSource {
  ModuleDescription description;
  std::map<std::string, Location> places;
};

// Reads one module.toml. All mistakes in it are reported, with file, line and column. Returns nullptr if
// there were any.
std::shared_ptr<const ModuleDescription> readModule(const std::string& folder, Diagnostics& diagnostics,
                                                    ModuleSource* source = nullptr);

// The folders given (--modules), LACUNA_MODULES (colon-separated), the user's data folder
// ($XDG_DATA_HOME/lacuna/modules), the install prefix (../lib/lacuna/modules beside the program) and, for
// a program in its build tree, the source tree. Earlier ones win.
std::vector<std::string> moduleSearchPath(const std::vector<std::string>& given);

class Registry {
 public:
  explicit Registry(std::vector<std::string> searchPath);
  void renew();  // looks for modules again; what was read is kept if no module.toml has changed
  // Reads on first use. nullptr if there is no such module or its description is wrong (then reported).
  std::shared_ptr<const ModuleDescription> find(const std::string& name, Diagnostics& diagnostics);
  std::vector<std::string> names() const;  // all that the path holds, sorted
  const std::vector<std::string>& searchPath() const { return searchPath_; }
  // A hint for a missing module: the folder, if benchmarks have it, a similar name, or the searched folders.
  std::string hint(const std::string& unknown) const;
  // "no modules were found in ..., ...", with a remedy; only for a registry without any.
  std::string emptyHint() const;

 private:
  std::vector<std::string> searchPath_;
  std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>> folders_;
  std::map<std::string, std::shared_ptr<const ModuleDescription>> read_;
};

// The nodes that native code built, as a module of their own.
struct BuiltNodes {
  std::string name;  // for messages: "net:01:layers"
  std::string toml;  // [[node]] tables
  std::map<std::string, std::string> shaders;
  std::vector<ConnectorDescription> inputs, outputs;  // the native node's; inputs with its uploads
};

// A module with the name, folder and parameters of `owner`, whose input connectors are the native node's
// inputs and uploads, and whose output connectors are its outputs. Reports mistakes in the nodes, as for a
// module.toml, and outputs that differ from the native node's; nullptr then.
std::shared_ptr<const ModuleDescription> readBuilt(const ModuleDescription& owner, const BuiltNodes& built,
                                                   Diagnostics& diagnostics);

}  // namespace lacuna
