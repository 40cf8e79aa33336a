#include "graph/files/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <functional>

#include "graph/files/file_name.h"
#include "graph/files/output_file.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr const char* recordFolder = ".lacuna";
constexpr int mostWriters = 16;  // of one output at a time

constexpr size_t longestName = NAME_MAX;

std::string partName(const std::string& path, int number) {
  return besideName(path, number == 1 ? ".lacuna-part" : fmt::format(".lacuna-part-{}", number));
}

[[noreturn]] void fail(const std::string& path) {
  throw FileError(fmt::format("{}: can't be written: {}", path, std::strerror(errno)));
}

const std::string& placeable(const std::string& path) {
  if (const auto reason = unplaceable(path))
    throw FileError(*reason);
  return path;
}

// The file to replace: for a link its target, which may be missing.
std::string throughLinks(const std::string& path) {
  constexpr int mostLinks = 40;  // that Linux follows
  std::error_code failed;
  fs::path file = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(file, failed)); ++links) {
    if (links == mostLinks)
      failed = std::make_error_code(std::errc::too_many_symbolic_link_levels);
    else
      file = file.parent_path() / fs::read_symlink(file, failed);
    if (failed)
      throw FileError(fmt::format("{}: can't be written: {}", path, failed.message()));
  }
  return file.string();
}

// Whether the open file still has that name, and no other: its writer may have renamed or removed it
// meanwhile, and a file with a second name is used by someone else.
bool isOnlyNamed(int file, const std::string& name) {
  struct stat opened {
  }, named{};
  return fstat(file, &opened) == 0 && lstat(name.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino && S_ISREG(opened.st_mode) && opened.st_nlink == 1;
}

// Removes a killed process's part file, which no process has locked.
bool removeLeft(const std::string& name) {
  const int file = open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return false;
  const bool isLeft = flock(file, LOCK_EX | LOCK_NB) == 0 && isOnlyNamed(file, name);
  const bool removed = isLeft && unlink(name.c_str()) == 0;
  close(file);
  return removed;
}

// `taken`: another process has the name; `unlocked`: the file system has no locks.
enum class Made { locked, taken, unlocked };

// `file`: open where it is locked, else -1.
Made makeLocked(const std::string& shown, const std::string& name, int& file) {
  while (true) {
    file = open(name.c_str(), O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
    if (file < 0 && errno != EEXIST)
      fail(shown);
    if (file < 0 && !removeLeft(name))
      return Made::taken;
    if (file < 0)
      continue;
    const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
    const bool isBusy = !locked && errno == EWOULDBLOCK;
    if (locked && isOnlyNamed(file, name))
      return Made::locked;
    close(file);
    file = -1;
    if (!locked && !isBusy) {
      unlink(name.c_str());
      return Made::unlocked;
    }
    // Another process has just taken it for a left-over file.
  }
}

// False if a file of that name exists. Atomically, even if others write it meanwhile.
bool placeBesideNone(const std::string& part, const std::string& path, const std::string& shown) {
  int failed = renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE);
  if (failed != 0 && (errno == EINVAL || errno == ENOSYS)) {  // the file system doesn't support that
    failed = link(part.c_str(), path.c_str());
    if (failed == 0)
      unlink(part.c_str());
  }
  if (failed != 0 && errno != EEXIST)
    fail(shown);
  return failed == 0;
}

}  // namespace

std::string besideName(const std::string& path, const std::string& suffix) {
  const size_t begin = path.rfind('/') + 1;  // 0 without a folder
  const std::string name = path.substr(begin);
  if (name.size() + suffix.size() <= longestName)
    return path + suffix;
  const std::string others = fmt::format("-{:016x}{}", std::hash<std::string>{}(name), suffix);
  size_t kept = longestName - std::min(others.size(), longestName);
  while (kept > 0 && (static_cast<unsigned char>(name[kept]) & 0xc0U) == 0x80)
    --kept;  // whole characters: some file systems take no others
  return path.substr(0, begin) + name.substr(0, kept) + others;
}

