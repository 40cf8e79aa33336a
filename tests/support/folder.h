#pragma once
// A test's own folder, which is removed with it, and the bytes of files.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace lacuna::test {

inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void spill(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // ext4 flushes a file that is cut to nothing and written again
  std::ofstream(path, std::ios::binary) << bytes;
}

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
  // Writes a file, also into a folder that is made for it, and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    spill(file(name), content);
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lacuna::test
