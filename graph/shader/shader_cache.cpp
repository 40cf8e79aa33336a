#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>

#include "graph/files/file_name.h"
#include "graph/files/own_place.h"
#include "graph/parallel.h"
#include "graph/shader/cache_file.h"
#include "graph/shader/compile.h"

namespace lacuna {
namespace {

// Must change with everything that changes the result of compiling the same source.
constexpr const char* compilerVersion = "shaderc 2023.2, Vulkan 1.2, NoContraction, performance passes, 2\n";

using Shared = std::shared_ptr<const SpirvWords>;

void writeWhole(const std::filesystem::path& path, std::span<const std::byte> content) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) {
    throw FileError(
        fmt::format("'{}' can't be written: --debug-shaders keeps shaders in the cache's "
                    "folder, which LACUNA_CACHE names",
                    path.string()));
  }
}

// debug-shaders/eaw-01-levels-0-1f2e...: the path without its ending.
std::filesystem::path debugPath(const std::string& folder, const std::string& glsl, std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return std::filesystem::absolute(folder) / "debug-shaders" /
         fmt::format("{}-{}", name, hashName(glsl).substr(0, 8));
}

// Without the names of its files, which SPIR-V without sources doesn't have: modules may lie anywhere.
std::string withoutFiles(const std::string& glsl) {
  constexpr std::string_view mark = "\n#line ";
  std::string text;
  size_t from = 0;
  for (size_t at = glsl.find(mark); at != std::string::npos; at = glsl.find(mark, from)) {
    text.append(glsl, from, at - from);
    from = std::min(glsl.find('\n', at + mark.size()), glsl.size());
  }
  return text.append(glsl, from);
}

std::string keyOf(const std::string& glsl) {
  return compilerVersion + withoutFiles(glsl);
}

Shared shared(SpirvWords words) {
  return std::make_shared<const SpirvWords>(std::move(words));
}

// Null if it has none.
Shared wordsOf(const CacheFile& file) {
  const auto bytes = file.read();
  if (!bytes || bytes->size() % sizeof(uint32_t) != 0)
    return nullptr;
  SpirvWords words(bytes->size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes->data(), bytes->size());
  return shared(std::move(words));
}

// From the user's cache, else from the one that was made when Lacuna was built. Null: neither.
Shared kept(const CacheFile& file, const std::string& key) {
  static const std::string installedFolder = ShaderCache::installedFolder();
  const Shared words = wordsOf(file);
  return words != nullptr ? words : wordsOf({installedFolder, "spirv", key, CacheFile::Use::unmarked});
}

Shared compile(const CacheFile& file, const std::string& glsl, const std::string& name, DebugInfo debug,
               const ShaderReview& review) {
  Shared words = shared(compileGlsl(glsl, name, debug, review));
  file.write(std::as_bytes(std::span(*words)));
  return words;
}

Shared compileOne(const std::string& folder, const std::string& glsl, const std::string& name,
                  const ShaderReview& review) {
  const std::string key = keyOf(glsl);
  const CacheFile file(folder, "spirv", key);
  const Shared words = kept(file, key);
  return words != nullptr ? words : compile(file, glsl, name, DebugInfo::none, review);
}

Shared compileWithSources(const std::string& folder, const std::string& glsl, const std::string& name,
                          const ShaderReview& review) {
  const std::filesystem::path path = folder.empty() ? "" : debugPath(folder, glsl, name);
  const std::string source = folder.empty() ? name : path.string() + ".comp";
  const CacheFile file(folder, "spirv", compilerVersion + ("sources of " + source) + "\n" + glsl);
  Shared words = wordsOf(file);
  if (words == nullptr)
    words = compile(file, glsl, source, DebugInfo::sources, review);
  if (!folder.empty()) {
    writeWhole(source, std::as_bytes(std::span(glsl)));
    writeWhole(path.string() + ".spv", std::as_bytes(std::span(*words)));
  }
  return words;
}

}  // namespace

ShaderCache::ShaderCache(std::string folder, DebugInfo debug) : folder_(std::move(folder)), debug_(debug) {}

bool ShaderCache::holds(const std::string& glsl, Holders holders) const {
  const std::string key = keyOf(glsl);
  const CacheFile own(folder_, "spirv", key);
  return (holders == Holders::user ? wordsOf(own) : kept(own, key)) != nullptr;
}

std::string ShaderCache::installedFolder() {
  return runsWhereBuilt() ? buildFolder() + "/shaders" : installPrefix() + "/lib/lacuna";
}

std::string ShaderCache::defaultFolder() {
  return defaultCacheFolder();
}

std::vector<Shared> ShaderCache::compileAll(const std::vector<std::string>& glsl,
                                            const std::vector<std::string>& names,
                                            const std::function<void(size_t, const ParsedShader&)>& review) {
  std::map<std::string, size_t> first;  // text -> the index that compiles it
  std::vector<size_t> work;
  for (size_t i = 0; i < glsl.size(); ++i)
    if (!glsl[i].empty() && first.emplace(glsl[i], i).second)
      work.push_back(i);
  std::vector<Shared> compiled(glsl.size());
  const auto compile = debug_ == DebugInfo::sources ? compileWithSources : compileOne;
  inParallel(work.size(), [&](size_t k) {
    const size_t i = work[k];
    compiled[i] = compile(folder_, glsl[i], names[i], [&](const ParsedShader& shader) { review(i, shader); });
  });
  for (size_t i = 0; i < glsl.size(); ++i)
    if (!glsl[i].empty())
      compiled[i] = compiled[first[glsl[i]]];
  return compiled;
}

}  // namespace lacuna
