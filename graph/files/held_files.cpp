#include "graph/files/held_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace lacuna {
namespace {

std::shared_ptr<const HeldFile> openRegular(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return nullptr;
  struct stat opened {};
  if (fstat(file, &opened) != 0 || !S_ISREG(opened.st_mode)) {
    ::close(file);
    return nullptr;
  }
  return std::make_shared<const HeldFile>(file, opened);
}

}  // namespace

HeldFile::~HeldFile() {
  ::close(file_);
}

std::string HeldFile::name() const {
  return fmt::format("/proc/self/fd/{}", file_);
}

bool HeldFile::hasChanged() const {
  struct stat now {};
  return fstat(file_, &now) != 0 || now.st_size != opened_.st_size ||
         now.st_mtim.tv_sec != opened_.st_mtim.tv_sec || now.st_mtim.tv_nsec != opened_.st_mtim.tv_nsec;
}

std::shared_ptr<const HeldFile> HeldFiles::open(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<const HeldFile>& file = files_[path];
  if (file == nullptr)
    file = openRegular(path);
  return file;
}

std::string HeldFiles::changed() const {
  const std::scoped_lock lock(mutex_);
  for (const auto& [path, file] : files_)
    if (file != nullptr && file->hasChanged())
      return path;
  return {};
}

void HeldFiles::close() {
  const std::scoped_lock lock(mutex_);
  files_.clear();
}

}  // namespace lacuna
