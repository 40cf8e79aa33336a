#pragma once
// The images that a folder holds, or that a glob pattern names.

#include <string>
#include <vector>

namespace lacuna {

struct FoundFile {
  std::string file;
  std::string below = {};  // "a/b": the folders in which ** found it, below those that were named
};

struct FoundFiles {
  std::vector<FoundFile> files;      // whose names end as those of images do
  std::vector<std::string> others;   // files whose names don't
  std::vector<std::string> folders;  // that were not searched
  std::vector<std::string> links;    // to folders, which ** doesn't follow
  std::vector<std::string> unread;   // folders that can't be listed, and why: a line each
};

inline bool isGlob(const std::string& word) {
  return word.find_first_of("*?[") != std::string::npos;
}

// In the order of their names. Hidden ones are left out.
FoundFiles imagesIn(const std::string& folder);

// A pattern that the shell left alone: *, ? and [...] within a name, ** for any number of folders, but not
// behind links; ~/ for the user's folder. If no file has an image's extension, all are `files`.
FoundFiles imagesMatching(const std::string& pattern);

}  // namespace lacuna
