#include <fmt/format.h>

#include <algorithm>

#include "graph/config/regex.h"
#include "graph/lists.h"
#include "graph/shader/compiler_log.h"
#include "graph/shader/generate/glsl_source.h"

namespace lacuna {
namespace {

// The mistakes of a body's function.
class FunctionCheck {
 public:
  FunctionCheck(const CompiledBody& body, const ShaderFunction& function)
      : body_(body), function_(function), name_(plainWords(function.name())) {
    const glslang::TSourceLoc& place = function.node->getLoc();
    const auto& tokens = body.outline.tokens;
    const auto own = std::ranges::find_if(body.outline.functions, [&](const FunctionOutline& each) {
      return each.isDefined() && each.name == name_ && tokens[each.first].file == fileOf(place) &&
             tokens[each.close].line >= place.line;
    });
    if (own == body.outline.functions.end()) {
      place_ = {fileOf(place), place.line, 0, 1, {}, {}};
    } else {
      place_ = mistakeAt(tokens[own->nameToken], {});
      lastLine_ = tokens[own->close].line;
    }
  }

  void values() {
    if (function_.node->getBasicType() != glslang::EbtVoid && !function_.returns) {
      const std::string head = function_.head();
      add(place_,
          fmt::format("'{}' can end without a value: it returns {}", name_, head.substr(0, head.find(' '))),
          "end it, and every branch that ends it, with `return`");
    }
    for (const glslang::TIntermSymbol* each : function_.parameters) {
      const std::string type = structName(each->getType());
      if (type == body_.prefix + "_Inputs" && !each->getQualifier().isParamOutput())
        inputs(*each);
      else if (type == body_.prefix + "_Outputs" && body_.rules.entry(name_) != nullptr)
        outputs(*each);
    }
    variables();
  }

  // Against what the node's kind calls. `fits`: this or another function of its name.
  void head(const EntryPoint& entry, bool fits) {
    if (fits && !entry.neverCalled.empty()) {
      add(place_, fmt::format("nothing calls '{}' here", name_), entry.neverCalled);
    } else if (!fits && entry.neverCalled.empty() && (entry.isRequired || takesGiven())) {
      add(place_, fmt::format("'{}' must be declared as the node calls it\n  expected: {}\n  found:    {}",
                              name_, entry.head, function_.head()));
      const auto types = [](const std::string& text) { return Regex(R"(\b(inout|out) )").replace(text, ""); };
      mistakes.back().lastLine = types(ownTypes()) != types(wantedTypes(entry)) ? lastLine_ : 0;
    }
  }

  bool fits(const EntryPoint& entry) const { return ownTypes() == wantedTypes(entry); }

  BodyMistakes mistakes;

 private:
  void add(BodyMistake place, std::string message, std::string hint = {}) {
    place.message = std::move(message);
    place.hint = std::move(hint);
    mistakes.push_back(std::move(place));
  }

  void add(const VariableUse& use, std::string message, std::string hint) {
    const glslang::TSourceLoc& place = use.variable->getLoc();
    add(placeOf(body_.outline, fileOf(place), place.line, nameOf(use)), std::move(message), std::move(hint));
  }

  static std::string nameOf(const VariableUse& use) { return plainWords(use.variable->getName().c_str()); }

  // "void gather(inout Acc, Centre, Tap, Offset)".
  static std::string withoutNames(const std::string& head) {
    static const Regex name(R"( \w+([,)]))");
    return name.replace(head, "$1");
  }
  // All of the outputs are set, so `out` means the same.
  std::string ownTypes() const {
    static const Regex out(R"(\bout Outputs\b)");
    return out.replace(withoutNames(function_.head()), "inout Outputs");
  }
  std::string wantedTypes(const EntryPoint& entry) const {
    std::string text = withoutNames(entry.head);
    for (const auto& [name, type] : body_.rules.stand)
      text = Regex(R"(\b)" + name + R"(\b)").replace(text, type);
    return text;
  }

