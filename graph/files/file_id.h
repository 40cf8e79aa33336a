#pragma once
// Whether two names are one file, also through links.

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

namespace lacuna {

using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> fileIdOf(const std::string& path);  // nullopt if there is no such file

}  // namespace lacuna
