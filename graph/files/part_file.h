#pragma once
// A file that appears complete or not at all.

#include <string>

namespace lacuna {

// `path`.part, to be written: gone with this object unless place() has put it at `path`. It is locked while
// this lives. So one that a killed process left behind is written over, and its fellows are removed; beside
// one that another process is writing the name goes on with -2, -3 and so on.
class PartFile {
 public:
  explicit PartFile(const std::string& path);  // throws FileError
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return part_; }
  void place();  // on disk before it has its name; throws FileError

 private:
  std::string path_, part_;
  int lock_ = -1;
  bool placed_ = false;
};

}  // namespace lacuna
