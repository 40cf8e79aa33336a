#include "graph/module/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "graph/config/text.h"
#include "graph/files/own_place.h"
#include "graph/lists.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string(value);
}

}  // namespace

std::vector<std::string> moduleSearchPath(const std::vector<std::string>& given) {
  std::vector<std::string> folders;
  const auto add = [&](const fs::path& folder) {
    const std::string text = folder.lexically_normal().string();
    if (!folder.empty() && !contains(folders, text))
      folders.push_back(text);
  };
  for (const std::string& folder : given)
    add(folder);
  std::string listed = environment("LACUNA_MODULES");
  while (!listed.empty()) {
    const size_t end = std::min(listed.find(':'), listed.size());
    add(listed.substr(0, end));
    listed.erase(0, end + 1);
  }
  const std::string dataHome = environment("XDG_DATA_HOME");
  const std::string home = environment("HOME");
  if (!dataHome.empty())
    add(fs::path(dataHome) / "lacuna/modules");
  else if (!home.empty())
    add(fs::path(home) / ".local/share/lacuna/modules");
  add(fs::path(installPrefix()) / "lib/lacuna/modules");
  if (runsWhereBuilt())
    add(sourceModules());
  return folders;
}

Registry::Registry(std::vector<std::string> searchPath) : searchPath_(std::move(searchPath)) {
  renew();
}

void Registry::renew() {
  const auto before = std::exchange(folders_, {});
  for (const std::string& folder : searchPath_) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      std::error_code missing;
      const fs::file_time_type time = fs::last_write_time(entry->path() / "module.toml", missing);
      if (!missing)
        folders_.try_emplace(entry->path().filename().string(), entry->path().string(), time);
    }
  }
  if (folders_ != before)
    read_.clear();
}

std::shared_ptr<const ModuleDescription> Registry::find(const std::string& name, Diagnostics& diagnostics) {
  if (const auto known = read_.find(name); known != read_.end())
    return known->second;
  const auto folder = folders_.find(name);
  if (folder == folders_.end())
    return nullptr;
  // A wrong one is not kept: each Diagnostics gets its errors.
  auto module = readModule(folder->second.first, diagnostics);
  if (module != nullptr)
    read_.emplace(name, module);
  return module;
}

std::string Registry::hint(const std::string& unknown) const {
  std::error_code ignored;
  if (const fs::path bench = benchModules(); fs::exists(bench / unknown / "module.toml", ignored))
    return fmt::format("it is a module of benchmarks: --modules {} finds it", bench.string());
  const std::string near = didYouMean(unknown, names());
  if (!near.empty())
    return near;
  return folders_.empty() ? emptyHint()
                          : fmt::format("`lacuna modules` lists the modules in {}", joinNames(searchPath_));
}

std::string Registry::emptyHint() const {
  return fmt::format(
      "no modules were found in {}; an installation has them in lib/lacuna/modules beside its bin, and "
      "--modules or LACUNA_MODULES names other folders",
      joinNames(searchPath_));
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, folder] : folders_)
    names.push_back(name);
  return names;
}

}  // namespace lacuna
