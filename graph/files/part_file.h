#pragma once
// A file that appears complete or not at all.

#include <filesystem>
#include <string>
#include <vector>

#include "graph/lists.h"

namespace lacuna {

// Folders of a file to be written. Missing ones are made; .lacuna may be written by whoever may write into
// the folder around it.
class FoldersFor : NoCopy {
 public:
  explicit FoldersFor(const std::filesystem::path& file);  // throws FileError
  ~FoldersFor();  // removes those that it made and that are empty, so that a failure leaves nothing behind

 private:
  void make(const std::filesystem::path& folder, const std::string& file);

  std::vector<std::filesystem::path> made_;  // outer ones first
};

// The name of a file beside `path`: its own and `suffix`, shortened where file systems allow no name that
// long.
std::string besideName(const std::string& path, const std::string& suffix);

// The name of the record that says what a file was made from (graph/run/made_from.h):
// FOLDER/.lacuna/NAME.json.
std::string recordName(const std::string& path);

// `path`.lacuna-part, to be written: removed with this object unless place() has moved it to `path`, or for a
// symbolic link, to its target. It is a new file, locked while this lives. So part files that killed
// processes left of the same output are found and removed. If another process is writing that file, or it is
// another kind of file, the name continues with -2, -3 and so on.
class PartFile : NoCopy {
 public:
  explicit PartFile(const std::string& path);  // throws FileError
  ~PartFile();

  const std::string& name() const { return part_; }
  // It is on disk before it has its name, and has the permissions of the file that it replaces. The record of
  // the name is removed. Throws FileError, also for what irreplaceable() refuses. False if `older` exists and
  // must be kept.
  enum class Older { replaced, kept };
  bool place(Older older = Older::replaced);
  // Without waiting for the disk, for what may be lost with the machine's power.
  void placeUnsafe();

 private:
  std::string shown_, path_, part_;
  FoldersFor folders_;
  int lock_ = -1;
  bool placed_ = false;

  void rename();
};

// A folder for files that one process needs on its way to an output: removed with this object. Those that
// killed processes left of the same output are found and removed.
class PartFolder : NoCopy {
 public:
  explicit PartFolder(const std::string& path);  // throws FileError
  ~PartFolder();

  const std::string& name() const { return name_; }

 private:
  PartFile lock_;
  std::string name_;
};

}  // namespace lacuna
