#pragma once
// Where a file really lies, links resolved.

#include <filesystem>
#include <vector>

namespace lacuna {

// Whether it lies in one of the folders or below. "" is the current folder. Files need not exist.
bool liesWithin(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

}  // namespace lacuna
