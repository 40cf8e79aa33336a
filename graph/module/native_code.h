#pragma once
// The native code of a module: module.so, loaded for good.

#include <string>
#include <vector>

#include "graph/module/native_call.h"
#include "graph/module/native_file.h"

namespace lacuna {

// Whether a module's nodes need native code: sources and sinks outside the program's memory, native nodes and
// host nodes.
bool needsNativeCode(const ModuleDescription& module);

class NativeCode {
 public:
  // Loads the code, checks its table and calls its describe(). Throws NativeCodeError if there is no file, or
  // others can change it (native_file.h), if it is no library, is built for another ABI or module, lacks an
  // entry point that a node of the module needs, or if its describe() fails.
  explicit NativeCode(const ModuleDescription& module);

  const std::string& file() const { return file_; }
  const std::string& version() const { return version_; }                  // or empty
  const std::vector<NativeReport>& warnings() const { return warnings_; }  // of describe()
  const lacuna_module& table() const { return table_; }  // NULL if it has no such entry point

 private:
  void load(const ModuleDescription& module);
  void checkEntryPoints(const ModuleDescription& module) const;
  void describe(const ModuleDescription& module);

  std::string file_;
  lacuna_module table_{};
  std::string version_;
  std::vector<NativeReport> warnings_;
};

}  // namespace lacuna
