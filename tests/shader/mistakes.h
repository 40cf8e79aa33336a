#pragma once
// Correct modules of each kind, into which mistakes are put.

#include <map>
#include <string>
#include <vector>

namespace lacuna::test {

using ModuleFiles = std::map<std::string, std::string>;  // name in the folder -> text

// In the folder modules: "pointwise", "stencil", "reduce", "kernel".
ModuleFiles rightModule(const std::string& kind);

struct Mistake {
  const char* name;
  const char* kind;
  const char* file = "";  // in which `from` becomes `to`, once
  const char* from = "";
  const char* to = "";
  const char* place = "";    // of the one error: "main.glsl:7:13"
  const char* message = "";  // that it begins with
  const char* hint = "";     // that it holds
};

std::vector<Mistake> bodyMistakes();
std::vector<Mistake> descriptionMistakes();

}  // namespace lacuna::test
