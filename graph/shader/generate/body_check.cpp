#include "graph/shader/generate/body_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna {
namespace {

struct Open {
  char bracket;
  std::string where;
};

// Follows `#line N "file"` and line ends.
class Place {
 public:
  void step(const Token& token) {
    if (token.kind == TokenKind::directive && token.text.compare(0, 6, "#line ") == 0) {
      const size_t quote = token.text.find('"');
      line_ = std::stoi(token.text.substr(6)) - 1;  // the directive's own line end follows
      file_ = token.text.substr(quote + 1, token.text.rfind('"') - quote - 1);
    }
    line_ += static_cast<int>(std::count(token.text.begin(), token.text.end(), '\n'));
  }
  std::string text() const { return fmt::format("{}:{}", file_, line_); }

 private:
  std::string file_;
  int line_ = 1;
};

bool isConditional(const Token& token) {
  return token.kind == TokenKind::directive && directiveWords(token.text).size() > 1 &&
         directiveWords(token.text)[0].compare(0, 2, "if") == 0;
}

char closing(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : '}';
}

using Declarations = std::vector<std::pair<std::string, std::string>>;  // name -> how it is declared

const Declarations& stencilDefinitions() {
  static const Declarations list = {{"Centre", "struct Centre { ... };"},
                                    {"Acc", "struct Acc { ... };"},
                                    {"centre", "Centre centre(Tap t, Pixel p)"},
                                    {"start", "Acc start(Centre c)"},
                                    {"gather", "void gather(inout Acc a, Centre c, Tap t, Offset o)"},
                                    {"finish", "State finish(Acc a, Centre c, Pixel p)"}};
  return list;
}

bool emitsByItself(const ShaderContext& context) {
  const ValueType state = stateType(context);
  const auto members = outputMembers(context);
  return std::all_of(members.begin(), members.end(), [&](const Member& member) {
    return member.name == context.node.description->stencil.tapOutput ||
           glslType(member.type.channels, member.type.format) == glslType(state.channels, state.format);
  });
}

Declarations stencilNeeds(const ShaderContext& context, const StencilDescription& stencil) {
  Declarations needs = stencilDefinitions();
  const bool computes = std::any_of(stencil.tap.begin(), stencil.tap.end(),
                                    [](const TapField& field) { return field.from.empty(); });
  if (computes) {
    needs.emplace_back("load", "void load(inout Tap t, Sample s)");
  }
  if (stencil.init) {
    needs.emplace_back("init", "State init(Inputs i, Pixel p)");
  }
  if (stencil.synthesis) {
    needs.emplace_back("detail", "State detail(State fine, State coarse, Pixel p)");
  }
  if (!emitsByItself(context)) {
    needs.emplace_back("output", "void output(State s, inout Outputs o, Pixel p)");
  }
  return needs;
}

Declarations needsOf(const ShaderContext& context, const NodeDescription& node) {
  switch (node.kind) {
    case NodeKind::pointwise:
      return {{"apply", "void apply(Inputs i, inout Outputs o, Pixel p)"}};
    case NodeKind::stencil:
      return stencilNeeds(context, node.stencil);
    case NodeKind::reduce:
      if (node.reduce.bins > 0) {
        return {{"bin", "int bin(Inputs i, Pixel p)"},
                {"finish", "void finish(uint total, inout Outputs o)"}};
      }
      return {{"identity", "Value identity()"},
              {"map", "Value map(Inputs i, Pixel p)"},
              {"combine", "Value combine(Value a, Value b)"},
              {"finish", "void finish(Value v, uint count, inout Outputs o)"}};
    case NodeKind::kernel:
      return {{"run", "void run(Pixel p)"}};
    case NodeKind::source:
    case NodeKind::sink:
    case NodeKind::native:
      break;
  }
  return {};
}

}  // namespace

void checkBrackets(std::span<const Token> tokens) {
  if (std::any_of(tokens.begin(), tokens.end(), isConditional)) {
    return;
  }
  Place place;
  std::vector<Open> open;
  for (const Token& token : tokens) {
    const char c = token.kind == TokenKind::symbol ? token.text[0] : '\0';
    if (c == '(' || c == '[' || c == '{') {
      open.push_back({c, place.text()});
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty()) {
        throw ShaderSourceError(fmt::format("{}: '{}' closes nothing", place.text(), c));
      }
      if (closing(open.back().bracket) != c) {
        throw ShaderSourceError(fmt::format("{}: '{}' is still open, but at {} stands '{}'",
                                            open.back().where, open.back().bracket, place.text(), c));
      }
      open.pop_back();
    }
    place.step(token);
  }
  if (!open.empty()) {
    throw ShaderSourceError(fmt::format("{}: '{}' is never closed", open.back().where, open.back().bracket));
  }
}

void checkDefinitions(const ShaderContext& context, const NodeDescription& description, const Body& body) {
  std::string missing;
  for (const auto& [name, declaration] : needsOf(context, description)) {
    if (body.names.count(name) == 0) {
      missing += "\n  " + declaration;
    }
  }
  if (!missing.empty()) {
    throw ShaderSourceError(
        fmt::format("{}: the body of node '{}' must also define{}", body.path, description.name, missing));
  }
}

}  // namespace lacuna
