#include "graph/config/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>

#include "graph/lists.h"

namespace lacuna {
namespace {

constexpr size_t maxJoinedNames = 16;

// Length of the UTF-8 sequence that starts at `at`; 0 if there is none. Overlong forms, surrogates and values
// above U+10FFFF are invalid.
size_t sequenceLength(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(at);
  const unsigned second = byte(at + 1);
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return continues(at + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second >= 0xA0;
    return continues(at + 1) && continues(at + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && second < 0x90;
    const bool tooLarge = first == 0xF4 && second >= 0x90;
    return continues(at + 1) && continues(at + 2) && continues(at + 3) && !overlong && !tooLarge ? 4 : 0;
  }
  return 0;
}

class Descriptor : NoCopy {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0)
      close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// "" for a file that may be read.
std::string unfitFile(const Descriptor& file, bool onlyRegular) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0)
    return std::strerror(errno);
  if (S_ISDIR(status.st_mode))
    return "it is a folder";
  if (!onlyRegular || S_ISREG(status.st_mode))
    return {};
  const char* kind = S_ISFIFO(status.st_mode) ? "pipe" : S_ISSOCK(status.st_mode) ? "socket" : "device";
  return std::string("it is a ") + kind + ", but must be a regular file";
}

namespace fs = std::filesystem;

// "" if it is unknown.
fs::path realPath(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path.empty() ? fs::path(".") : path, failed);
  fs::path real = failed ? fs::path() : fs::weakly_canonical(whole, failed).lexically_normal();
  if (failed)
    return {};
  return real.has_filename() ? real : real.parent_path();  // without a slash at its end
}

std::map<fs::path, std::string>& unsavedTexts() {
  static std::map<fs::path, std::string> texts;
  return texts;
}

// `flags`: O_NONBLOCK for regular files alone.
FileText readAll(const std::string& path, int flags, size_t maxBytes) {
  if (const auto& texts = unsavedTexts(); !texts.empty())
    if (const auto found = texts.find(realPath(path)); found != texts.end())
      return {found->second, {}};
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
  if (file.number() < 0)
    return {{}, std::strerror(errno)};
  if (std::string unfit = unfitFile(file, flags != 0); !unfit.empty())
    return {{}, std::move(unfit)};
  FileText result;
  char block[1 << 16];
  while (true) {
    const ssize_t got = read(file.number(), block, sizeof block);
    if (got == 0)
      return result;
    if (got < 0 && errno != EINTR)
      return {{}, std::strerror(errno)};
    result.text.append(block, static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (result.text.size() > maxBytes)
      return {{}, "it is larger than " + std::to_string(maxBytes >> 20) + " MiB"};
  }
}

}  // namespace

bool isContinuationByte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::optional<size_t> firstByteNotText(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = text[at] == '\0' ? 0 : sequenceLength(text, at);
    if (length == 0)
      return at;
    at += length;
  }
  return std::nullopt;
}

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

template <typename T>
static std::optional<T> parseWith(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+')
    word.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument)
    return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if constexpr (std::numeric_limits<T>::has_infinity)
      return std::numeric_limits<T>::infinity();
    else
      return std::nullopt;
  }
  return value;
}

std::vector<std::string_view> splitCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t at = 0, end = 0; at <= text.size(); at = end + 1) {
    end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
  }
  return parts;
}

std::optional<double> parseNumber(std::string_view word) {
  return parseWith<double>(word);
}
std::optional<int64_t> parseInteger(std::string_view word) {
  return parseWith<int64_t>(word);
}

bool isName(std::string_view word) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !word.empty() && word.find_first_not_of(allowed) == std::string_view::npos;
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// The last two bytes of a character that changes the direction of text on terminals: U+200E, U+200F, U+202A
// to U+202E, U+2066 to U+2069.
static bool turnsText(std::string_view end) {
  const auto last = end.size() == 2 ? static_cast<unsigned char>(end[1]) : 0;
  return (end.starts_with('\x80') && (last == 0x8E || last == 0x8F || (last >= 0xAA && last <= 0xAE))) ||
         (end.starts_with('\x81') && last >= 0xA6 && last <= 0xA9);
}

std::string printable(std::string_view line) {
  std::string shown(line);
  size_t checked = 0;
  while (const auto bad = firstByteNotText(std::string_view(shown).substr(checked))) {
    checked += *bad;
    shown[checked] = '?';
  }
  for (size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F)
      shown[i] = '?';
    else if (byte == 0xC2 && static_cast<unsigned char>(shown[i + 1]) < 0xA0)  // U+0080 to U+009F
      shown[i] = shown[i + 1] = '?';
    else if (byte == 0xE2 && turnsText(std::string_view(shown).substr(i + 1, 2)))
      shown.replace(i, 3, "?");
  }
  return shown;
}

std::string joinNames(const std::vector<std::string>& names) {
  std::string joined;
  for (size_t i = 0; i < names.size(); ++i) {
    joined += i == 0 ? "" : ", ";
    if (i == maxJoinedNames)
      return joined + "...";
    joined += names[i];
  }
  return joined;
}

std::string joinChoices(const std::vector<std::string>& choices) {
  std::string joined;
  for (size_t i = 0; i < choices.size(); ++i)
    joined += (i == 0 ? "" : i + 1 < choices.size() ? ", " : " or ") + choices[i];
  return joined;
}

FileText readTextFile(const std::string& path, size_t maxBytes) {
  // Opening a pipe would wait for its writer without O_NONBLOCK.
  return readAll(path, O_NONBLOCK, maxBytes);
}

FileText readTextFileOrPipe(const std::string& path, size_t maxBytes) {
  return readAll(path, 0, maxBytes);
}

void setUnsavedText(const std::string& path, std::optional<std::string> text) {
  if (text)
    unsavedTexts()[realPath(path)] = std::move(*text);
  else
    unsavedTexts().erase(realPath(path));
}

std::string fill(std::string_view text, std::span<const std::pair<std::string, std::string>> values) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    const bool braced = i + 1 < text.size() && text[i + 1] == '{';
    const size_t start = braced ? i + 2 : i + 1;
    size_t end = start;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0)
      ++end;
    const std::string key(text.substr(start, end - start));
    bool found = false;
    for (const auto& [name, value] : values) {
      if (name == key) {
        out += value;
        found = true;
      }
    }
    if (!found)
      throw std::logic_error("shader template: no value for $" + key);
    i = braced ? end + 1 : end;
  }
  return out;
}

Folders::Folders(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders)
    if (fs::path real = realPath(folder); !real.empty())
      real_.push_back(std::move(real));
}

bool Folders::hold(const fs::path& file) const {
  const fs::path real = realPath(file);
  return !real.empty() && std::ranges::any_of(real_, [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
  });
}

}  // namespace lacuna
