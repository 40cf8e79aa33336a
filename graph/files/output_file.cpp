#include "graph/files/output_file.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// /proc and /sys, where access() allows root what open() refuses.
bool isKernels(const fs::path& folder) {
  struct statfs status {};
  return statfs(folder.c_str(), &status) == 0 &&
         (status.f_type == PROC_SUPER_MAGIC || status.f_type == SYSFS_MAGIC);
}

bool isReadOnly(const std::string& path) {
  struct stat status {};
  constexpr mode_t anyone = S_IWUSR | S_IWGRP | S_IWOTH;  // root may write anyway
  return stat(path.c_str(), &status) == 0 &&
         ((status.st_mode & anyone) == 0 || access(path.c_str(), W_OK) != 0);
}

// The folder, or the nearest existing one above it.
fs::path folderThere(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(fs::symlink_status(folder, ignored)) && folder.has_relative_path())
    folder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  return folder;
}

}  // namespace

std::optional<std::string> unusableFolder(const std::string& path) {
  std::error_code ignored;
  if ((path == "~" || path.starts_with("~/")) && !fs::exists("~", ignored))
    return fmt::format(
        "'{0}' would be a folder called ~, which shells replace only without quotes or = before "
        "it; write $HOME, or ./{0} for that folder",
        path);
  const fs::path folder = folderThere(path.empty() ? fs::path(".") : fs::path(path));
  if (!fs::is_directory(folder, ignored))
    return fmt::format("'{}' is not a folder", folder.string());
  if (isKernels(folder))
    return fmt::format("'{}' takes no files: it belongs to the system", folder.string());
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return fmt::format("no permission to write into '{}'", folder.string());
  return std::nullopt;
}

std::optional<std::string> unplaceable(const std::string& path) {
  std::error_code ignored;
  const fs::path file(path);
  if (!file.has_filename())
    return fmt::format("{}: expected the name of a file", path.empty() ? "''" : path);
  const fs::file_status status = fs::status(file, ignored);
  if (fs::is_directory(status))
    return fmt::format("{}: is a folder", path);
  // The finished file is put in place by rename: that would replace a device or a pipe, not write into it.
  if (fs::exists(status) && !fs::is_regular_file(status))
    return fmt::format("{}: is not a regular file", path);
  const auto reason = unusableFolder(file.parent_path().string());
  return reason ? std::optional(fmt::format("{}: {}", path, *reason)) : std::nullopt;
}

std::optional<std::string> irreplaceable(const std::string& path, FileKind by) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored))
    return std::nullopt;  // there is none, or unplaceable() reports it
  if (isReadOnly(path))
    return fmt::format(
        "{}: exists and is read-only, so it is not replaced; choose another name, or `chmod u+w` it", path);
  const FileKind there = kindOfFile(path, path);
  if (there == FileKind::none || there == FileKind::empty || by == FileKind::none || by == FileKind::empty ||
      there == by)
    return std::nullopt;
  return fmt::format(
      "{}: exists and holds {}, so it is not replaced by {}; choose another name, or remove it", path,
      wordsOf(there), wordsOf(by));
}

std::optional<std::string> unwritable(const std::string& path, FileKind by) {
  const auto reason = unplaceable(path);
  return reason ? reason : irreplaceable(path, by);
}

}  // namespace lacuna
