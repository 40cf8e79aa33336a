#include <fmt/format.h>

#include <algorithm>

#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

class StencilCheck : NodeChecker {
 public:
  using NodeChecker::NodeChecker;

  void run() {
    if (node_.kind != NodeKind::stencil) {
      return;
    }
    const StencilDescription& stencil = node_.stencil;
    const bool isSquare = stencil.support == Support::square || stencil.support == Support::circular;
    checkCount("stencil.radius", stencil.radius, 0, isSquare ? 64 : 255);
    checkCount("stencil.levels", stencil.levels, 1, 16);
    checkFormat("stencil.state.format", stencil.stateFormat.value_or(FormatChoice{}));
    checkBorder();
    checkCount("stencil.patch", stencil.patch, 0, 8);
    const bool hasPatch = stencil.patch.value > 0 || !stencil.patch.parameter.empty();
    if (hasPatch && (!isSquare || stencil.border.rule == BorderRule::unweighted)) {
      error("stencil.patch", "patches are of square or circular windows with a border rule",
            "write border = \"reflect-101\"");
    }
    if (stencil.weight && !stencil.weights.empty()) {
      error("stencil.weight", "'weights' and 'weight' exclude each other",
            "numbers, or true: the body has `float weight(int steps)`");
    }
    const size_t wanted = 2 * static_cast<size_t>(stencil.radius.value) + 1;
    if (!stencil.weights.empty() && stencil.radius.parameter.empty() && stencil.weights.size() != wanted) {
      error("stencil.weights", fmt::format("a radius of {} needs {} weights, not {}", stencil.radius.value,
                                           wanted, stencil.weights.size()));
    }
    const std::vector<std::string> inputs = namesIn(node_.inputs);
    if (!node_.inputs.empty() && !contains(inputs, "state")) {
      error("inputs", "a stencil needs an input called 'state'", "it is what the levels filter");
    }
    for (size_t i = 0; i < stencil.features.size(); ++i) {
      const std::string& feature = stencil.features[i];
      if (feature == "state" || (!feature.empty() && !contains(inputs, feature))) {
        error(fmt::format("stencil.features[{}]", i), fmt::format("'{}' is not a feature input", feature),
              suggest(feature, inputs));
      }
    }
    checkTap();
  }

 private:
  // Rules other than zero weight are for whole images, not for a dilated lattice.
  void checkBorder() {
    const StencilDescription& stencil = node_.stencil;
    if (stencil.border.rule != BorderRule::unweighted && stencil.dilated && !hasOneLevel(stencil)) {
      error("stencil.border", "dilated levels have no border rule",
            "write dilated = false, or leave 'border' out: taps outside have weight 0");
    }
    if (stencil.support == Support::separable && stencil.dilated && !hasOneLevel(stencil)) {
      error("stencil.support", "rows and then columns are for levels that are not dilated",
            "write dilated = false");
    }
    if (stencil.support == Support::separable && stencil.synthesis) {
      error("stencil.synthesis", "'synthesis' needs levels without rows and columns");
    }
    if (!stencil.border.parameter.empty()) {
      checkChoice("stencil.border", stencil.border.parameter, "border rules", namesOf(borderWords()));
    }
  }

  static bool hasOneLevel(const StencilDescription& stencil) {
    return stencil.levels.parameter.empty() && stencil.levels.value == 1;
  }

  void checkTap() {
    const StencilDescription& stencil = node_.stencil;
    std::vector<std::string> from = stencil.features;
    from.insert(from.begin(), "state");
    for (size_t i = 0; i < stencil.tap.size(); ++i) {
      const std::string key = fmt::format("stencil.tap[{}]", i);
      const TapField& field = stencil.tap[i];
      const auto sameName = [&](const TapField& other) { return other.name == field.name; };
      const auto current = stencil.tap.begin() + static_cast<long>(i);
      if (!field.name.empty() && std::any_of(stencil.tap.begin(), current, sameName)) {
        error(key + ".name", fmt::format("the tap field '{}' appears twice", field.name));
      }
      if (field.from.empty()) {
        continue;
      }
      if (!contains(from, field.from)) {
        error(key + ".from", fmt::format("'{}' is neither 'state' nor a feature", field.from),
              suggest(field.from, from));
      }
      const std::string_view stateType =
          stencil.stateChannels ? glslType(*stencil.stateChannels, Format::f32) : field.type;
      if (field.from == "state" && contains(tapTypeWords(), field.type) && field.type != stateType) {
        error(key + ".type", fmt::format("the state is a {}, not a {}", stateType, field.type));
      }
    }
  }
};

}  // namespace

void checkStencil(const ModuleDescription& module, size_t index, TomlFile& file) {
  StencilCheck(module, index, file).run();
}

}  // namespace lacuna
