#pragma once
// What lies under a name: the kind of a file, which decides what may replace it; whether two names are one
// file; whether another program is about to write it.

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>

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
  page,
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

// A file whatever its name, also through links.
using FileId = std::pair<dev_t, ino_t>;
std::optional<FileId> fileIdOf(const std::string& path);  // nullopt if there is no such file

// Files that another program is about to write. A file is compared with itself, by this machine's running
// time: a file server's clock may differ.
class Awaited {
 public:
  using Clock = std::chrono::steady_clock;

  // Whether it is missing, or has changed within the last 10 seconds; the first call counts as a change.
  bool contains(const std::string& file, Clock::time_point now = Clock::now());

 private:
  struct Seen {
    std::string state;  // size, time and inode
    Clock::time_point since;
  };
  std::map<std::string, Seen> seen_;
};

}  // namespace lacuna
