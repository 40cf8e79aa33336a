#include "graph/config/folders.h"

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

Folders::Folders(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    if (fs::path real = realPath(folder); !real.empty()) {
      real_.push_back(std::move(real));
    }
  }
}

bool Folders::hold(const fs::path& file) const {
  const fs::path real = realPath(file);
  return !real.empty() && std::any_of(real_.begin(), real_.end(), [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
  });
}

}  // namespace lacuna
