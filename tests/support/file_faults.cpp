#include "tests/support/file_faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace lacuna::test {
namespace {

FileFaults* current = nullptr;

// The C library's, or the sanitizer's in front of it.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::string pathOf(int file) {
  std::array<char, 512> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<size_t>(std::max<ssize_t>(length, 0))};
}

void note(const char* name, const std::string& path, const std::string& to = {}) {
  if (current != nullptr)
    current->note(name, path, to);
}

template <class Place>
bool fails(const char* name, const Place& place) {
  if (current == nullptr || !current->take(name, place))
    return false;
  errno = current->error;
  return true;
}

// As the C library marks a stream that could not be written.
void mark(FILE* file) {
  file->_flags |= _IO_ERR_SEEN;
}

FILE* openStream(const char* function, const char* path, const char* mode) {
  return fails("fopen", std::string(path)) ? nullptr
                                           : next<FILE*(const char*, const char*)>(function)(path, mode);
}

}  // namespace

FileFaults::FileFaults(const std::string& folder) : folder_(std::filesystem::canonical(folder).string()) {
  current = this;
}

FileFaults::~FileFaults() {
  current = nullptr;
}

bool FileFaults::take(const char* name, const std::string& path) {
  if (!path.starts_with(folder_))
    return false;
  const bool fails = calls[name]++ == failAt && function == name;
  happened = happened || fails;
  return fails;
}

bool FileFaults::take(const char* name, int file) {
  const std::string path = pathOf(file);
  return !path.empty() && take(name, path);
}

void FileFaults::note(const char* name, const std::string& path, const std::string& to) {
  if (!path.starts_with(folder_))
    return;
  std::ifstream file(path, std::ios::binary);
  steps.push_back({name, path, to, std::string{std::istreambuf_iterator<char>(file), {}}});
}

}  // namespace lacuna::test

extern "C" {

using namespace lacuna::test;

FILE* fopen(const char* path, const char* mode) {
  return openStream("fopen", path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  return openStream("fopen64", path, mode);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return fails("open", std::string(path)) ? -1 : next<int(const char*, int, ...)>("open")(path, flags, mode);
}

int flock(int file, int operation) noexcept {
  return fails("flock", file) ? -1 : next<int(int, int)>("flock")(file, operation);
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  const auto real = next<size_t(const void*, size_t, size_t, FILE*)>("fwrite");
  if (!fails("fwrite", fileno(file)))
    return real(data, size, count, file);
  const int reason = errno;
  const size_t written = real(data, size, count / 2, file);
  mark(file);
  errno = reason;
  return written;
}

int fputs(const char* text, FILE* file) {
  if (!fails("fputs", fileno(file)))
    return next<int(const char*, FILE*)>("fputs")(text, file);
  mark(file);
  return EOF;
}

int fflush(FILE* file) {
  if (file == nullptr || !fails("fflush", fileno(file)))
    return next<int(FILE*)>("fflush")(file);
  mark(file);
  return EOF;
}

int fclose(FILE* file) {
  const bool failing = fails("fclose", fileno(file));
  const int reason = errno;
  const int closed = next<int(FILE*)>("fclose")(file);
  if (failing)
    errno = reason;
  return failing ? EOF : closed;
}

ssize_t write(int file, const void* data, size_t bytes) {
  const bool failing = fails("write", file);
  if (failing && errno != 0)
    return -1;
  return next<ssize_t(int, const void*, size_t)>("write")(file, data, failing ? (bytes + 1) / 2 : bytes);
}

ssize_t writev(int file, const iovec* parts, int count) {
  const bool failing = fails("writev", file);
  if (failing && errno != 0)
    return -1;
  return next<ssize_t(int, const iovec*, int)>("writev")(file, parts, failing ? 1 : count);
}

int close(int file) {
  const bool failing = fails("close", file);
  const int reason = errno;
  const int closed = next<int(int)>("close")(file);
  if (failing)
    errno = reason;
  return failing ? -1 : closed;
}

int fdatasync(int file) {
  note("fdatasync", pathOf(file));
  return fails("fdatasync", file) ? -1 : next<int(int)>("fdatasync")(file);
}

int unlink(const char* path) noexcept {
  note("unlink", path);
  return next<int(const char*)>("unlink")(path);
}

int rename(const char* from, const char* to) noexcept {
  note("rename", from, to);
  return fails("rename", std::string(to)) ? -1 : next<int(const char*, const char*)>("rename")(from, to);
}
}
