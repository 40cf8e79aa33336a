#pragma once
// Text from files and users: bytes checked, lines split, numbers read.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna {

// Byte offset of the first NUL or of the first byte that is not UTF-8.
std::optional<size_t> firstByteNotText(std::string_view text);

bool isContinuationByte(char byte);  // of a UTF-8 sequence

// Lines without their "\n" or "\r\n". A last line without newline counts; "" has none.
std::vector<std::string_view> splitLines(std::string_view text);

// The parts between commas, of which some may be empty; "" is one empty part.
std::vector<std::string_view> splitCommas(std::string_view text);

// The whole word must be a number; from 1e-3 to +4 and inf, in no locale. Infinity if it is too large or too
// small for a double.
std::optional<double> parseNumber(std::string_view word);
std::optional<int64_t> parseInteger(std::string_view word);

bool isName(std::string_view word);  // [A-Za-z0-9_-]+

std::string lowerCase(std::string_view text);  // of ASCII

// Puts a text into double quotes, with \" and \\ where needed.
std::string quote(std::string_view text);

// A line as a terminal can show it: bytes that aren't text, and control characters, become '?', one for
// one.
std::string printable(std::string_view line);

// "levels, noise, edges"; long lists end in "...".
std::string joinNames(const std::vector<std::string>& names);
// "PNG, JPEG or NumPy"
std::string joinChoices(const std::vector<std::string>& choices);

struct FileText {
  std::string text;
  std::string error;  // why it could not be read, or empty
};
constexpr size_t maxTextBytes = size_t{64} << 20;
// A regular file: a file name must not make the program wait for a pipe or read a device.
FileText readTextFile(const std::string& path, size_t maxBytes = maxTextBytes);
// Reads a file that the user names, which may be a pipe such as /dev/stdin, or a device.
FileText readTextFileOrPipe(const std::string& path, size_t maxBytes = maxTextBytes);

// From now on this text is read in place of the file, which need not exist: an editor has it and hasn't saved
// it. nullopt: the file's own again. Not while other threads read.
void setUnsavedText(const std::string& path, std::optional<std::string> text);

// Replaces $name and ${name} in a template. Throws std::logic_error on a name that is not given.
std::string fill(std::string_view text, std::span<const std::pair<std::string, std::string>> values);
inline std::string fill(std::string_view text,
                        std::initializer_list<std::pair<std::string, std::string>> values) {
  return fill(text, std::span(values.begin(), values.size()));
}

// Folders whose links are resolved once, for many files. "" is the current folder.
class Folders {
 public:
  explicit Folders(const std::vector<std::filesystem::path>& folders);
  // Whether the file lies in one of them or below. It need not exist.
  bool hold(const std::filesystem::path& file) const;

 private:
  std::vector<std::filesystem::path> real_;
};

inline bool liesWithin(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders) {
  return Folders(folders).hold(file);
}

}  // namespace lacuna
