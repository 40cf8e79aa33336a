#pragma once
// A test's own folder, which is removed with it.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace lacuna::test {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lacuna-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }
  bool isEmpty() const { return std::filesystem::is_empty(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file, and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::remove(file(name));  // ext4 flushes a file that is cut to nothing and written again
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lacuna::test
