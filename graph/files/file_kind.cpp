#include "graph/files/file_kind.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "graph/config/text.h"
#include "graph/files/file_name.h"

namespace lacuna {
namespace {

using namespace std::string_view_literals;

constexpr size_t headBytes = 16384;  // graphs may begin with comments

struct Kind {
  FileKind kind;
  const char* words;
  std::initializer_list<std::string_view> signatures, extensions;
};

const Kind kinds[] = {
    {FileKind::png, "a PNG image", {"\x89PNG\r\n\x1a\n"sv}, {".png"}},
    {FileKind::jpeg, "a JPEG image", {"\xff\xd8\xff"sv}, {".jpg", ".jpeg"}},
    {FileKind::exr, "an OpenEXR image", {"\x76\x2f\x31\x01"sv}, {".exr"}},
    {FileKind::pfm, "a PFM image", {"PF\n", "Pf\n"}, {".pfm"}},
    {FileKind::npy, "a NumPy array", {"\x93NUMPY"sv}, {".npy"}},
    {FileKind::profile, "a profile", {}, {}},
    {FileKind::report, "a report of `lacuna bench`", {}, {}},
    {FileKind::json, "JSON of another program", {}, {".json"}},
    {FileKind::graph, "a graph", {}, {".cfg"}},
    {FileKind::svg, "an SVG drawing", {"<svg"}, {".svg"}},
    {FileKind::dot, "a drawing in DOT", {"digraph"}, {".dot", ".gv"}},
    {FileKind::page, "an HTML page", {"<!doctype html>", "<!DOCTYPE html>"}, {".html", ".htm"}},
    {FileKind::text, "text", {}, {}},
    {FileKind::data, "something else", {}, {}},
};

[[noreturn]] void fail(const std::string& shown, int file) {
  const int reason = errno;
  if (file >= 0)
    close(file);
  throw FileError(fmt::format("{}: can't be read: {}", shown, std::strerror(reason)));
}

// Nothing if there is no file.
std::optional<std::string> headOf(const std::string& path, const std::string& shown) {
  // A pipe without a writer would block.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
    return std::nullopt;
  std::string head(headBytes, '\0');
  size_t count = 0;
  while (file >= 0 && count < head.size()) {
    const ssize_t got = read(file, head.data() + count, head.size() - count);
    if (got < 0)
      fail(shown, file);
    if (got == 0)
      break;
    count += static_cast<size_t>(got);
  }
  if (file < 0)
    fail(shown, file);
  close(file);
  head.resize(count);
  return head;
}

// A line "lacuna:1", with spaces as the lexer allows them.
bool hasGraphVersion(std::string_view text) {
  constexpr std::string_view word = "lacuna";
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t before = text.find_last_not_of(" \t", at == 0 ? std::string_view::npos : at - 1);
    const size_t after = text.find_first_not_of(" \t", at + word.size());
    const bool isFirst = at == 0 || before == std::string_view::npos || text[before] == '\n';
    if (isFirst && after != std::string_view::npos && text[after] == ':')
      return true;
  }
  return false;
}

FileKind kindOfText(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (hasGraphVersion(text))
    return FileKind::graph;
  const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (text.substr(first).starts_with('{')) {
    const size_t second = text.find_first_not_of(" \t\r\n", first + 1);
    const std::string_view key = text.substr(std::min(second, text.size()));
    if (key.starts_with("\"displayTimeUnit\"") && has("\"traceEvents\""))
      return FileKind::profile;
    if (key.starts_with("\"device\"") && has("\"driver\""))
      return FileKind::report;
    if (key.starts_with('"') || key.starts_with('}'))
      return FileKind::json;
  }
  return text.starts_with("<?xml") && has("<svg") ? FileKind::svg : FileKind::text;
}

// Whether a file's head is text. Its last character may be incomplete.
bool isText(std::string_view head) {
  constexpr size_t longestCharacter = 4;
  const auto bad = firstByteNotText(head);
  return !bad || (head.size() == headBytes && *bad + longestCharacter > headBytes);
}

}  // namespace

FileKind kindOfFile(const std::string& path, const std::string& shown) {
  const std::optional<std::string> head = headOf(path, shown);
  if (!head)
    return FileKind::none;
  if (head->empty())
    return FileKind::empty;
  for (const Kind& each : kinds)
    for (const std::string_view signature : each.signatures)
      if (head->starts_with(signature))
        return each.kind;
  return isText(*head) ? kindOfText(*head) : FileKind::data;
}

const char* wordsOf(FileKind kind) {
  return std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& each) { return each.kind == kind; })
      ->words;
}

FileKind kindOfName(const std::string& path) {
  const std::string extension = lowerCase(std::filesystem::path(path).extension().string());
  for (const Kind& each : kinds)
    if (std::find(each.extensions.begin(), each.extensions.end(), extension) != each.extensions.end())
      return each.kind;
  return FileKind::none;
}

std::optional<FileId> fileIdOf(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

namespace {

// Far longer than a renderer takes to write a file, even over a network.
constexpr std::chrono::seconds writingTime{10};

// "" if it is missing.
std::string stateOf(const std::string& file) {
  struct stat found {};
  return stat(file.c_str(), &found) == 0 ? fmt::format("{} {} {}.{}", found.st_size, found.st_ino,
                                                       found.st_mtim.tv_sec, found.st_mtim.tv_nsec)
                                         : "";
}

}  // namespace

bool Awaited::contains(const std::string& file, Clock::time_point now) {
  const Seen present{stateOf(file), now};
  const auto [seen, isNew] = seen_.try_emplace(file, present);
  if (seen->second.state != present.state)
    seen->second = present;
  return present.state.empty() || now - seen->second.since < writingTime;
}

}  // namespace lacuna
