#pragma once
// The file scope of a body, with places: functions, structs, variables, macros. Both branches of an #if
// count.

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/shader/generate/tokens.h"

namespace lacuna {

// A token that is not white space, and its place in the author's file.
struct PlacedToken {
  TokenKind kind = TokenKind::symbol;
  std::string text;
  std::string_view file;  // of Outline::files
  int line = 0;
  int column = 0;

  bool is(std::string_view symbol) const { return text == symbol; }
  bool isWord() const { return kind == TokenKind::identifier; }
};

struct FunctionOutline {
  std::string returnType;
  std::string name;
  size_t first = 0;            // token of the return type
  size_t nameToken = 0;        // and of the name
  size_t open = 0, close = 0;  // braces around its statements; both 0: declared only
  bool isInstruction = false;  // spirv_instruction(...), or a macro that may be one: it has no statements

  bool isDefined() const { return close > 0; }
};

struct StructOutline {
  std::string name;
  std::vector<std::pair<std::string, std::string>> members;  // type, name
  size_t nameToken = 0;
  size_t close = 0;  // its last brace
};

struct VariableOutline {
  std::string name;
  std::vector<std::string> qualifiers;  // const, shared, ...
  size_t nameToken = 0;
};

struct Outline {
  Outline() = default;
  Outline(Outline&&) = default;  // tokens point into `files`
  Outline& operator=(Outline&&) = default;

  std::set<std::string, std::less<>> files;
  std::vector<PlacedToken> tokens;
  std::vector<FunctionOutline> functions;
  std::vector<StructOutline> structs;
  std::vector<VariableOutline> variables;
  std::set<std::string> macros;  // wherever they are defined

  std::set<std::string> names() const;                           // of all of them
  const FunctionOutline* function(std::string_view name) const;  // the first of that name
  const StructOutline* structNamed(std::string_view name) const;
};

// Needs matching brackets.
Outline outlineOf(std::span<const Token> tokens);

}  // namespace lacuna
