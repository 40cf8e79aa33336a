#include <fmt/format.h>

#include <algorithm>

#include "graph/shader/generate/body_check.h"

namespace lacuna {
namespace {

class EntryCheck {
 public:
  EntryCheck(const BodyRules& rules, const Outline& outline, const std::string& path, BodyMistakes& mistakes)
      : rules_(rules), outline_(outline), path_(path), mistakes_(mistakes) {}

  void check() {
    for (const std::string& name : rules_.structs) {
      if (outline_.structNamed(name) == nullptr && outline_.macros.count(name) == 0) {
        lacks(name, fmt::format("struct {} {{ ... }};", name), structNames());
        lacksStruct_ = true;
      }
    }
    for (const EntryPoint& entry : rules_.entries) {
      checkEntry(entry);
    }
    if (!lacking_.empty()) {
      mistakes_.push_back({path_,
                           1,
                           0,
                           1,
                           fmt::format("the body of node '{}' must also define{}", rules_.node, lacking_),
                           {}});
    }
    if (lacksStruct_) {
      mistakes_.back().hides = true;
    }
  }

 private:
  void checkEntry(const EntryPoint& entry) {
    std::vector<const FunctionOutline*> own;
    for (const FunctionOutline& function : outline_.functions) {
      if (function.name == entry.head.name) {
        own.push_back(&function);
      }
    }
    if (own.empty()) {
      if (entry.isRequired && outline_.macros.count(entry.head.name) == 0) {
        lacks(entry.head.name, entry.head.text(), functionNames());
      }
      return;
    }
    const bool fits = std::any_of(own.begin(), own.end(), [&](const FunctionOutline* function) {
      return difference(*function, entry.head).message.empty();
    });
    if (!entry.neverCalled.empty()) {
      if (fits) {
        add(own.front()->nameToken, fmt::format("nothing calls '{}' here", entry.head.name),
            entry.neverCalled);
      }
    } else if (!fits && (entry.isRequired || takesGiven(*own.front()))) {
      mistakes_.push_back(difference(*own.front(), entry.head));
      if (!hasTypesOf(*own.front(), entry.head)) {
        mistakes_.back().lastLine =
            outline_.tokens[std::max(own.front()->nameToken, own.front()->close)].line;
      }
    }
  }

  // A function of that name with another purpose takes none of the generator's types.
  bool takesGiven(const FunctionOutline& function) const {
    return std::any_of(function.parameters.begin(), function.parameters.end(),
                       [&](const FunctionParameter& parameter) {
                         return rules_.type(parameter.type) != nullptr || parameter.type == "State";
                       });
  }

  bool sameType(const std::string& own, const std::string& wanted) const {
    const auto stand = rules_.stand.find(wanted);
    return own == wanted || outline_.macros.count(own) != 0 ||
           (stand != rules_.stand.end() && own == stand->second);
  }

  // The types without qualifiers, with which its statements would mean the same.
  bool hasTypesOf(const FunctionOutline& own, const FunctionOutline& wanted) const {
    return sameType(own.returnType, wanted.returnType) &&
           std::equal(own.parameters.begin(), own.parameters.end(), wanted.parameters.begin(),
                      wanted.parameters.end(),
                      [&](const auto& is, const auto& must) { return sameType(is.type, must.type); });
  }

  // The function's first mistake; without a message if there is none.
  BodyMistake difference(const FunctionOutline& own, const FunctionOutline& wanted) const {
    const auto differs = [&](size_t token, const std::string& what) {
      return mistakeAt(outline_.tokens[token], fmt::format("{}\n  expected: {}", what, wanted.text()));
    };
    if (!sameType(own.returnType, wanted.returnType)) {
      return differs(own.first,
                     fmt::format("'{}' must return {}, not {}", own.name, wanted.returnType, own.returnType));
    }
    for (size_t i = 0; i < std::min(own.parameters.size(), wanted.parameters.size()); ++i) {
      const FunctionParameter& is = own.parameters[i];
      const FunctionParameter& must = wanted.parameters[i];
      // The function sets all of it, so `out` would mean the same.
      const bool sets = must.type == "Outputs" && is.qualifier == "out";
      if (!sameType(is.type, must.type) || (is.qualifier != must.qualifier && !sets)) {
        return differs(is.first, fmt::format("parameter {} of '{}' must be '{}', not '{}'", i + 1, own.name,
                                             words(must), words(is)));
      }
    }
    if (own.parameters.size() != wanted.parameters.size()) {
      return differs(own.nameToken,
                     fmt::format("'{}' must have {} parameter{}, not {}", own.name, wanted.parameters.size(),
                                 wanted.parameters.size() == 1 ? "" : "s", own.parameters.size()));
    }
    return {};
  }

  static std::string words(const FunctionParameter& parameter) {
    return parameter.qualifier + (parameter.qualifier.empty() ? "" : " ") + parameter.type;
  }

  void add(size_t token, std::string message, std::string hint) {
    mistakes_.push_back(mistakeAt(outline_.tokens[token], std::move(message), std::move(hint)));
  }

  using Names = std::vector<std::pair<std::string, size_t>>;  // and their tokens

  Names structNames() const {
    Names names;
    for (const StructOutline& each : outline_.structs) {
      names.emplace_back(each.name, each.nameToken);
    }
    return names;
  }

  Names functionNames() const {
    Names names;
    for (const FunctionOutline& each : outline_.functions) {
      if (each.isDefined()) {
        names.emplace_back(each.name, each.nameToken);
      }
    }
    return names;
  }

  // The place of the function that was probably meant, else of the file.
  void lacks(const std::string& name, const std::string& declaration, const Names& candidates) {
    std::vector<std::string> unused;
    for (const auto& [candidate, token] : candidates) {
      const bool called =
          std::count_if(outline_.tokens.begin(), outline_.tokens.end(),
                        [&, word = candidate](const PlacedToken& each) { return each.is(word); }) > 1;
      if (!called && rules_.entry(candidate) == nullptr) {
        unused.push_back(candidate);
      }
    }
    const std::string near = nearest(name, unused);
    for (const auto& [candidate, token] : candidates) {
      if (candidate == near) {
        add(token,
            fmt::format("the body of node '{}' must define '{}', but defines '{}'\n  expected: {}",
                        rules_.node, name, candidate, declaration),
            fmt::format("did you mean '{}'?", name));
        return;
      }
    }
    lacking_ += "\n  " + declaration;
  }

  // The candidate with nearly this name, or "".
  static std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
    for (const std::string& candidate : candidates) {
      if (!didYouMean(candidate, std::vector{name}).empty()) {
        return candidate;
      }
    }
    return {};
  }

  const BodyRules& rules_;
  const Outline& outline_;
  const std::string& path_;
  BodyMistakes& mistakes_;
  std::string lacking_;
  bool lacksStruct_ = false;
};

}  // namespace

void checkEntryPoints(const BodyRules& rules, const Outline& outline, const std::string& path,
                      BodyMistakes& mistakes) {
  EntryCheck(rules, outline, path, mistakes).check();
}

}  // namespace lacuna
