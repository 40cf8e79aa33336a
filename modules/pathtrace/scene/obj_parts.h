#pragma once
// The lines of an OBJ, their content, and their mistakes.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/diagnostics.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// Words of a line, without copies.
class ObjWords {
 public:
  explicit ObjWords(std::string_view line) : line_(line) {}
  std::string_view next();  // empty if the line has ended, or a comment begins
  std::string_view rest();  // without spaces around it
  // Column of a word of this line.
  int columnOf(std::string_view word) const { return static_cast<int>(word.data() - line_.data()) + 1; }

 private:
  std::string_view line_;
  size_t at_ = 0;
};

// Messages with their place in the OBJ, which also name the scene's line. A file is added to the Diagnostics
// only with its first message, since that keeps its text.
class ObjMessages {
 public:
  ObjMessages(std::string path, const std::string& text, const std::string& meshName, const Location& mesh,
              Diagnostics& diagnostics);

  void error(int line, int column, size_t length, const std::string& message);
  void warn(int line, int column, size_t length, const std::string& message);
  void warnOnce(const std::string& key, int line, int column, size_t length, const std::string& message);
  bool hasErrors() const { return errors_ > 0; }
  bool isEnough() const;  // so many errors that reading stops

 private:
  Location place(int line, int column, size_t length);

  std::string path_;
  const std::string& text_;
  std::string suffix_;
  Diagnostics& diagnostics_;
  int file_ = -1;
  int errors_ = 0;
  std::map<std::string, bool> told_;
};

struct ObjContents {
  Mesh mesh;
  struct Face {
    int line = 0;
    std::string_view text;
  };
  std::vector<Face> faces;  // of each triangle
};

// The numbers of a face's corner, position/uv/normal; 0 for a missing one. Null if it has a mistake.
std::optional<std::array<int64_t, 3>> splitCorner(std::string_view word);
const char* objElement(size_t part);  // of a corner: "vertex", ...

// Faces may name vertices below them, so missing ones are known only now.
void checkIndices(const ObjContents& contents, ObjMessages& messages);
// Normalises normals, and makes triangles flat that have a normal of length 0. Needs: indices are right.
void dropZeroNormals(ObjContents& contents, ObjMessages& messages);
void dropDegenerate(ObjContents& contents, ObjMessages& messages);

}  // namespace lacuna::pathtrace
