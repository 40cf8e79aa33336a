#include "tools/shell/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "graph/files/file_name.h"
#include "graph/files/part_file.h"

namespace lacuna {

void writeTextFile(const std::string& path, const std::string& text) {
  PartFile part(path);
  errno = 0;
  std::ofstream file(part.name(), std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw FileError(
        fmt::format("{}: can't be written: {}", path, errno != 0 ? std::strerror(errno) : "writing failed"));
  }
  part.place();
}

}  // namespace lacuna
