#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/shader/generate/body_check.h"

namespace lacuna {
namespace {

// Prefixes of all functions by which a kernel may store an output.
constexpr std::array<const char*, 7> storeWords = {"store_", "storeRaw_", "array_", "vectors_",
                                                   "words_", "quads_",    "at_"};

class EntryCheck {
 public:
  EntryCheck(const BodyRules& rules, const Outline& outline, const std::string& path, BodyMistakes& mistakes)
      : rules_(rules), outline_(outline), path_(path), mistakes_(mistakes) {}

  void check() {
    for (const std::string& name : rules_.structs) {
      if (outline_.structNamed(name) == nullptr && outline_.macros.count(name) == 0) {
        lacks(name, fmt::format("struct {} {{ ... }};", name), outline_.structs);
        lacksStruct_ = true;
      }
    }
    for (const EntryPoint& entry : rules_.entries) {
      const std::string name = entry.name();
      if (entry.isRequired && outline_.function(name) == nullptr && outline_.macros.count(name) == 0)
        lacks(name, entry.head, outline_.functions);
    }
    if (!lacking_.empty()) {
      mistakes_.push_back({path_,
                           1,
                           0,
                           1,
                           fmt::format("the body of node '{}' must also define{}", rules_.node, lacking_),
                           {}});
    }
    if (lacksStruct_)
      mistakes_.back().hides = true;
    if (rules_.kind == NodeKind::kernel)
      stores();
  }

 private:
  void add(size_t token, std::string message, std::string hint) {
    mistakes_.push_back(mistakeAt(outline_.tokens[token], std::move(message), std::move(hint)));
  }

  // The place of the function that was probably meant, else of the file.
  template <class Kind>
  void lacks(const std::string& name, const std::string& declaration, const std::vector<Kind>& candidates) {
    for (const Kind& each : candidates) {
      const bool isUsed = std::ranges::count(outline_.tokens, each.name, &PlacedToken::text) > 1;
      if (!isUsed && rules_.entry(each.name) == nullptr &&
          !didYouMean(each.name, std::vector{name}).empty()) {
        add(each.nameToken,
            fmt::format("the body of node '{}' must define '{}', but defines '{}'\n  expected: {}",
                        rules_.node, name, each.name, declaration),
            fmt::format("did you mean '{}'?", name));
        return;
      }
    }
    lacking_ += "\n  " + declaration;
  }

  // The preprocessor may remove a store for images that aren't connected, so the text counts.
  void stores() {
    const FunctionOutline* run = outline_.function("run");
    for (const std::string& output : rules_.outputs) {
      const auto stored = [&](const PlacedToken& token) {
        return std::ranges::any_of(storeWords, [&](const char* word) {
          return token.is(word + output) || (token.kind == TokenKind::directive &&
                                             (token.text.find(word + output) != std::string::npos ||
                                              token.text.find("##") != std::string::npos));
        });
      };
      if (run != nullptr && std::ranges::none_of(outline_.tokens, stored)) {
        add(run->nameToken, fmt::format("'run' never stores the output '{}'", output),
            rules_.planes.count(output) > 0
                ? fmt::format("at_{}(plane, i) = value, of pixel i = y * width + x", output)
                : fmt::format(
                      "of images by store_{0}(position, value), of arrays by array_{0}.data[i] = value",
                      output));
      }
    }
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
