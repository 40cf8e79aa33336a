#include "graph/files/standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "graph/files/file_name.h"
#include "graph/files/memory_bound.h"

namespace lacuna {
namespace {

constexpr size_t blockBytes = size_t{1} << 16;

[[noreturn]] void failed(const char* stream, const char* what) {
  throw FileError(fmt::format("{}: can't be {}: {}", stream, what, std::strerror(errno)));
}

// Copies all of `from`, or a block more than `most`; returns the number of bytes, or -1 with errno.
int64_t copyAll(int from, int to, uint64_t most = UINT64_MAX) {
  std::array<char, blockBytes> block;
  int64_t copied = 0;
  while (static_cast<uint64_t>(copied) <= most) {
    const ssize_t got = read(from, block.data(), block.size());
    if (got == 0)
      return copied;
    if (got < 0 && errno != EINTR)
      return -1;
    for (ssize_t at = 0; at < got;) {
      const ssize_t put = write(to, block.data() + at, static_cast<size_t>(got - at));
      if (put < 0 && errno != EINTR)
        return -1;
      at += put > 0 ? put : 0;
    }
    copied += got > 0 ? got : 0;
  }
  return copied;
}

std::string standardName(const std::string& file, const char* device, int number) {
  const bool isStandard = file == device || file == fmt::format("/dev/fd/{}", number) ||
                          file == fmt::format("/proc/self/fd/{}", number);
  return isStandard ? standardStream : file;
}

int fileInMemory(const char* stream, const char* what) {
  const int file = memfd_create(stream, MFD_CLOEXEC);
  if (file < 0)
    failed(stream, what);
  return file;
}

std::string nameOf(int file) {
  return fmt::format("/proc/self/fd/{}", file);
}

}  // namespace

std::string standardInputName(const std::string& file) {
  return standardName(file, "/dev/stdin", STDIN_FILENO);
}

std::string standardOutputName(const std::string& file) {
  return standardName(file, "/dev/stdout", STDOUT_FILENO);
}

std::optional<std::string> closedStandardOutput() {
  const int flags = fcntl(STDOUT_FILENO, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
    return std::nullopt;
  return "standard output is closed, so nothing can be written to it";
}

std::string standardInputFile() {
  static std::mutex mutex;
  static std::string name;
  const std::scoped_lock lock(mutex);
  if (name.empty()) {
    const int file = fileInMemory("standard input", "read");
    const int64_t bytes = copyAll(STDIN_FILENO, file, readMemory());
    if (bytes < 0)
      failed("standard input", "read");
    checkMemory("standard input", static_cast<uint64_t>(bytes));
    if (bytes == 0)
      throw FileError("standard input: expected an image file, but it is empty");
    name = nameOf(file);
  }
  return name;
}

StandardOutputFile::StandardOutputFile() : file_(fileInMemory("standard output", "written")) {}

StandardOutputFile::~StandardOutputFile() {
  close(file_);
}

std::string StandardOutputFile::name() const {
  return nameOf(file_);
}

void StandardOutputFile::send() const {
  if (lseek(file_, 0, SEEK_SET) < 0 || copyAll(file_, STDOUT_FILENO) < 0)
    failed("standard output", "written");
}

}  // namespace lacuna
