#include "tools/lacuna/watch/watched_files.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "graph/files/file_name.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr int quietMs = 30;

std::string absolute(const std::string& name) {
  return fs::absolute(name).lexically_normal().string();
}

}  // namespace

WatchedFiles::WatchedFiles() : inotify_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (inotify_ < 0)
    throw FileError(fmt::format("files can't be watched: inotify_init1: {}", std::strerror(errno)));
}

WatchedFiles::~WatchedFiles() {
  close(inotify_);
}

void WatchedFiles::follow(const std::set<std::string>& files, const std::set<std::string>& folders) {
  files_.clear();
  folders_.clear();
  std::set<std::string> watched;
  for (const std::string& file : files) {
    files_.insert(absolute(file));
    watched.insert(fs::path(absolute(file)).parent_path().string());
  }
  for (const std::string& folder : folders) {
    folders_.insert(absolute(folder));
    watched.insert(absolute(folder));
  }
  for (auto each = watches_.begin(); each != watches_.end();) {
    const auto& [folder, watch] = *each;
    if (watched.contains(folder)) {
      ++each;
      continue;
    }
    inotify_rm_watch(inotify_, watch);
    names_.erase(watch);
    each = watches_.erase(each);
  }
  for (const std::string& folder : watched) {
    const int watch = inotify_add_watch(
        inotify_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR);
    if (watch < 0)  // it may be gone
      continue;
    names_[watch] = folder;
    watches_[folder] = watch;
  }
}

std::set<std::string> WatchedFiles::changed() {
  std::set<std::string> names;
  pollfd ready{inotify_, POLLIN, 0};
  // Where nothing is saved, nothing is awaited: the page asked.
  for (int waitMs = 0; poll(&ready, 1, waitMs) > 0; waitMs = quietMs) {
    alignas(inotify_event) std::array<char, 65536> bytes{};
    const ssize_t count = read(inotify_, bytes.data(), bytes.size());
    for (ssize_t at = 0; at < count;) {
      const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      const auto folder = names_.find(event->wd);
      if (folder == names_.end() || event->len == 0)
        continue;
      const std::string file = (fs::path(folder->second) / event->name).string();
      if (files_.contains(file) || folders_.contains(folder->second))
        names.insert(file);
    }
  }
  return names;
}

}  // namespace lacuna
