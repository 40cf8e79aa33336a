#include "tools/lacuna/shell/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "graph/files/file_name.h"
#include "graph/files/part_file.h"

namespace lacuna {

namespace fs = std::filesystem;

void writeTextFile(const std::string& path, const std::string& text) {
  std::error_code failed;
  const bool isLink = fs::is_symlink(fs::symlink_status(path, failed));
  const fs::path target = isLink ? fs::weakly_canonical(path) : fs::path(path);
  PartFile part(target.string());
  errno = 0;
  std::ofstream file(part.name(), std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw FileError(
        fmt::format("{}: can't be written: {}", path, errno != 0 ? std::strerror(errno) : "writing failed"));
  }
  if (fs::exists(target, failed)) {
    fs::permissions(part.name(), fs::status(target).permissions(), failed);
  }
  part.place();
}

}  // namespace lacuna
