#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "graph/config/regex.h"
#include "graph/files/file_name.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr size_t mostRunsTold = 8;

[[noreturn]] void badPattern(const std::string& pattern, size_t from, size_t to) {
  throw FileError(fmt::format(
      "'{}': '{}' is not allowed in a file name; %d, %04d, %.4d or #### stands for the frame's number, "
      "%% for a percent sign, %# for a #",
      pattern, pattern.substr(from, to - from + 1)));
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// Replaces the placeholder that begins at `at`, a percent sign, and returns the position of its last
// character.
size_t expand(const std::string& pattern, size_t at, int64_t frame, std::string& path, bool& numbered) {
  size_t next = at + 1;
  if (next < pattern.size() && (pattern[next] == '%' || pattern[next] == '#')) {
    path += pattern[next];
    return next;
  }
  int width = 0;
  if (next + 1 < pattern.size() && (pattern[next] == '0' || pattern[next] == '.') &&
      isDigit(pattern[next + 1])) {
    width = pattern[next + 1] - '0' + (pattern[next] == '.' && frame < 0 ? 1 : 0);
    next += 2;
  }
  if (next >= pattern.size() || pattern[next] != 'd')
    badPattern(pattern, at, std::min(next, pattern.size() - 1));
  path += fmt::format("{:0{}d}", frame, width);
  numbered = true;
  return next;
}

// Likewise for a row of #, "####".
size_t expandHashes(const std::string& pattern, size_t at, int64_t frame, std::string& path, bool& numbered) {
  const size_t end = std::min(pattern.find_first_not_of('#', at), pattern.size());
  if (end - at > 9)
    badPattern(pattern, at, end - 1);
  path += fmt::format("{:0{}d}", frame, end - at);
  numbered = true;
  return end - 1;
}

std::string expandAll(const std::string& pattern, int64_t frame, bool& numbered) {
  std::string path;
  for (size_t at = 0; at < pattern.size(); ++at)
    if (pattern[at] == '%')
      at = expand(pattern, at, frame, path, numbered);
    else if (pattern.compare(at, 2, "##") == 0)
      at = expandHashes(pattern, at, frame, path, numbered);
    else
      path += pattern[at];
  return path;
}

// With %.4d for %04d and ####.
std::string withPlainDigits(const std::string& pattern) {
  std::string plain;
  for (size_t at = 0; at < pattern.size(); ++at) {
    const size_t hashes = std::min(pattern.find_first_not_of('#', at), pattern.size()) - at;
    if (pattern[at] == '%') {
      const char next = at + 1 < pattern.size() ? pattern[++at] : ' ';
      plain += '%';
      plain += next == '0' ? '.' : next;
    } else if (hashes > 1) {
      plain += fmt::format("%.{}d", hashes);
      at += hashes - 1;
    } else {
      plain += pattern[at];
    }
  }
  return plain;
}

// The part of a name before the number.
std::string prefixOf(const std::string& namePattern) {
  std::string prefix;
  bool numbered = false;
  for (size_t at = 0; at < namePattern.size() && namePattern.compare(at, 2, "##") != 0; ++at) {
    std::string plain(1, namePattern[at]);
    if (namePattern[at] == '%') {
      plain.clear();
      at = expand(namePattern, at, 0, plain, numbered);
    }
    if (numbered)
      break;
    prefix += plain;
  }
  return prefix;
}

struct NumberedName {
  std::string folder;  // that it is in
  std::string name;    // the first in the pattern that has a number
  bool isFile = true;  // else a folder
};

NumberedName numberedName(const std::string& folder, const std::string& pattern) {
  NumberedName found;
  fs::path above;
  for (const fs::path& part : fs::path(pattern)) {
    found.isFile = found.name.empty();
    if (found.isFile && !namesFrames(part.string()))
      above /= framePath(part.string(), 0);
    else if (found.isFile)
      found.name = part.string();
  }
  found.folder = fileBelow(folder, above.string());
  found.folder = found.folder.empty() ? "." : found.folder;
  return found;
}

}  // namespace

bool mayPrecedeSign(std::string_view before) {
  return before.empty() || std::isalnum(static_cast<unsigned char>(before.back())) == 0;
}

std::string framePath(const std::string& pattern, int64_t frame) {
  bool numbered = false;
  return expandAll(pattern, frame, numbered);
}

bool namesFrames(const std::string& pattern) {
  bool numbered = false;
  expandAll(pattern, 0, numbered);
  return numbered;
}

bool isPattern(const std::string& text) {
  try {
    framePath(text, 0);
    return true;
  } catch (const FileError&) {
    return false;
  }
}

std::string patternOf(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    pattern += c == '%' || c == '#' ? "%" : "";
    pattern += c;
  }
  return pattern;
}

std::string namePartOf(const std::string& text) {
  std::string part = text.empty() ? "_" : text;
  const bool isDots = part.find_first_not_of('.') == std::string::npos;
  for (size_t i = 0; i < part.size(); ++i) {
    const auto byte = static_cast<unsigned char>(part[i]);
    // U+0080 to U+009F, which are control characters, too.
    const auto next = static_cast<unsigned char>(part.c_str()[i + 1]);
    const bool isWide = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (isWide)
      part[i + 1] = '_';
    if (isDots || isWide || byte < 0x20 || byte == 0x7F || byte == '/' || byte == '\\')
      part[i] = '_';
  }
  // Standard output, our own folder, and Windows' devices, which its shares refuse with any extension.
  static const Regex reserved(R"(^(-|\.lacuna|(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?)$)");
  std::string lower = part;
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return reserved.find(lower) ? "_" + part : part;
}

