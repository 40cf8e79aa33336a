#include "tools/lacuna/test_graphs.h"

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"

namespace lacuna {

namespace fs = std::filesystem;

std::string moduleFolder(const std::string& word, const std::vector<std::string>& folders) {
  const fs::path path = word;
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    return (path / "").parent_path().string();
  }
  if (path.filename() == "module.toml") {
    return path.has_parent_path() ? path.parent_path().string() : ".";
  }
  if (isName(word) && !fs::exists(path, failed)) {
    for (const std::string& folder : folders) {
      if (fs::exists(fs::path(folder) / word / "module.toml", failed)) {
        return (fs::path(folder) / word).string();
      }
    }
  }
  return {};
}

std::vector<std::string> testGraphs(const std::string& folder) {
  std::vector<std::string> graphs;
  std::error_code failed;
  for (fs::directory_iterator entry(fs::path(folder) / "test", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    // Reading a pipe would wait for its writer.
    if (entry->path().extension() == ".cfg" && entry->is_regular_file(failed)) {
      graphs.push_back(entry->path().lexically_normal().string());
    }
  }
  std::sort(graphs.begin(), graphs.end());
  return graphs;
}

}  // namespace lacuna
