#pragma once
// Calls on files that fail when a test says so. The test program has these functions in place of the C
// library's, so libpng, libjpeg, OpenEXR and the streams of C++ fail likewise.

#include <map>
#include <string>
#include <vector>

namespace lacuna::test {

// Counts calls on files below a folder, and lets one fail. One at a time: for as long as it lives.
class FileFaults {
 public:
  explicit FileFaults(const std::string& folder);
  ~FileFaults();
  FileFaults(const FileFaults&) = delete;
  FileFaults& operator=(const FileFaults&) = delete;

  std::map<std::string, int> calls;  // by function
  std::string function;              // that fails
  int failAt = -1;                   // at which of its calls
  int error = 0;                     // errno then; 0 for a short write, which sets none
  bool happened = false;

  // Calls that change what is on the disk, in their order: fdatasync, rename and unlink.
  struct Step {
    std::string call, path, to;
    std::string content;  // of `path` at that time
  };
  std::vector<Step> steps;
  void note(const char* name, const std::string& path, const std::string& to = {});

  // Whether this call, on an open file or on a name, fails.
  bool take(const char* name, int file);
  bool take(const char* name, const std::string& path);

 private:
  std::string folder_;
};

}  // namespace lacuna::test