  // A function of that name with another purpose takes none of the generator's types.
  bool takesGiven() const {
    return std::ranges::any_of(function_.parameters, [&](const glslang::TIntermSymbol* each) {
      return body_.rules.types.count(plainWords(structName(each->getType()))) != 0;
    });
  }

  void inputs(const glslang::TIntermSymbol& parameter) {
    for (const VariableUse& use : function_.uses) {
      if (use.variable->getId() == parameter.getId() && use.kind != VariableUse::Kind::read) {
        add(use, fmt::format("inputs can't be set: '{}' is a copy of them", nameOf(use)),
            "set outputs, or a variable of your own");
      }
    }
  }

  void outputs(const glslang::TIntermSymbol& parameter) {
    std::map<std::string, unsigned> given;  // bits of components
    for (const VariableUse& use : function_.uses)
      if (use.variable->getId() == parameter.getId() && use.kind != VariableUse::Kind::read)
        given[use.member] |= use.components;
    for (const std::string& output : body_.rules.outputs) {
      if (given.count("") != 0 || contains(body_.rules.unset, output))
        continue;
      const std::string shown = fmt::format("{}.{}", plainWords(parameter.getName().c_str()), output);
      const unsigned bits = given[memberName(output)];
      if (bits == 0) {
        add(place_, fmt::format("'{}' never sets the output '{}'", name_, shown));
        continue;
      }
      const auto count = body_.rules.components.find(output);
      std::string lacking;
      for (int i = 0; count != body_.rules.components.end() && i < count->second; ++i)
        lacking += (bits >> i & 1U) != 0 ? "" : std::string(1, "rgba"[i]);
      if (!lacking.empty()) {
        add(place_, fmt::format("'{}' never sets '{}.{}'", name_, shown, lacking),
            fmt::format("all components at once: {} = vec{}(...)", shown, count->second));
      }
    }
  }

  // Variables that never get a value, and `frame`, which may not get one.
  void variables() {
    std::set<long long> set;
    for (const VariableUse& use : function_.uses) {
      if (use.kind == VariableUse::Kind::set)
        set.insert(use.variable->getId());
      if (use.variable->getQualifier().storage == glslang::EvqGlobal && use.variable->getName() == "frame" &&
          use.kind != VariableUse::Kind::read)
        add(use, "'frame' can't be set", "copy it into a variable of your own");
    }
    for (const VariableUse& use : function_.uses) {
      // A global constant with a mistake counts as temporary.
      if (use.variable->getQualifier().storage == glslang::EvqTemporary &&
          !std::string_view(use.variable->getName().c_str()).starts_with(body_.prefix + "_") &&
          set.insert(use.variable->getId()).second) {
        add(use, fmt::format("'{}' is read, but never set", nameOf(use)),
            "give it a value where it is declared");
      }
    }
  }

  const CompiledBody& body_;
  const ShaderFunction& function_;
  const std::string name_;
  BodyMistake place_;
  int lastLine_ = 0;
};

}  // namespace

BodyMistakes headMistakes(const CompiledBody& body) {
  BodyMistakes mistakes;
  for (const EntryPoint& entry : body.rules.entries) {
    std::vector<FunctionCheck> own;
    for (const ShaderFunction& each : body.shader.functions())
      if (each.name() == body.prefix + "_" + entry.name())
        own.emplace_back(body, each);
    if (!own.empty()) {
      own.front().head(entry, std::ranges::any_of(own, [&](const auto& each) { return each.fits(entry); }));
      std::ranges::move(own.front().mistakes, std::back_inserter(mistakes));
    }
  }
  return mistakes;
}

BodyMistakes valueMistakes(const CompiledBody& body, const BodyMistakes& others) {
  BodyMistakes mistakes;
  for (const ShaderFunction& each : body.shader.functions()) {
    const auto isIn = [&](const BodyMistake& other) {
      return body.shader.functionAt(other.file, other.line) == &each;
    };
    if (each.name().starts_with(body.prefix + "_") && std::ranges::none_of(others, isIn)) {
      FunctionCheck check(body, each);
      check.values();
      std::ranges::move(check.mistakes, std::back_inserter(mistakes));
    }
  }
  return mistakes;
}

}  // namespace lacuna
