#include "graph/files/own_place.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>

namespace lacuna {
namespace {

namespace fs = std::filesystem;

fs::path program() {
  std::error_code failed;
  const fs::path path = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : path;
}

// The shared library that contains this function, or the program.
fs::path ownFile() {
  Dl_info info{};
  link_map* map = nullptr;
  const bool found = dladdr1(reinterpret_cast<const void*>(&installPrefix), &info,
                             reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0;
  if (!found || map == nullptr || map->l_name == nullptr || *map->l_name == '\0')
    return program();
  std::error_code failed;
  const fs::path library = fs::canonical(map->l_name, failed);
  return failed ? program() : library;
}

}  // namespace

std::string programFile() {
  return program().string();
}

std::string ownFolder() {
  return ownFile().parent_path().string();
}

std::string installPrefix() {
  return fs::path(ownFolder()).parent_path().string();
}

bool runsWhereBuilt() {
  const std::string file = programFile();
  const std::string folder = fs::weakly_canonical(buildFolder()).string() + "/";
  return file.compare(0, folder.size(), folder) == 0;
}

std::string sharedFolder(const std::string& inSources) {
  const fs::path tree =
      runsWhereBuilt() ? fs::path(sourceModules()).parent_path() : fs::path(installPrefix()) / "share/lacuna";
  return (tree / inSources).string();
}

std::string benchModules() {
  return sharedFolder("tools/bench/modules");
}

}  // namespace lacuna
