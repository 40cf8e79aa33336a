#pragma once
// The folders that output files need.

#include <filesystem>
#include <string>
#include <vector>

namespace lacuna {

// Makes those that are missing. Those that are empty when this object goes are removed again, so that a
// failure leaves nothing behind.
class OutputFolders {
 public:
  explicit OutputFolders(const std::vector<std::string>& files);  // throws FileError
  ~OutputFolders();
  OutputFolders(const OutputFolders&) = delete;
  OutputFolders& operator=(const OutputFolders&) = delete;

 private:
  void make(const std::filesystem::path& folder);

  std::vector<std::filesystem::path> made_;  // outer ones first
};

}  // namespace lacuna
