#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/module/native_code.h"
#include "graph/module/registry.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/check_environment.h"

namespace lacuna {
namespace {

struct NativeState {
  std::string file, version, problem;  // version: may have none; problem: empty where it can be used
};

NativeState nativeState(const ModuleDescription& module) {
  NativeState state{nativeFile(module), {}, {}};
  try {
    const NativeCode code(module);
    state.file = code.file();
    state.version = code.version();
  } catch (const NativeCodeError& error) {
    state.problem = error.what();
  }
  return state;
}

std::string asText(const NativeState& state) {
  if (!state.problem.empty()) {
    return fmt::format("\nnative code that can't be used\n  {}\n", state.problem);
  }
  return fmt::format("\nnative code\n  {}{}{}\n", state.file, state.version.empty() ? "" : ", version ",
                     state.version);
}

std::string withNative(const std::string& description, const NativeState& state) {
  auto json = nlohmann::ordered_json::parse(description);
  json["native"] = {{"file", state.file}, {"version", state.version}, {"problem", state.problem}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int runDescribe(const std::vector<std::string>& modulePath, const std::string& name, bool json) {
  warnOfModuleFolders();
  Registry registry(moduleSearchPath(modulePath));
  Diagnostics diagnostics;
  const auto module = registry.find(name, diagnostics);
  if (module == nullptr) {
    if (!diagnostics.hasErrors()) {
      diagnostics.error({}, fmt::format("unknown module '{}'", name), registry.hint(name));
    }
    fmt::print(stderr, "{}", diagnostics.render());
    return exitUsage;
  }
  std::string text = json ? printJson(*module) : print(*module);
  if (needsNativeCode(*module)) {
    const NativeState state = nativeState(*module);
    text = json ? withNative(text, state) : text + asText(state);
  }
  fmt::print("{}", text);
  return exitOk;
}

}  // namespace lacuna
