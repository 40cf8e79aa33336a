#include <cstdlib>
#include <cstring>
#include <map>
#include <span>

#include "graph/parallel.h"
#include "graph/shader/cache_file.h"
#include "graph/shader/compile.h"

namespace lacuna {
namespace {

// Changes with anything that changes what the same source compiles to.
constexpr const char* compilerVersion = "shaderc 2023.2, Vulkan 1.2, NoContraction, performance passes, 2\n";

using Shared = std::shared_ptr<const SpirvWords>;

Shared compileOne(const std::string& folder, const std::string& glsl, const std::string& name) {
  const CacheFile file(folder, "spirv", compilerVersion + glsl);
  if (const auto cached = file.read(); cached && cached->size() % sizeof(uint32_t) == 0) {
    SpirvWords words(cached->size() / sizeof(uint32_t));
    std::memcpy(words.data(), cached->data(), cached->size());
    return std::make_shared<const SpirvWords>(std::move(words));
  }
  auto words = std::make_shared<const SpirvWords>(compileGlsl(glsl, name));
  file.write(std::as_bytes(std::span(*words)));
  return words;
}

}  // namespace

ShaderCache::ShaderCache(std::string folder) : folder_(std::move(folder)) {}

std::string ShaderCache::defaultFolder() {
  if (const char* own = std::getenv("LACUNA_CACHE")) {
    return own;
  }
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0') {
    return std::string(xdg) + "/lacuna";
  }
  const char* home = std::getenv("HOME");
  return home == nullptr ? std::string() : std::string(home) + "/.cache/lacuna";
}

std::vector<Shared> ShaderCache::compileAll(const std::vector<std::string>& glsl,
                                            const std::vector<std::string>& names) {
  std::map<std::string, size_t> first;  // text -> the index that compiles it
  std::vector<size_t> work;
  for (size_t i = 0; i < glsl.size(); ++i) {
    if (!glsl[i].empty() && first.emplace(glsl[i], i).second) {
      work.push_back(i);
    }
  }
  std::vector<Shared> compiled(glsl.size());
  inParallel(work.size(),
             [&](size_t k) { compiled[work[k]] = compileOne(folder_, glsl[work[k]], names[work[k]]); });
  for (size_t i = 0; i < glsl.size(); ++i) {
    if (!glsl[i].empty()) {
      compiled[i] = compiled[first[glsl[i]]];
    }
  }
  return compiled;
}

}  // namespace lacuna
