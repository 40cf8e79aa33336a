#include "graph/files/inside.h"

#include <algorithm>

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// "" where that can't be found out.
fs::path realPath(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path.empty() ? fs::path(".") : path, failed);
  fs::path real = failed ? fs::path() : fs::weakly_canonical(whole, failed).lexically_normal();
  if (failed) {
    return {};
  }
  return real.has_filename() ? real : real.parent_path();  // without a slash at its end
}

}  // namespace

bool liesWithin(const fs::path& file, const std::vector<fs::path>& folders) {
  const fs::path real = realPath(file);
  return !real.empty() && std::any_of(folders.begin(), folders.end(), [&](const fs::path& each) {
    const fs::path folder = realPath(each);
    return !folder.empty() &&
           std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
  });
}

}  // namespace lacuna
