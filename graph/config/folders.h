#pragma once
// Where a file really lies, links resolved.

#include <filesystem>
#include <vector>

namespace lacuna {

// Folders whose links are resolved once, for many files. "" is the current folder.
class Folders {
 public:
  explicit Folders(const std::vector<std::filesystem::path>& folders);
  // Whether the file lies in one of them or below. It need not exist.
  bool hold(const std::filesystem::path& file) const;

 private:
  std::vector<std::filesystem::path> real_;
};

inline bool liesWithin(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders) {
  return Folders(folders).hold(file);
}

}  // namespace lacuna