std::string recordName(const std::string& path) {
  const fs::path file = path;
  return besideName((file.parent_path() / recordFolder / file.filename()).string(), ".json");
}

namespace {

void shareAs(const fs::path& folder, const fs::path& within) {
  struct stat outer {};
  if (stat(folder.empty() ? "." : folder.c_str(), &outer) == 0 &&
      chown(within.c_str(), static_cast<uid_t>(-1), outer.st_gid) == 0)
    chmod(within.c_str(), outer.st_mode & 07777U);
}

}  // namespace

FoldersFor::FoldersFor(const fs::path& file) {
  make(file.parent_path(), file.string());
}

FoldersFor::~FoldersFor() {
  std::error_code ignored;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
    fs::remove(*folder, ignored);
}

void FoldersFor::make(const fs::path& folder, const std::string& file) {
  std::error_code failed;
  if (folder.empty() || fs::exists(folder, failed))
    return;
  make(folder.parent_path(), file);
  if (fs::create_directory(folder, failed)) {
    made_.push_back(folder);
    if (folder.filename() == recordFolder)
      shareAs(folder.parent_path(), folder);
  } else if (failed)
    throw FileError(
        fmt::format("{}: the folder '{}' can't be made: {}", file, folder.string(), failed.message()));
}

PartFile::PartFile(const std::string& path)
    : shown_(path), path_(throughLinks(placeable(path))), folders_(path_) {
  for (int number = 1; number <= mostWriters && part_.empty(); ++number) {
    const std::string name = partName(path_, number);
    const Made made = makeLocked(shown_, name, lock_);
    if (made == Made::locked)
      part_ = name;
    else if (made == Made::unlocked)
      part_ = besideName(path_, fmt::format(".lacuna-part-of-{}", getpid()));
  }
  if (part_.empty())
    throw FileError(fmt::format("{}: can't be written: {} processes are writing it", path, mostWriters));
  if (lock_ < 0)
    unlink(part_.c_str());  // of a killed process of the same number
  for (int number = 1; number <= mostWriters && lock_ >= 0; ++number)
    if (const std::string name = partName(path_, number); name != part_)
      removeLeft(name);
}

PartFile::~PartFile() {
  if (!placed_)
    unlink(part_.c_str());
  if (lock_ >= 0)
    close(lock_);
}

bool PartFile::place(Older older) {
  const int file = open(part_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool isOnDisk = file >= 0 && fdatasync(file) == 0;
  const int mistake = errno;
  if (file >= 0)
    close(file);
  errno = mistake;
  if (!isOnDisk)
    fail(shown_);
  unlink(recordName(shown_).c_str());
  if (path_ != shown_)
    unlink(recordName(path_).c_str());
  if (older == Older::kept)
    return placed_ = placeBesideNone(part_, path_, shown_);
  rename();
  return true;
}

void PartFile::placeUnsafe() {
  rename();
}

void PartFile::rename() {
  if (const auto reason = irreplaceable(path_, kindOfFile(part_, shown_)))
    throw FileError(*reason);
  struct stat there {};
  if (stat(path_.c_str(), &there) == 0)
    chmod(part_.c_str(), there.st_mode & 07777U);  // or as for new files, if that can't be kept
  if (std::rename(part_.c_str(), path_.c_str()) != 0)
    fail(shown_);
  placed_ = true;
}

namespace {

std::string folderOf(const std::string& part) {
  return besideName(part, ".d");
}

}  // namespace

PartFolder::PartFolder(const std::string& path) : lock_(path), name_(folderOf(lock_.name())) {
  std::error_code failed;
  for (int number = 1; number <= mostWriters; ++number)
    if (const std::string part = partName(path, number); part == lock_.name() || !fs::exists(part, failed))
      fs::remove_all(folderOf(part), failed);
  if (!fs::create_directory(name_, failed))
    throw FileError(fmt::format("{}: the folder can't be made: {}", name_, failed.message()));
}

PartFolder::~PartFolder() {
  std::error_code ignored;
  fs::remove_all(name_, ignored);
}

}  // namespace lacuna
