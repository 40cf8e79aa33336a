#pragma once
// A file that appears complete or not at all.

#include <string>

namespace lacuna {

// `path`.part-<pid>, to be written: gone with this object unless place() has put it at `path`.
class PartFile {
 public:
  explicit PartFile(const std::string& path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return part_; }
  void place();  // throws FileError

 private:
  std::string path_, part_;
  bool placed_ = false;
};

}  // namespace lacuna
