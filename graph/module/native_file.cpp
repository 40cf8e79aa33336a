#include "graph/module/native_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "graph/files/own_place.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string userName(uid_t user) {
  const passwd* known = getpwuid(user);
  return known == nullptr ? fmt::format("user {}", user) : fmt::format("user '{}'", known->pw_name);
}

[[noreturn]] void refuse(const std::string& file, const std::string& path, const std::string& what,
                         const std::string& remedy) {
  throw NativeCodeError(
      fmt::format("{} is not loaded: {} {}; {}", file, path == file ? "it" : path, what, remedy));
}

struct stat statusOf(const std::string& file, const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    refuse(file, path, fmt::format("can't be examined: {}", std::strerror(errno)), "check its permissions");
  return status;
}

// `isAbove`: a folder above the file's own.
void checkTrust(const std::string& file, const std::string& path, bool isAbove) {
  const struct stat status = statusOf(file, path);
  if (status.st_uid != 0 && status.st_uid != geteuid()) {
    refuse(file, path, fmt::format("belongs to {}, who is neither you nor root", userName(status.st_uid)),
           fmt::format("if you trust it: chown {} '{}'", geteuid() == 0 ? "root" : "$USER", path));
  }
  const bool sticky = isAbove && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & S_IWOTH) != 0 && !sticky)
    refuse(file, path, "can be written by everybody", fmt::format("chmod o-w '{}'", path));
  if ((status.st_mode & S_IWGRP) != 0 && !sticky)
    refuse(file, path, "can be written by its group", fmt::format("chmod g-w '{}'", path));
}

}  // namespace

const std::string& codeName(const ModuleDescription& module) {
  return module.code.empty() ? module.name : module.code;
}

std::string nativeFile(const ModuleDescription& module) {
  const fs::path own = module.folder;
  const fs::path folder = module.code.empty() ? own : (own / ".." / module.code).lexically_normal();
  const fs::path beside = folder / "module.so";
  std::error_code failed;
  const fs::path parent = fs::absolute(folder, failed).lexically_normal().parent_path();
  if (!fs::exists(beside, failed) && fs::equivalent(parent, sourceModules(), failed))
    return builtModuleFolder(codeName(module)) + "/module.so";
  return beside.string();
}

std::string trustedFile(const std::string& path) {
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  const std::unique_ptr<char, Free> real(realpath(path.c_str(), nullptr));
  if (real == nullptr) {
    const std::string reason = errno == ENOENT ? "there is no such file" : std::strerror(errno);
    throw NativeCodeError(fmt::format("{} can't be loaded: {}", path, reason));
  }
  const fs::path file = real.get();
  if (!S_ISREG(statusOf(file, file).st_mode))
    throw NativeCodeError(fmt::format("{} can't be loaded: it is not a regular file", file.string()));
  checkTrust(file, file, false);
  const fs::path own = file.parent_path();
  for (fs::path folder = own;; folder = folder.parent_path()) {
    checkTrust(file, folder, folder != own);
    if (folder == folder.root_path())
      return file;
  }
}

std::string cutOff(const std::string& path) {
  std::error_code failed;
  const uint64_t bytes = std::filesystem::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (failed || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  uint64_t needed = sizeof header;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; file && i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) {
      needed = header.e_phoff + uint64_t{header.e_phnum} * sizeof segment;
      break;
    }
    if (segment.p_type == PT_LOAD)
      needed = std::max<uint64_t>(needed, segment.p_offset + segment.p_filesz);
  }
  return bytes < needed ? fmt::format("it is cut off: {} bytes of {}", bytes, needed) : std::string();
}

}  // namespace lacuna
