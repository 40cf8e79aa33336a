#include "pathtrace/scene/read_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "graph/config/text.h"
#include "graph/files/memory_bound.h"
#include "pathtrace/scene/obj_parts.h"

namespace lacuna::pathtrace {
namespace {

constexpr size_t maxFileBytes = size_t{1} << 31;
constexpr double largest = 1e9;  // largest coordinate: floats hold the squares of areas

struct Corner {
  std::array<int, 3> indices{none, none, none};  // position, uv, normal, from 0 on
  std::string_view word;
};

class ObjReader {
 public:
  ObjReader(const std::string& text, ObjMessages& messages, const Names& materials)
      : text_(text), messages_(messages), materials_(materials) {}

  ObjContents read() {
    std::string_view rest = text_;
    while (!rest.empty() && !messages_.isEnough()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      ++line_;
      readLine(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::move(contents_);
  }

 private:
  void readLine(std::string_view line) {
    ObjWords words(line);
    const std::string_view keyword = words.next();
    if (keyword.empty())
      return;
    if (keyword == "v") {
      mesh_.positions.push_back(readVector(words, keyword, 3));
    } else if (keyword == "vn") {
      mesh_.normals.push_back(readVector(words, keyword, 3));
    } else if (keyword == "vt") {
      const Vec3 uv = readVector(words, keyword, 1);
      mesh_.uvs.push_back({uv.x, uv.y});
    } else if (keyword == "f") {
      readFace(words, line);
    } else if (keyword == "usemtl") {
      useMaterial(words);
    } else {
      passOver(words, keyword);
    }
  }

  void passOver(const ObjWords& words, std::string_view keyword) {
    if (keyword == "o" || keyword == "g" || keyword == "s")
      return;
    const std::string word(keyword.substr(0, 40));
    const std::string message = keyword == "mtllib" ? "materials belong to the scene file: mtllib is not read"
                                                    : fmt::format("lines of '{}' are not read", word);
    constexpr size_t mostKeywords = 16;
    if (passedOver_ < mostKeywords) {
      ++passedOver_;
      messages_.warnOnce(word, line_, words.columnOf(keyword), keyword.size(), message);
    }
  }

  void fail(const ObjWords& words, std::string_view word, const std::string& message) {
    messages_.error(line_, words.columnOf(word), word.size(), message);
  }

  // Reads at least `least` numbers; the rest of three are 0. Further numbers (w, colours) are ignored.
  Vec3 readVector(ObjWords& words, std::string_view keyword, size_t least) {
    std::array<double, 3> values{};
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string_view word = words.next();
      if (word.empty() && i >= least)
        break;
      if (word.empty()) {
        fail(words, keyword,
             fmt::format("'{}' takes {} numbers, got {}", keyword, keyword == "vt" ? 2 : 3, i));
        break;
      }
      const auto number = parseNumber(word);
      if (!number)
        fail(words, word, fmt::format("expected a number, got '{}'", word));
      else if (!(std::abs(*number) <= largest))  // NaN neither
        fail(words, word, fmt::format("a coordinate must be a number within 1e9, not {}", word));
      else
        values[i] = *number;
    }
    return {values[0], values[1], values[2]};
  }

  void useMaterial(ObjWords& words) {
    const std::string_view name = words.rest();
    const auto found = materials_.find(name);
    material_ = found == materials_.end() ? none : found->second.index;
    if (name.empty()) {
      fail(words, words.rest(), "'usemtl' takes the name of a material");
    } else if (found == materials_.end()) {
      const std::string shown(name.substr(0, 100));
      messages_.warnOnce(
          "usemtl " + shown, line_, words.columnOf(name), name.size(),
          fmt::format("the scene has no material '{}': its triangles take their object's", shown));
    }
  }

  void readFace(ObjWords& words, std::string_view line) {
    corners_.clear();
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      Corner corner;
      corner.word = word;
      if (!readCorner(words, corner))
        return;
      corners_.push_back(corner);
    }
    if (corners_.size() < 3) {
      messages_.error(line_, 1, line.size(),
                      fmt::format("a face has {} corners, and needs 3", corners_.size()));
      return;
    }
    for (const Corner& corner : corners_) {
      if ((corner.indices[1] == none) != (corners_[0].indices[1] == none) ||
          (corner.indices[2] == none) != (corners_[0].indices[2] == none)) {
        fail(words, corner.word, "the corners of a face are written in different ways");
        return;
      }
    }
    for (size_t i = 2; i < corners_.size(); ++i) {
      const auto &a = corners_[0].indices, &b = corners_[i - 1].indices, &c = corners_[i].indices;
      mesh_.triangles.push_back({{a[0], b[0], c[0]}, {a[2], b[2], c[2]}, {a[1], b[1], c[1]}, material_});
      contents_.faces.push_back({line_, line});
    }
  }

