#pragma once
// A folder of this process alone, which is removed with its owner.

#include <string>

namespace lacuna {

class TemporaryFolder {
 public:
  TemporaryFolder();  // throws FileError
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lacuna
