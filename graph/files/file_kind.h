#pragma once
// What a file holds, as far as that decides what it may be replaced by.

#include <string>

namespace lacuna {

enum class FileKind {
  none,
  empty,
  png,
  jpeg,
  exr,
  pfm,
  npy,
  profile,
  report,
  json,
  graph,
  svg,
  dot,
  text,
  data
};

// By its first bytes. none: no such file. Throws FileError where it can't be read, which it calls `shown`.
FileKind kindOfFile(const std::string& path, const std::string& shown);

FileKind kindOfName(const std::string& path);  // by its extension; none: that says nothing

const char* wordsOf(FileKind kind);  // "a PNG image", "text"

}  // namespace lacuna
