#include "tools/lacuna/denoise/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "modules/codecs/codec.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr const char* anyFolders = "**";

bool isPlain(const std::string& part) {
  return part.find_first_of("*?[\\") == std::string::npos;
}

// Walks along the parts of a pattern, one folder deeper each.
class Finder {
 public:
  void find(const fs::path& folder, std::span<const std::string> parts) {
    if (parts.front() == anyFolders) {
      const bool isOutermost = !root_;
      root_ = root_.value_or(folder);
      findBelow(folder, parts.subspan(1));
      if (isOutermost)
        root_.reset();
    } else if (isPlain(parts.front())) {
      take(folder / parts.front(), parts);
    } else {
      for (const fs::path& entry : entriesOf(folder))
        if (fnmatch(parts.front().c_str(), entry.filename().c_str(), FNM_PERIOD) == 0)
          take(entry, parts);
    }
  }

  FoundFiles end() { return std::move(found_); }

 private:
  static bool isFolder(const fs::path& entry) {
    std::error_code ignored;
    return fs::is_directory(entry, ignored);
  }

  std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code failed;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, failed), end; !failed && entry != end;
         entry.increment(failed))
      entries.push_back(folder / entry->path().filename());
    if (failed && failed != std::errc::no_such_file_or_directory && failed != std::errc::not_a_directory)
      found_.unread.push_back(
          fmt::format("{}: the folder can't be read: {}", folder.string(), failed.message()));
    std::sort(entries.begin(), entries.end());
    return entries;
  }

  void take(const fs::path& entry, std::span<const std::string> parts) {
    if (parts.size() > 1) {
      if (isFolder(entry))
        find(entry, parts.subspan(1));
      return;
    }
    std::error_code ignored;
    if (isFolder(entry)) {
      if (!root_)  // else it is searched
        found_.folders.push_back(entry.string());
    } else if (!fs::exists(fs::symlink_status(entry, ignored))) {
      return;
    } else if (hasImageExtension(entry.string())) {
      found_.files.push_back({entry.string(), belowRoot(entry.parent_path())});
    } else {
      found_.others.push_back(entry.string());
    }
  }

  // A folder and all below it. Links are not followed: they may lead back.
  void findBelow(const fs::path& folder, std::span<const std::string> parts) {
    find(folder, parts);
    for (const fs::path& entry : entriesOf(folder)) {
      std::error_code ignored;
      if (!isFolder(entry) || entry.filename().string().starts_with('.'))
        continue;
      if (fs::is_symlink(fs::symlink_status(entry, ignored)))
        found_.links.push_back(entry.string());
      else
        findBelow(entry, parts);
    }
  }

  std::string belowRoot(const fs::path& folder) const {
    const std::string below = root_ ? folder.lexically_relative(*root_).string() : "";
    return below == "." ? "" : below;
  }

  FoundFiles found_;
  std::optional<fs::path> root_;  // where the ** stands that is being searched
};

std::vector<std::string> partsOf(const std::string& pattern) {
  std::vector<std::string> parts;
  for (const fs::path& part : fs::path(pattern).relative_path()) {
    const bool isRepeated = part == anyFolders && !parts.empty() && parts.back() == anyFolders;
    if (!part.empty() && !isRepeated)
      parts.push_back(part.string());
  }
  if (parts.back() == anyFolders)
    parts.emplace_back("*");
  return parts;
}

// "~/" is the user's folder.
std::string withHome(const std::string& path) {
  const char* home = std::getenv("HOME");
  return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

}  // namespace

FoundFiles imagesIn(const std::string& folder) {
  Finder finder;
  finder.find(folder, std::vector<std::string>{"*"});
  return finder.end();
}

std::vector<std::string> filesAndFolders(const std::string& folder) {
  const FoundFiles found = imagesIn(withHome(folder));
  std::vector<std::string> names;
  for (const FoundFile& each : found.files)
    names.push_back(fs::path(each.file).filename().string());
  for (const std::string& each : found.others)
    names.push_back(fs::path(each).filename().string());
  for (const std::string& each : found.folders)
    names.push_back(fs::path(each).filename().string() + "/");
  return names;
}

bool hasImageExtension(const std::string& file) {
  const io::Codec* codec = io::readerOfExtension(io::extensionOf(file));
  return codec != nullptr && codec->isPicture;
}

FoundFiles imagesMatching(const std::string& pattern) {
  const std::string whole = withHome(pattern);
  const std::vector<std::string> parts = partsOf(whole);
  Finder finder;
  finder.find(fs::path(whole).root_path(), parts);
  FoundFiles found = finder.end();
  if (found.files.empty())
    for (std::string& file : std::exchange(found.others, {}))
      found.files.push_back({std::move(file)});
  return found;
}

}  // namespace lacuna
