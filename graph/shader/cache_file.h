#pragma once
// Files of a cache on disk: compressed with zlib, named by a hash of all that the content depends on, checked
// by a CRC over that key and the content. A damaged file counts as missing; one that can't be written costs
// only time. Files appear by rename, so that any number of processes may share a folder.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

std::string hashName(const std::string& key);  // 32 hex digits

// $XDG_CACHE_HOME/lacuna or ~/.cache/lacuna; LACUNA_CACHE overrides. "": there is none.
std::string defaultCacheFolder();

class CacheFile {
 public:
  enum class Use { marked, unmarked };  // reading marks a file as used, for trimCache()

  // If `folder` is empty, nothing is kept. `kind` is a folder in it, "spirv".
  CacheFile(const std::string& folder, const std::string& kind, std::string key, Use use = Use::marked);

  std::optional<std::vector<std::byte>> read() const;
  // At most 64 MiB; larger or empty contents are not kept.
  void write(std::span<const std::byte> content) const;
  bool remove() const;  // false if there was none

 private:
  std::string key_;
  std::filesystem::path path_;  // empty: none
  Use use_;
};

// Bytes that cached files may take together: LACUNA_CACHE_SIZE, "500MB" or "2GiB", else 2 GiB, also if its
// text is not a size.
uint64_t cacheBound();

struct CacheContent {
  size_t files = 0;
  uint64_t bytes = 0;
};
CacheContent cacheContent(const std::string& folder, const std::string& kind);

// Removes all files of a kind. Returns how many.
size_t emptyCache(const std::string& folder, const std::string& kind);

// If shaders and pipelines take more than `mostBytes`, those unused for longest are removed, until a quarter
// is free. So are files of writers that were killed an hour ago or earlier.
void trimCache(const std::string& folder, uint64_t mostBytes);

}  // namespace lacuna
