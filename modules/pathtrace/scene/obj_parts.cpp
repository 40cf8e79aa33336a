#include "pathtrace/scene/obj_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "pathtrace/scene/mesh_parts.h"

namespace lacuna::pathtrace {
namespace {

constexpr int mostErrors = 20;  // of a file; later ones are rarely new

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool reaches(const std::array<int, 3>& indices, size_t count) {
  return std::ranges::all_of(indices, [&](int i) { return i == none || static_cast<size_t>(i) < count; });
}

// Reports all corners of a face that name missing vertices.
void tellIndices(const ObjContents::Face& face, const std::array<size_t, 3>& counts, ObjMessages& messages) {
  ObjWords words(face.text);
  words.next();  // "f"
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const auto parts = splitCorner(word).value_or(std::array<int64_t, 3>{});
    for (size_t part = 0; part < 3; ++part) {
      if (parts[part] > static_cast<int64_t>(counts[part])) {
        messages.error(
            face.line, words.columnOf(word), word.size(),
            fmt::format("there is no {} {}: the file has {}", objElement(part), parts[part], counts[part]));
      }
    }
  }
}

// The number of faces, and the first one.
struct Count {
  int faces = 0;
  ObjContents::Face first;
  int lastLine = 0;
  void add(const ObjContents::Face& face) {
    if (faces == 0)
      first = face;
    faces += face.line != lastLine ? 1 : 0;
    lastLine = face.line;
  }
};

}  // namespace

std::string_view ObjWords::next() {
  while (at_ < line_.size() && isSpace(line_[at_]))
    ++at_;
  const size_t first = at_;
  if (first < line_.size() && line_[first] == '#') {
    at_ = line_.size();
    return line_.substr(at_);
  }
  while (at_ < line_.size() && !isSpace(line_[at_]))
    ++at_;
  return line_.substr(first, at_ - first);
}

std::string_view ObjWords::rest() {
  size_t first = at_, last = line_.size();
  while (first < last && isSpace(line_[first]))
    ++first;
  while (last > first && isSpace(line_[last - 1]))
    --last;
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
  if (file_ < 0)
    file_ = diagnostics_.addFile(path_, text_);
  return {file_, line, column, static_cast<int>(std::clamp<size_t>(length, 1, 200))};
}

bool ObjMessages::isEnough() const {
  return errors_ >= mostErrors;
}

void ObjMessages::error(int line, int column, size_t length, const std::string& message) {
  if (isEnough())
    return;
  ++errors_;
  diagnostics_.error(place(line, column, length), message + suffix_,
                     isEnough() ? fmt::format("reading stopped after {} errors", mostErrors) : std::string{});
}

void ObjMessages::warn(int line, int column, size_t length, const std::string& message) {
  diagnostics_.warn(place(line, column, length), message + suffix_);
}

void ObjMessages::warnOnce(const std::string& key, int line, int column, size_t length,
                           const std::string& message) {
  if (told_.emplace(key, true).second)
    warn(line, column, length, message);
}

std::optional<std::array<int64_t, 3>> splitCorner(std::string_view word) {
  std::array<int64_t, 3> parts{};
  std::string_view rest = word;
  for (size_t part = 0; part < 3; ++part) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view number = rest.substr(0, end);
    const bool isLast = end == rest.size();
    if (!(number.empty() && part == 1 && !isLast)) {  // the uv of 1//3
      int64_t& value = parts[part];
      const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
      const bool isIndex =
          value != 0 && value >= -std::numeric_limits<int>::max() && value <= std::numeric_limits<int>::max();
      if (error != std::errc{} || stop != number.data() + number.size() || !isIndex)
        return std::nullopt;
    }
    if (isLast)
      return parts;
    rest.remove_prefix(end + 1);
  }
  return std::nullopt;  // a fourth part
}

const char* objElement(size_t part) {
  return part == 0 ? "vertex" : part == 1 ? "texture coordinate" : "normal";
}

void checkIndices(const ObjContents& contents, ObjMessages& messages) {
  const Mesh& mesh = contents.mesh;
  const std::array<size_t, 3> counts = {mesh.positions.size(), mesh.uvs.size(), mesh.normals.size()};
  int told = 0;  // the last line counted; a polygon is many triangles
  for (size_t i = 0; i < mesh.triangles.size() && !messages.isEnough(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const bool right =
        reaches(t.positions, counts[0]) && reaches(t.uvs, counts[1]) && reaches(t.normals, counts[2]);
    if (!right && contents.faces[i].line != told) {
      told = contents.faces[i].line;
      tellIndices(contents.faces[i], counts, messages);
    }
  }
}

void dropZeroNormals(ObjContents& contents, ObjMessages& messages) {
  Mesh& mesh = contents.mesh;
  std::vector<bool> isZero(mesh.normals.size());
  for (size_t i = 0; i < mesh.normals.size(); ++i) {
    const double size = length(mesh.normals[i]);
    isZero[i] = size < 1e-12;
    mesh.normals[i] = isZero[i] ? Vec3{0, 1, 0} : mesh.normals[i] * (1 / size);
  }
  Count count;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    std::array<int, 3>& normals = mesh.triangles[i].normals;
    const bool hasZero =
        std::ranges::any_of(normals, [&](int n) { return n != none && isZero[static_cast<size_t>(n)]; });
    if (hasZero) {
      normals = {none, none, none};
      count.add(contents.faces[i]);
    }
  }
  if (count.faces > 0) {
    messages.warn(count.first.line, 1, count.first.text.size(),
                  fmt::format("{} face{} with normals of length 0: flat now, this is the first", count.faces,
                              count.faces == 1 ? "" : "s"));
  }
}

void dropDegenerate(ObjContents& contents, ObjMessages& messages) {
  Mesh& mesh = contents.mesh;
  const auto position = [&](const Triangle& t, size_t i) {
    return mesh.positions[static_cast<size_t>(t.positions[i])];
  };
  Count count;
  size_t kept = 0;
  int dropped = 0;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (hasArea(position(t, 0), position(t, 1), position(t, 2))) {
      mesh.triangles[kept] = t;
      contents.faces[kept++] = contents.faces[i];
    } else {
      ++dropped;
      count.add(contents.faces[i]);
    }
  }
  mesh.triangles.resize(kept);
  contents.faces.resize(kept);
  if (dropped > 0) {
    messages.warn(count.first.line, 1, count.first.text.size(),
                  fmt::format("{} triangle{} without area left out, this is the first", dropped,
                              dropped == 1 ? "" : "s"));
  }
}

}  // namespace lacuna::pathtrace
