#include <fmt/format.h>

#include <algorithm>

#include "graph/lists.h"
#include "graph/shader/generate/body_check.h"
#include "graph/shader/generate/tokens.h"

namespace lacuna {
namespace {

const char* nameOf(NodeKind kind) {
  switch (kind) {
    case NodeKind::pointwise:
      return "a pointwise node";
    case NodeKind::stencil:
      return "a stencil";
    case NodeKind::reduce:
      return "a reduce";
    default:
      return "a kernel";
  }
}

class ForbiddenCheck {
 public:
  ForbiddenCheck(const BodyRules& rules, const Outline& outline, BodyMistakes& mistakes)
      : rules_(rules), outline_(outline), mistakes_(mistakes), isKernel_(rules.kind == NodeKind::kernel) {}

  void check() {
    for (size_t i = 0; i < outline_.tokens.size(); ++i) {
      const PlacedToken& token = outline_.tokens[i];
      if (token.kind == TokenKind::directive)
        directive(token);
      else if (token.isWord())
        word(i);
    }
    for (const FunctionOutline& each : outline_.functions)
      function(each);
    for (const StructOutline& each : outline_.structs)
      structure(each);
    for (const VariableOutline& each : outline_.variables)
      variable(each);
  }

 private:
  void add(const PlacedToken& token, std::string message, std::string hint = {}) {
    mistakes_.push_back(mistakeAt(token, std::move(message), std::move(hint)));
  }
  const PlacedToken& at(size_t token) const { return outline_.tokens[token]; }

  void directive(const PlacedToken& token) {
    const auto words = directiveWords(token.text);
    if (words.empty())
      return;
    if (words[0] == "version") {
      add(token, "bodies may not have #version", "they are GLSL 4.5");
    } else if (!rules_.matrices && words.size() > 1 && words[0] == "define" && words[1] == "MATRIX_LANES") {
      add(token,
          fmt::format("the body of node '{}' includes this, but doesn't declare matrices", rules_.node),
          "[node.kernel] or [[variant]] needs `matrix = true`");
      mistakes_.back().hides = true;
    } else if (words[0] == "if" || words[0] == "elif") {
      for (size_t i = 1; i < words.size(); ++i) {
        const bool asks = words[i] == "defined" || words[i - 1] == "defined";
        if (!asks && !isKnownMacro(words[i]))
          add(token, fmt::format("#{}: there is no macro '{}'", words[0], words[i]), nearMacro(words[i]));
      }
    }
  }

  bool isKnownMacro(const std::string& word) const {
    const bool isNumber = word[0] >= '0' && word[0] <= '9';
    return isNumber || outline_.macros.count(word) != 0 || rules_.macros.count(word) != 0 ||
           word.starts_with("GL_") || word.starts_with("__");
  }

  std::string nearMacro(const std::string& word) const {
    std::vector<std::string> known(rules_.macros.begin(), rules_.macros.end());
    known.insert(known.end(), outline_.macros.begin(), outline_.macros.end());
    const std::string near = didYouMean(word, known);
    return near.empty() ? "the compiler would take it for 0" : near;
  }

  void word(size_t i) {
    const std::string& text = at(i).text;
    const bool isCalled = i + 1 < outline_.tokens.size() && at(i + 1).is("(");
    if (i > 0 && at(i - 1).is(".")) {
      if (text == "log2Weight" && rules_.negativeWeights) {
        add(at(i),
            fmt::format("'log2Weight' may not be used: 'weights' of node '{}' go below 0", rules_.node),
            "such weights have no logarithm: multiply by `weight`, or use weights of at least 0");
      }
      return;
    }
    if (isCalled && readsImages(text) && outline_.function(text) == nullptr) {
      noImages(at(i));
    } else if (!isKernel_ && text.starts_with("gl_")) {
      add(at(i), fmt::format("'{}' may not be used in the body of {}", text, nameOf(rules_.kind)),
          rules_.kind == NodeKind::stencil ? "`p.position` is the pixel, `o.steps` the tap; results must not "
                                             "depend on how schedules place threads"
                                           : "`p.position` is the pixel, `p.extent` the image's size");
    } else if (!isKernel_ && isCalled &&
               (text.starts_with("subgroup") || text == "barrier" || text.ends_with("emoryBarrier"))) {
      add(at(i), fmt::format("'{}' may not be called in the body of {}", text, nameOf(rules_.kind)),
          "pixels are independent there; kernels can use it");
    }
  }

