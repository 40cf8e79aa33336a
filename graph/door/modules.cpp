#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/door/errors.h"
#include "graph/module/native_code.h"
#include "graph/module/registry.h"

namespace lacuna {
namespace {

void addNativeCode(const ModuleDescription& module, ModuleText& said) {
  std::string file = nativeFile(module), version, problem;
  try {
    const NativeCode code(module);
    file = code.file();
    version = code.version();
  } catch (const NativeCodeError& error) {
    problem = error.what();
  }
  said.text += problem.empty() ? fmt::format("\nnative code\n  {}{}{}\n", file,
                                             version.empty() ? "" : ", version ", version)
                               : fmt::format("\nnative code that can't be used\n  {}\n", problem);
  auto json = readOrderedJson(said.json);
  json["native"] = {{"file", file}, {"version", version}, {"problem", problem}};
  said.json = jsonText(json, 2) + "\n";
}

std::shared_ptr<const ModuleDescription> moduleNamed(const std::string& name,
                                                     const std::vector<std::string>& folders) {
  Registry registry(moduleSearchPath(folders));
  Diagnostics diagnostics;
  auto module = registry.find(name, diagnostics);
  if (module == nullptr) {
    if (!diagnostics.hasErrors())
      diagnostics.error({}, fmt::format("unknown module '{}'", name), registry.hint(name));
    throw Error(ErrorKind::graph, diagnostics.messages());
  }
  return module;
}

}  // namespace

std::vector<std::string> moduleNames(const std::vector<std::string>& folders) {
  return door::guarded([&] { return Registry(moduleSearchPath(folders)).names(); });
}

ModuleText describeModule(const std::string& name, const std::vector<std::string>& folders) {
  return door::guarded([&] {
    const auto module = moduleNamed(name, folders);
    ModuleText said{print(*module), printJson(*module)};
    if (needsNativeCode(*module))
      addNativeCode(*module, said);
    return said;
  });
}

std::string describeFile(const std::string& path, const std::vector<std::string>& folders) {
  return door::guarded([&] {
    const auto module = moduleNamed("i-file", folders);
    const NativeCode code(*module);
    if (code.table().info == nullptr)
      throw Error(ErrorKind::other, code.file() + " has no info()");
    std::string said;
    const lacuna_settings settings{
        sizeof(lacuna_settings), &said,
        [](void* host, const char*, const char* text) { *static_cast<std::string*>(host) = text; }};
    CallContext context;
    context.instance = module->name;
    context.moduleFolder = module->folder;
    context.path = path;
    NativeCall call(std::move(context));
    if (!call.run(code.file(), "info", code.table().info, &settings))
      throw Error(ErrorKind::input, call.errorText());
    return said;
  });
}

}  // namespace lacuna
