#pragma once
// A module's GLSL body, ready to be joined with others in one shader: includes expanded, every file-scope
// identifier prefixed, `#line` kept so that the compiler's errors show the author's file and line.

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/shader/generate/body_mistake.h"
#include "graph/shader/generate/tokens.h"

namespace lacuna {

struct BodyRequest {
  std::string folder;                                        // of the module
  std::string file;                                          // in it
  const std::map<std::string, std::string>* made = nullptr;  // files of the folder that are not on disk
  std::vector<std::string> includePath;                      // tried after the module's folder and its parent
  std::string prefix;                                        // "n0"
  std::map<std::string, std::string> bound;  // parameter -> GLSL expression that replaces param.NAME
  std::set<std::string> standIns;  // outputs whose array_NAME.data has one element: all indices mean it
};

struct Body {
  std::string text;
  std::set<std::string> names;  // at file scope, as the author wrote them
  std::string path;             // of the author's file
  bool defines(const std::string& function) const { return names.count(function) != 0; }
};

// The author's text with its includes, each file once, and mistakes in these.
struct BodySource {
  std::string path;
  std::vector<Token> tokens;
  BodyMistakes mistakes;
};
BodySource readBody(const BodyRequest& request);
Body nameApart(const BodySource& source, const BodyRequest& request);

// Files that native code made, by path.
MadeFiles madeFiles(const BodyRequest& request);

// All of it. Throws ShaderSourceError if a file is missing or a bracket has no partner.
Body loadBody(const BodyRequest& request);

// Exposed for tests: names declared at file scope (functions, structs, constants, variables, macros).
std::set<std::string> fileScopeNames(std::string_view glsl);

// GLSL reserves `input`, `output` and other good names of connectors and parameters: bodies write them as
// members (i.input, param.precision), the shader gets `input_`, `precision_`.
std::string memberName(const std::string& name);

}  // namespace lacuna
