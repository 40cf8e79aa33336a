#pragma once
// The kind of a file, which decides what may replace it.

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

// By its first bytes; none if there is no such file. Throws FileError, with the name `shown`, if it can't be
// read.
FileKind kindOfFile(const std::string& path, const std::string& shown);

FileKind kindOfName(const std::string& path);  // by its extension; none if unknown

const char* wordsOf(FileKind kind);  // "a PNG image", "text"

// A file that a run writes beside its sinks' files.
struct OtherOutput {
  std::string option;  // that names it, for messages: "--profile t.json"
  std::string what;    // "the profile"
  std::string path;
  FileKind kind = FileKind::none;
  bool replacesOlder = true;  // files of its kind
};

}  // namespace lacuna
