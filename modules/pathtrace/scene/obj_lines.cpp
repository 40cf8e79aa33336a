#include "pathtrace/scene/obj_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna::pathtrace {
namespace {

constexpr int mostErrors = 20;  // of a file; later ones are rarely new

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

std::string_view ObjWords::next() {
  while (at_ < line_.size() && isSpace(line_[at_])) {
    ++at_;
  }
  const size_t first = at_;
  if (first < line_.size() && line_[first] == '#') {
    at_ = line_.size();
    return line_.substr(at_);
  }
  while (at_ < line_.size() && !isSpace(line_[at_])) {
    ++at_;
  }
  return line_.substr(first, at_ - first);
}

std::string_view ObjWords::rest() {
  size_t first = at_, last = line_.size();
  while (first < last && isSpace(line_[first])) {
    ++first;
  }
  while (last > first && isSpace(line_[last - 1])) {
    --last;
  }
  at_ = line_.size();
  return line_.substr(first, last - first);
}

ObjMessages::ObjMessages(std::string path, const std::string& text, const std::string& meshName,
                         const Location& mesh, Diagnostics& diagnostics)
    : path_(std::move(path)),
      text_(text),
      suffix_(fmt::format(" (mesh '{}', {}:{})", meshName, diagnostics.fileName(mesh.file), mesh.line)),
      diagnostics_(diagnostics) {}

Location ObjMessages::place(int line, int column, size_t length) {
  if (file_ < 0) {
    file_ = diagnostics_.addFile(path_, text_);
  }
  return {file_, line, column, static_cast<int>(std::clamp<size_t>(length, 1, 200))};
}

bool ObjMessages::isEnough() const {
  return errors_ >= mostErrors;
}

void ObjMessages::error(int line, int column, size_t length, const std::string& message) {
  if (isEnough()) {
    return;
  }
  ++errors_;
  diagnostics_.error(place(line, column, length), message + suffix_,
                     isEnough() ? fmt::format("reading stopped after {} errors", mostErrors) : std::string{});
}

void ObjMessages::warn(int line, int column, size_t length, const std::string& message) {
  diagnostics_.warn(place(line, column, length), message + suffix_);
}

void ObjMessages::warnOnce(const std::string& key, int line, int column, size_t length,
                           const std::string& message) {
  if (told_.emplace(key, true).second) {
    warn(line, column, length, message);
  }
}

}  // namespace lacuna::pathtrace
