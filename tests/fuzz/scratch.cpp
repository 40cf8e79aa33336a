#include "tests/fuzz/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace lacuna::fuzz {
namespace {

namespace fs = std::filesystem;

struct ScratchFolder {
  std::string path;

  ScratchFolder() {
    const fs::path memory = "/dev/shm";
    const fs::path parent = access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    path = (parent / "lacuna-fuzz-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr)
      throw std::runtime_error("no folder in " + parent.string());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
};

}  // namespace

const std::string& scratchFolder() {
  static const ScratchFolder folder;
  return folder.path;
}

std::string scratchFile(const std::string& name, std::string_view content) {
  std::string path = scratchFolder() + "/" + name;
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 && errno == ENOENT) {
    fs::create_directories(fs::path(path).parent_path());
    file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  const bool written = file >= 0 && write(file, content.data(), content.size()) == ssize_t(content.size());
  if (file >= 0)
    close(file);
  if (!written)
    throw std::runtime_error(path + " can't be written: " + std::strerror(errno));
  return path;
}

}  // namespace lacuna::fuzz
