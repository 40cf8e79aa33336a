#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "graph/shader/compile.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// Changes with anything that changes what the same source compiles to.
constexpr const char* compilerVersion = "shaderc 2023.2, Vulkan 1.2, NoContraction, performance passes, 2\n";

struct FileHeader {
  char magic[8] = {'L', 'A', 'C', 'S', 'P', 'V', '0', '1'};
  uint32_t bytes = 0;  // uncompressed
  uint32_t crc = 0;    // of the uncompressed bytes
};

std::string keyOf(const std::string& glsl) {
  const std::string text = compilerVersion + glsl;
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

uint32_t crcOf(const SpirvWords& words) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(words.data()), static_cast<uInt>(4 * words.size())));
}

std::optional<SpirvWords> readCached(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  FileHeader header;
  const FileHeader expected;
  constexpr uint32_t mostBytes = 64U << 20U;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.bytes % 4 != 0 ||
      header.bytes == 0 || header.bytes > mostBytes) {
    return std::nullopt;
  }
  const std::string packed((std::istreambuf_iterator<char>(file)), {});
  SpirvWords words(header.bytes / 4);
  uLongf size = header.bytes;
  const int result = uncompress(reinterpret_cast<Bytef*>(words.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (result != Z_OK || size != header.bytes || crcOf(words) != header.crc) {
    return std::nullopt;
  }
  return words;
}

// A cache that can't be written costs time and nothing else, so failures are not reported.
void writeCached(const fs::path& path, const SpirvWords& words) {
  FileHeader header;
  header.bytes = static_cast<uint32_t>(4 * words.size());
  header.crc = crcOf(words);
  uLongf size = compressBound(header.bytes);
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(words.data()),
            header.bytes, Z_BEST_SPEED);
  static std::atomic<unsigned> counter{0};
  const fs::path part = path.string() + fmt::format(".{}-{}", getpid(), counter++);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  {
    std::ofstream file(part, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(packed.data(), static_cast<std::streamsize>(size));
    if (!file.flush()) {
      file.close();
      fs::remove(part, error);
      return;
    }
  }
  fs::rename(part, path, error);
}

using Shared = std::shared_ptr<const SpirvWords>;

Shared compileOne(const std::string& folder, const std::string& glsl, const std::string& name) {
  const fs::path path = folder.empty() ? fs::path() : fs::path(folder) / "spirv" / (keyOf(glsl) + ".spvz");
  if (!folder.empty()) {
    if (auto cached = readCached(path)) {
      return std::make_shared<const SpirvWords>(std::move(*cached));
    }
  }
  auto words = std::make_shared<const SpirvWords>(compileGlsl(glsl, name));
  if (!folder.empty()) {
    writeCached(path, *words);
  }
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
  std::vector<std::exception_ptr> failures(glsl.size());
  std::atomic<size_t> next{0};
  const auto worker = [&] {
    for (size_t k = next++; k < work.size(); k = next++) {
      try {
        compiled[work[k]] = compileOne(folder_, glsl[work[k]], names[work[k]]);
      } catch (...) {
        failures[work[k]] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (size_t t = 1; t < std::min<size_t>(std::max(1U, std::thread::hardware_concurrency()), work.size());
       ++t) {
    threads.emplace_back(worker);
  }
  worker();
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
  for (size_t i = 0; i < glsl.size(); ++i) {
    if (!glsl[i].empty()) {
      compiled[i] = compiled[first[glsl[i]]];
    }
  }
  return compiled;
}

}  // namespace lacuna
