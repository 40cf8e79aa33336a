#include "graph/module/native_code.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "graph/module/native_file.h"

namespace lacuna {
namespace {

bool needsNativeCode(const NodeDescription& node) {
  const bool isEnd = node.kind == NodeKind::source || node.kind == NodeKind::sink;
  return node.kind == NodeKind::native || node.kind == NodeKind::host || (isEnd && !node.memory);
}

std::string loaderMessage() {
  const char* message = dlerror();
  return message == nullptr ? "no reason given" : message;
}

}  // namespace

bool needsNativeCode(const ModuleDescription& module) {
  return std::ranges::any_of(module.nodes, [](const NodeDescription& node) { return needsNativeCode(node); });
}

NativeCode::NativeCode(const ModuleDescription& module) : file_(trustedFile(nativeFile(module))) {
  load(module);
  checkEntryPoints(module);
  describe(module);
}

void NativeCode::load(const ModuleDescription& module) {
  if (const std::string damage = cutOff(file_); !damage.empty())
    throw NativeCodeError(fmt::format("{} can't be loaded: {}; build it again", file_, damage));
  // Never unloaded: threads may be running its code.
  void* library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw NativeCodeError(fmt::format("{} can't be loaded: {}", file_, loaderMessage()));
  const auto entry = reinterpret_cast<decltype(&lacuna_module_entry)>(dlsym(library, "lacuna_module_entry"));
  if (entry == nullptr) {
    throw NativeCodeError(
        fmt::format("{} is not a module: it does not export the function lacuna_module_entry", file_));
  }
  const lacuna_module* given = nullptr;
  try {
    given = entry(LACUNA_ABI);
  } catch (...) {
    throw NativeCodeError(fmt::format("{}: lacuna_module_entry() threw an exception", file_));
  }
  if (given == nullptr) {
    throw NativeCodeError(
        fmt::format("{} can't serve this program: it returned no table for ABI {}; build it for that ABI",
                    file_, LACUNA_ABI));
  }
  if (given->size < offsetof(lacuna_module, describe)) {
    throw NativeCodeError(fmt::format("{}: the table that it returns has {} bytes, but needs {} at least",
                                      file_, given->size, offsetof(lacuna_module, describe)));
  }
  std::memcpy(&table_, given, std::min<size_t>(given->size, sizeof table_));
  if (table_.abi != LACUNA_ABI) {
    throw NativeCodeError(fmt::format("{} is built for ABI {}, this program has ABI {}; build it again",
                                      file_, table_.abi, LACUNA_ABI));
  }
  if (table_.name == nullptr || codeName(module) != table_.name) {
    throw NativeCodeError(fmt::format("{} is the code of module '{}', not of '{}'", file_,
                                      table_.name == nullptr ? "" : table_.name, codeName(module)));
  }
}

void NativeCode::checkEntryPoints(const ModuleDescription& module) const {
  for (const NodeDescription& node : module.nodes) {
    const auto need = [&](bool there, const char* kind, const char* name) {
      if (!there)
        throw NativeCodeError(fmt::format("{} has no {}(), but node '{}' of module '{}' is a {}", file_, name,
                                          node.name, module.name, kind));
    };
    if (node.kind == NodeKind::source && !node.memory) {
      need(table_.probe != nullptr, "source", "probe");
      need(table_.read != nullptr, "source", "read");
    } else if (node.kind == NodeKind::sink && !node.memory) {
      need(table_.write != nullptr, "sink", "write");
    } else if (node.kind == NodeKind::native) {
      need(table_.build != nullptr, "native node", "build");
    } else if (node.kind == NodeKind::host) {
      need(table_.compute != nullptr, "host node", "compute");
    }
  }
}

void NativeCode::describe(const ModuleDescription& module) {
  if (table_.describe == nullptr)
    return;
  CallContext context;
  context.instance = module.name;
  context.moduleFolder = module.folder;
  NativeCall call(std::move(context));
  lacuna_about about{};
  about.size = sizeof about;
  if (!call.run(file_, "describe", table_.describe, &about))
    throw NativeCodeError(fmt::format("{} can't work here: {}", file_, call.errorText()));
  version_ = about.version == nullptr ? "" : about.version;
  warnings_ = call.warnings();
}

}  // namespace lacuna
