#include "tools/lacuna/lsp/protocol.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <limits>

#include "graph/config/text.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view lengthField = "Content-Length:", fileScheme = "file://";
constexpr size_t longestHeader = 4096;
constexpr int64_t longestMessage = 16 << 20;

// UTF-16 units of the character that this byte of UTF-8 begins; 0 within one.
int unitsOf(char byte) {
  return isContinuationByte(byte) ? 0 : static_cast<unsigned char>(byte) >= 0xF0 ? 2 : 1;
}

}  // namespace

std::optional<std::string> takeMessage(std::string& bytes) {
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos && bytes.size() <= longestHeader)
    return std::nullopt;
  const std::string_view header = std::string_view(bytes).substr(0, std::min(end, longestHeader));
  const size_t field = header.find(lengthField);
  std::string word(header.substr(std::min(field, header.size())).substr(0, header.find('\r', field) - field));
  word.erase(0, word.find_first_not_of(' ', lengthField.size()));
  const int64_t length = parseInteger(word).value_or(-1);
  if (end == std::string::npos || length < 0 || length > longestMessage)
    throw RequestError(invalidRequest, fmt::format("a message must begin with '{} N', and N be at most {}",
                                                   lengthField, longestMessage));
  const size_t begin = end + 4, size = static_cast<size_t>(length);
  if (bytes.size() - begin < size)
    return std::nullopt;
  std::string message = bytes.substr(begin, size);
  bytes.erase(0, begin + size);
  return message;
}

bool writeMessage(int descriptor, std::string_view body) {
  const std::string message = fmt::format("{} {}\r\n\r\n{}", lengthField, body.size(), body);
  for (size_t at = 0; at < message.size();) {
    const ssize_t put = write(descriptor, message.data() + at, message.size() - at);
    if (put < 0 && errno != EINTR)
      return false;
    at += static_cast<size_t>(std::max<ssize_t>(put, 0));
  }
  return true;
}

bool readMore(int descriptor, std::string& bytes) {
  char block[1 << 16];
  const ssize_t got = read(descriptor, block, sizeof block);
  bytes.append(block, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return got > 0 || (got < 0 && errno == EINTR);
}

size_t byteOf(std::string_view line, int column, Encoding encoding) {
  size_t byte = 0;
  for (int units = 0; byte < line.size(); ++byte) {
    units += encoding == Encoding::utf8 ? 1 : unitsOf(line[byte]);
    if (units > column)
      break;
  }
  return byte;
}

int columnOf(std::string_view line, int byte, Encoding encoding) {
  int units = 0;
  for (const char each : line.substr(0, static_cast<size_t>(byte)))
    units += encoding == Encoding::utf8 ? 1 : unitsOf(each);
  return units;
}

Json rangeOf(const Lines& lines, const Location& where, Encoding encoding) {
  const auto line = static_cast<size_t>(std::max(where.line, 1) - 1);
  const std::string_view text = line < lines.size() ? lines[line] : std::string_view();
  const int first = std::max(where.column, 1) - 1;
  return {{"start", {{"line", line}, {"character", columnOf(text, first, encoding)}}},
          {"end", {{"line", line}, {"character", columnOf(text, first + where.length, encoding)}}}};
}

int countOf(const Json& number) {
  constexpr double most = std::numeric_limits<int>::max();
  if (!number.is_number_integer())
    throw RequestError(invalidParameters, "expected a whole number");
  return static_cast<int>(std::clamp(number.get<double>(), 0.0, most));
}

std::string pathOf(const std::string& uri) {
  if (!uri.starts_with(fileScheme))
    return uri;
  std::string path;
  for (size_t i = std::min(uri.find('/', fileScheme.size()), uri.size()); i < uri.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = uri.data() + i + 1;
    const bool isEscaped = uri[i] == '%' && i + 2 < uri.size() &&
                           std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2 && byte != 0;
    path += isEscaped ? static_cast<char>(byte) : uri[i];
    i += isEscaped ? 2 : 0;
  }
  return fs::path(path).lexically_normal().generic_string();
}

std::string uriOf(const std::string& path) {
  std::string uri(fileScheme);
  for (const char each : fs::absolute(path).lexically_normal().generic_string())
    uri += isName({&each, 1}) || each == '/' || each == '.'
               ? std::string(1, each)
               : fmt::format("%{:02X}", static_cast<unsigned char>(each));
  return uri;
}

}  // namespace lacuna::lsp
