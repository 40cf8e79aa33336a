#pragma once
// The files that may be written and replaced: one rule for all outputs.

#include <optional>
#include <string>

#include "graph/files/file_kind.h"

namespace lacuna {

// Why no file can be written into a folder ("": the current one), which may not exist yet. Nothing is
// touched.
std::optional<std::string> unusableFolder(const std::string& path);

// Why no file can be written there: it is a folder, or no regular file, or its folder is missing and can't be
// made, or doesn't allow files. Nothing is touched.
std::optional<std::string> unplaceable(const std::string& path);

// Why the existing file may not be replaced by one of a kind: it is read-only, or holds something else. Empty
// files may be replaced, and any file by `none`. Throws FileError where it can't be read.
std::optional<std::string> irreplaceable(const std::string& path, FileKind by);

// Either of them. `by`: what will be written.
std::optional<std::string> unwritable(const std::string& path, FileKind by);
inline std::optional<std::string> unwritable(const std::string& path) {
  return unwritable(path, kindOfName(path));
}

}  // namespace lacuna
