#include "graph/files/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "graph/files/file_name.h"

namespace lacuna {
namespace {

constexpr int mostWriters = 16;  // of one output at a time

std::string partName(const std::string& path, int number) {
  return number == 1 ? path + ".part" : fmt::format("{}.part-{}", path, number);
}

[[noreturn]] void fail(const std::string& path) {
  throw FileError(fmt::format("{}: can't be written: {}", path, std::strerror(errno)));
}

// Whether the open file is still the one of that name: its writer may have renamed or removed it meanwhile.
bool isNamed(int file, const std::string& name) {
  struct stat opened {
  }, named{};
  return fstat(file, &opened) == 0 && lstat(name.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

enum class Lock { taken, busy, none };  // none: the file system has no locks

// `file`: open and locked where it is taken, else -1.
Lock lock(const std::string& path, const std::string& name, int flags, int& file) {
  while (true) {
    file = open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
    const int reason = errno;
    if (file < 0 && (flags & O_CREAT) != 0 && access(name.c_str(), F_OK) != 0) {
      errno = reason;
      fail(path);
    }
    if (file < 0)
      return Lock::busy;  // another user's, or no file at all
    const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
    const bool busy = !locked && errno == EWOULDBLOCK;
    if (locked && isNamed(file, name))
      return Lock::taken;
    close(file);
    file = -1;
    if (!locked)
      return busy ? Lock::busy : Lock::none;
  }
}

// Files that killed processes left of the same output, but for the one in use.
void removeLeft(const std::string& path, const std::string& own) {
  for (int number = 1; number <= mostWriters; ++number) {
    const std::string name = partName(path, number);
    int file = -1;
    if (name != own && access(name.c_str(), F_OK) == 0 && lock(path, name, 0, file) == Lock::taken) {
      unlink(name.c_str());
      close(file);
    }
  }
}

}  // namespace

PartFile::PartFile(const std::string& path) : path_(path) {
  for (int number = 1; number <= mostWriters; ++number) {
    part_ = partName(path, number);
    const Lock found = lock(path, part_, O_CREAT, lock_);
    if (found == Lock::taken) {
      removeLeft(path, part_);
      return;
    }
    if (found == Lock::none) {
      unlink(part_.c_str());
      part_ = fmt::format("{}.part-of-{}", path, getpid());
      return;
    }
  }
  throw FileError(fmt::format("{}: can't be written: {} processes are writing it", path, mostWriters));
}

PartFile::~PartFile() {
  if (!placed_)
    unlink(part_.c_str());
  if (lock_ >= 0)
    close(lock_);
}

void PartFile::place() {
  const int file = open(part_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool isOnDisk = file >= 0 && fdatasync(file) == 0;
  const int reason = errno;
  if (file >= 0)
    close(file);
  errno = reason;
  if (!isOnDisk || std::rename(part_.c_str(), path_.c_str()) != 0)
    fail(path_);
  placed_ = true;
}

}  // namespace lacuna