  static bool readsImages(const std::string& function) {
    return function.starts_with("texture") || function.starts_with("texelFetch") || function == "imageLoad" ||
           function == "imageStore" || function == "imageSize";
  }

  // Connectors look like textures to those who know other programs.
  void noImages(const PlacedToken& token) {
    const std::string name = rules_.inputs.empty() ? "input" : rules_.inputs.front();
    std::string hint = fmt::format("`i.{0}` is the value of `{0}` at the pixel", name);
    if (token.text.ends_with("Size")) {
      hint = "`p.extent` is the size";
    } else if (isKernel_) {
      hint = token.text == "imageStore" ? "store_NAME(position, value) writes an output"
                                        : fmt::format("read `{0}` by load_{0}(position)", name);
    } else if (token.text == "imageStore") {
      hint = "a member of the result is an output";
    } else if (rules_.kind == NodeKind::stencil) {
      hint = fmt::format("read `{}` by the members of Tap that gather() gets", name);
    }
    add(token, fmt::format("there is no {}(): bodies don't access images themselves", token.text), hint);
  }

  void function(const FunctionOutline& each) {
    const PlacedToken& token = at(each.nameToken);
    if (each.name == "main") {
      add(token, "bodies may not have 'main': Lacuna defines it",
          fmt::format("{} has `{}`", nameOf(rules_.kind), rules_.entries.front().head));
    } else if (contains(builtInFunctions(), each.name)) {
      add(token, fmt::format("'{}' is a function of GLSL: choose another name", each.name));
    } else if (!each.isDefined() && !each.isInstruction &&
               std::none_of(outline_.functions.begin(), outline_.functions.end(),
                            [&](const FunctionOutline& other) {
                              return other.name == each.name && other.isDefined();
                            })) {
      add(token, fmt::format("'{}' is declared, but never defined", each.name));
    }
  }

  void structure(const StructOutline& each) {
    if (rules_.types.count(each.name) != 0 || rules_.stand.count(each.name) != 0) {
      add(at(each.nameToken),
          fmt::format("'{}' is a type that Lacuna defines: choose another name", each.name));
      mistakes_.back().hides = true;
    }
  }

  void variable(const VariableOutline& each) {
    const auto has = [&](const char* word) { return contains(each.qualifiers, word); };
    const PlacedToken& token = at(each.nameToken);
    for (const char* word : {"layout", "uniform", "buffer", "in", "out", "inout"}) {
      if (has(word)) {
        add(token, fmt::format("bodies may not declare '{}'", word),
            "they read and write the inputs, outputs and parameters of module.toml");
        return;
      }
    }
    if (isKernel_)
      return;
    if (has("shared")) {
      add(token, fmt::format("'shared' may not be used in the body of {}", nameOf(rules_.kind)),
          "kernels may have shared memory");
    } else if (!has("const") && !each.name.empty()) {
      add(token, fmt::format("the global variable '{}' is not const", each.name),
          "results must depend on nothing but a function's arguments, `param` and `frame`: write `const` "
          "before it, or pass it on");
    }
  }

  const BodyRules& rules_;
  const Outline& outline_;
  BodyMistakes& mistakes_;
  bool isKernel_;
};

}  // namespace

void checkForbidden(const BodyRules& rules, const Outline& outline, BodyMistakes& mistakes) {
  ForbiddenCheck(rules, outline, mistakes).check();
}

}  // namespace lacuna
