#pragma once
// Text from standard input, text files that appear complete or not at all, and folders that are removed.

#include <string>

#include "graph/config/text.h"

namespace lacuna {

FileText readStandardInput();

// Written by PartFile. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

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
