#include "tools/lacuna/run/output_folders.h"

#include <fmt/format.h>

#include "graph/files/file_name.h"

namespace lacuna {

OutputFolders::OutputFolders(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    make(std::filesystem::path(file).parent_path());
  }
}

OutputFolders::~OutputFolders() {
  std::error_code ignored;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    std::filesystem::remove(*folder, ignored);
  }
}

void OutputFolders::make(const std::filesystem::path& folder) {
  std::error_code failed;
  if (folder.empty() || std::filesystem::exists(folder, failed)) {
    return;
  }
  make(folder.parent_path());
  if (std::filesystem::create_directory(folder, failed)) {
    made_.push_back(folder);
  } else if (failed) {
    throw FileError(fmt::format("-o: the folder {} can't be made: {}", folder.string(), failed.message()));
  }
}

}  // namespace lacuna
