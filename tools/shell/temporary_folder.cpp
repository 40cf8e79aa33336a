#include "tools/shell/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "graph/files/file_name.h"

namespace lacuna {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() : path_((fs::temp_directory_path() / "lacuna-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr) {
    throw FileError(fmt::format("{}: can't be made: {}", path_, std::strerror(errno)));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace lacuna
