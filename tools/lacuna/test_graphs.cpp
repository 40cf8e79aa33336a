#include "tools/lacuna/test_graphs.h"

#include <algorithm>
#include <filesystem>

namespace lacuna {

namespace fs = std::filesystem;

std::vector<std::string> testGraphs(const std::string& folder) {
  std::vector<std::string> graphs;
  std::error_code failed;
  for (fs::directory_iterator entry(fs::path(folder) / "test", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    // A pipe would be waited for.
    if (entry->path().extension() == ".cfg" && entry->is_regular_file(failed)) {
      graphs.push_back(entry->path().lexically_normal().string());
    }
  }
  std::sort(graphs.begin(), graphs.end());
  return graphs;
}

}  // namespace lacuna