std::string fileBelow(const std::string& folder, const std::string& path) {
  return folder.empty() ? path : (fs::path(folder) / path).lexically_normal().string();
}

NumberedFiles numberedFiles(const std::string& folder, const std::string& pattern) {
  const auto [listed, name, isFile] = numberedName(folder, pattern);
  const std::string prefix = prefixOf(name);
  const std::string plainDigits = withPlainDigits(pattern), plainName = withPlainDigits(name);
  NumberedFiles files;
  std::vector<int> numbers, plainNegative, ofBroken;
  bool hasOwnNegative = false;  // written as the pattern has it, and not with %.4d
  std::error_code failed;
  for (fs::directory_iterator entry(listed, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string found = entry->path().filename().string();
    const size_t digit = prefix.size() + (found.starts_with(prefix + "-") ? 1 : 0);
    if (!found.starts_with(prefix) || found.size() <= digit || !isDigit(found[digit]))
      continue;
    int64_t number = 0;
    std::from_chars(found.data() + prefix.size(), found.data() + found.size(), number);
    const bool isLike = framePath(name, number) == found;
    const std::string path = fileBelow(folder, framePath(isLike ? pattern : plainDigits, number));
    std::error_code ignored;
    if ((!isLike && framePath(plainName, number) != found) || (!isFile && !fs::exists(path, ignored)))
      continue;
    if (std::abs(number) > largestFrameNumber) {
      files.tooLarge = path;
      continue;
    }
    hasOwnNegative = hasOwnNegative || (isLike && framePath(plainName, number) != found);
    (isLike ? numbers : plainNegative).push_back(static_cast<int>(number));
    if (isFile && !entry->exists(ignored))
      ofBroken.push_back(static_cast<int>(number));
  }
  files.pattern = plainNegative.empty() || hasOwnNegative ? pattern : plainDigits;
  if (!hasOwnNegative)
    numbers.insert(numbers.end(), plainNegative.begin(), plainNegative.end());
  files.numbers = numbers;
  const bool isSigned = mayPrecedeSign(prefix) || files.numbers.contains(0) || files.numbers.empty() ||
                        files.numbers.back() < 0;
  if (!isSigned)
    files.numbers = files.numbers.between(0, largestFrameNumber);
  files.pattern = isSigned ? files.pattern : pattern;
  files.broken = FrameSet(ofBroken).within(files.numbers);
  return files;
}

std::string numberedLike(const std::string& folder, const std::string& name) {
  static const Regex number(
      R"(%[0-9.]*[di]|#+|@+|\$F[0-9]?|\$\{F[0-9]?\}|<f[0-9]*>|<frame[0-9]*>|\{frame(:[0-9]*d)?\})"
      R"(|\[[0-9]+-[0-9]+\]|\{[0-9]+\.\.[0-9]+\}|[0-9]+-[0-9]+)");
  const std::string file = fs::path(name).filename().string();
  for (const RegexMatch& found : number.findAll(file)) {
    for (const char* width : {"%d", "%02d", "%03d", "%04d", "%05d", "%06d"}) {
      const std::string like =
          (fs::path(patternOf(fs::path(name).parent_path().string())) /
           (patternOf(file.substr(0, found.begin)) + width + patternOf(file.substr(found.end))))
              .string();
      if (like != name && !numberedFiles(folder, like).numbers.empty())
        return "; there is " + like;
    }
  }
  return {};
}

std::string tooLargeMistake(const std::string& name) {
  return fmt::format("{}: the number of a frame is {} at most; rename the file", name, largestFrameNumber);
}

std::optional<std::string> unlisted(const std::string& folder, const std::string& pattern) {
  if (!namesFrames(pattern))
    return std::nullopt;
  const std::string listed = numberedName(folder, pattern).folder;
  std::error_code failed;
  const fs::directory_iterator opened(listed, failed);
  if (!failed || failed == std::errc::no_such_file_or_directory || failed == std::errc::not_a_directory)
    return std::nullopt;
  return fmt::format("the folder '{}' can't be listed: {}", listed, failed.message());
}

std::string listFrames(const FrameSet& frames, const std::function<std::string(int)>& nameOf) {
  std::vector<std::string> told;
  size_t left = frames.size();
  for (const FrameSet::Run& run : frames.runs()) {
    if (told.size() == mostRunsTold)
      break;
    told.push_back(nameOf(run.first));
    if (run.last > run.first)
      told.back() += (run.last > run.first + 1 ? " to " : ", ") + nameOf(run.last);
    left -= static_cast<size_t>(run.last - run.first) + 1;
  }
  return fmt::format("{}{}", fmt::join(told, ", "), left > 0 ? fmt::format(" and {} more", left) : "");
}

std::string lacksFiles(const std::string& who, const FrameSet& lacking, size_t frames,
                       const std::function<std::string(int)>& nameOf) {
  return fmt::format(
      "{} has no {}: {}", who,
      frames == 1 ? "file for its frame" : fmt::format("files for {} of {} frames", lacking.size(), frames),
      listFrames(lacking, nameOf));
}

}  // namespace lacuna
