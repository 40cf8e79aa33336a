#include "graph/files/file_id.h"

#include <sys/stat.h>

namespace lacuna {

std::optional<FileId> fileIdOf(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return FileId(status.st_dev, status.st_ino);
}

}  // namespace lacuna
