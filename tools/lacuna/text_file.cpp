#include "tools/lacuna/text_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "graph/files/file_name.h"

namespace lacuna {

namespace fs = std::filesystem;

void writeTextFile(const std::string& path, const std::string& text) {
  std::error_code absent;
  std::error_code failed;
  const fs::path target = fs::is_symlink(path, absent) ? fs::canonical(path, failed) : fs::path(path);
  if (failed) {
    throw FileError(fmt::format("{}: can't be written: {}", path, failed.message()));
  }
  const fs::path part = target.string() + fmt::format(".part-{}", getpid());
  const auto fail = [&](const std::string& why) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw FileError(fmt::format("{}: can't be written: {}", path, why));
  };
  errno = 0;
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    fail(errno != 0 ? std::strerror(errno) : "writing failed");
  }
  if (fs::exists(target, absent)) {
    fs::permissions(part, fs::status(target).permissions(), failed);
  }
  fs::rename(part, target, failed);
  if (failed) {
    fail(failed.message());
  }
}

}  // namespace lacuna