  // 1, 1/2, 1//3, 1/2/3.
  bool readCorner(const ObjWords& words, Corner& corner) {
    const auto parts = splitCorner(corner.word);
    const std::array<size_t, 3> counts = {mesh_.positions.size(), mesh_.uvs.size(), mesh_.normals.size()};
    bool right = parts.has_value();
    for (size_t part = 0; right && part < 3; ++part) {
      const int64_t value = (*parts)[part];
      const int64_t index = value > 0 ? value - 1 : static_cast<int64_t>(counts[part]) + value;
      if (value != 0 && index < 0) {
        fail(words, corner.word,
             fmt::format("there is no {} {} before this line: it has {}", objElement(part), value,
                         counts[part]));
        return false;
      }
      corner.indices[part] = value == 0 ? none : static_cast<int>(index);
    }
    if (!right)
      fail(words, corner.word, fmt::format("'{}' is not a corner of a face", corner.word));
    return right;
  }

  const std::string& text_;
  ObjMessages& messages_;
  const Names& materials_;
  ObjContents contents_;
  Mesh& mesh_ = contents_.mesh;
  std::vector<Corner> corners_;
  int material_ = none;
  int line_ = 0;
  size_t passedOver_ = 0;
};

}  // namespace

// Other files are not quoted, because any scene may name them.
bool looksLikeObj(const std::string& text) {
  static const std::set<std::string_view> keywords = {"v", "vn", "vt", "vp", "f",      "l",
                                                      "p", "o",  "g",  "s",  "usemtl", "mtllib"};
  const auto lines = splitLines(text);
  return std::ranges::any_of(lines, [](std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return keywords.count(line.substr(0, line.find_first_of(" \t"))) > 0;
  });
}

std::optional<Mesh> readObj(const std::string& path, const Word& name, const Names& materials,
                            Diagnostics& diagnostics) {
  // A triangle's line takes a few times more memory than in the file.
  constexpr uint64_t inMemory = 8;
  const FileText file = readTextFile(path, std::min<uint64_t>(maxFileBytes, readMemory() / inMemory));
  if (!file.error.empty()) {
    diagnostics.error(name.where, fmt::format("'{}' cannot be read: {}", path, file.error));
    return std::nullopt;
  }
  if (!looksLikeObj(file.text)) {
    diagnostics.error(name.where, fmt::format("'{}' is not an OBJ file", path));
    return std::nullopt;
  }
  ObjMessages messages(path, file.text, name.text, name.where, diagnostics);
  ObjContents contents = ObjReader(file.text, messages, materials).read();
  checkIndices(contents, messages);
  if (messages.hasErrors())
    return std::nullopt;
  dropZeroNormals(contents, messages);
  dropDegenerate(contents, messages);
  if (contents.mesh.triangles.empty()) {
    diagnostics.error(name.where, fmt::format("'{}' has no triangles", path));
    return std::nullopt;
  }
  contents.mesh.name = name.text;
  return std::move(contents.mesh);
}

}  // namespace lacuna::pathtrace
