#include "graph/shader/cache_folder.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// What takes a compiler's time alone; measurements take the user's.
constexpr const char* trimmedKinds[] = {"spirv", "checked", "pipelines"};
constexpr size_t nameLength = 32;  // hashName()

struct Found {
  fs::path path;
  uint64_t bytes = 0;
  fs::file_time_type used;
  bool isPart = false;  // HASH.PID-COUNT, while it is written
};

std::vector<Found> filesOf(const std::string& folder, const std::string& kind) {
  std::vector<Found> files;
  std::error_code error;
  if (folder.empty()) {
    return files;
  }
  for (fs::directory_iterator at(fs::path(folder) / kind, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
    const bool isPart = name.find_first_not_of("0123456789-", nameLength + 1) == std::string::npos &&
                        name.substr(digits, 1) == ".";
    std::error_code gone;  // another process removes files, too
    if (digits == nameLength && (isPart || name.size() == digits) &&
        at->symlink_status(gone).type() == fs::file_type::regular) {
      const uint64_t bytes = at->file_size(gone);
      const fs::file_time_type used = at->last_write_time(gone);
      if (!gone) {
        files.push_back({at->path(), bytes, used, isPart});
      }
    }
  }
  return files;
}

bool removed(const Found& file) {
  std::error_code error;
  return fs::remove(file.path, error);
}

}  // namespace

size_t emptyCache(const std::string& folder, const std::string& kind) {
  const std::vector<Found> files = filesOf(folder, kind);
  return static_cast<size_t>(std::count_if(files.begin(), files.end(), removed));
}

void trimCache(const std::string& folder, uint64_t mostBytes) {
  const fs::file_time_type anHourAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::vector<Found> files;
  uint64_t bytes = 0;
  for (const char* kind : trimmedKinds) {
    for (const Found& file : filesOf(folder, kind)) {
      if (!file.isPart) {
        files.push_back(file);
        bytes += file.bytes;
      } else if (file.used < anHourAgo) {
        removed(file);
      }
    }
  }
  if (bytes <= mostBytes) {
    return;
  }
  std::sort(files.begin(), files.end(), [](const Found& a, const Found& b) { return a.used < b.used; });
  for (auto file = files.begin(); file != files.end() && bytes > mostBytes / 4 * 3; ++file) {
    removed(*file);
    bytes -= file->bytes;
  }
}

}  // namespace lacuna
