#pragma once
// The folder in which cache files lie, as a whole: what is removed from it. Only names that CacheFile gives
// are touched, whatever else is in the folder. "" is no folder.

#include <cstddef>
#include <cstdint>
#include <string>

namespace lacuna {

// The limit for cached files. Drivers' caches are about as large.
constexpr uint64_t mostCacheBytes = uint64_t{512} << 20U;

// Removes all files of a kind. Returns how many.
size_t emptyCache(const std::string& folder, const std::string& kind);

// Where shaders and pipelines take more than `mostBytes`, those that were not used for longest are removed,
// until a quarter is free. So is what writers left that were killed an hour ago or earlier.
void trimCache(const std::string& folder, uint64_t mostBytes = mostCacheBytes);

}  // namespace lacuna
