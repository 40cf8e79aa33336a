#include <fmt/format.h>

#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

class StencilCheck : NodeChecker {
 public:
  StencilCheck(const ModuleDescription& module, size_t index, TomlFile& file)
      : NodeChecker(module, index, file), stencil_(node_.stencil), inputs_(namesIn(node_.inputs)) {}

  void run() {
    checkWindow();
    checkLevels();
    expect(inputs_.empty() || contains(inputs_, "state"), "inputs", "a stencil needs an input called 'state'",
           "it is what the levels filter");
    for (size_t i = 0; i < stencil_.features.size(); ++i) {
      const std::string& feature = stencil_.features[i];
      expect(feature != "state" && (feature.empty() || contains(inputs_, feature)),
             fmt::format("stencil.features[{}]", i), fmt::format("'{}' is not a feature input", feature),
             suggest(feature, inputs_));
    }
    checkTap();
  }

 private:
  void checkWindow() {
    const bool hasPatch = stencil_.patch.value > 0 || !stencil_.patch.parameter.empty();
    expect(!hasPatch || (!isLine(stencil_.support) && stencil_.border), "stencil.patch",
           "patches are of square or circular windows with a border rule", "write border = \"reflect-101\"");
    expect(!stencil_.weight || stencil_.weights.empty(), "stencil.weight",
           "'weights' and 'weight' exclude each other",
           "numbers, or true: the body has `float weight(int steps)`");
    const size_t wanted = 2 * static_cast<size_t>(stencil_.radius.value) + 1, given = stencil_.weights.size();
    expect(given == 0 || given == wanted || !stencil_.radius.parameter.empty(), "stencil.weights",
           fmt::format("a radius of {} needs {} weights, not {}", stencil_.radius.value, wanted, given));
  }

  // Rules other than zero weight are for whole images, not for a dilated lattice.
  void checkLevels() {
    const bool hasOneLevel = stencil_.levels.parameter.empty() && stencil_.levels.value == 1;
    const bool isDilated = stencil_.dilated && !hasOneLevel;
    const bool isSeparable = stencil_.support == Support::separable;
    expect(!stencil_.border || !isDilated, "stencil.border", "dilated levels have no border rule",
           "write dilated = false, or leave 'border' out: taps outside have weight 0");
    expect(!isSeparable || !isDilated, "stencil.support",
           "rows and then columns are for levels that are not dilated", "write dilated = false");
    expect(!isSeparable || !stencil_.synthesis, "stencil.synthesis",
           "'synthesis' needs levels without rows and columns");
  }

  void checkTap() {
    std::vector<std::string> from = stencil_.features;
    from.insert(from.begin(), "state");
    for (size_t i = 0; i < stencil_.tap.size(); ++i) {
      const std::string key = fmt::format("stencil.tap[{}]", i);
      const TapField& field = stencil_.tap[i];
      expect(field.name.empty() || findNamed(stencil_.tap, field.name) == &field, key + ".name",
             fmt::format("the tap field '{}' appears twice", field.name));
      expect(field.from.empty() || contains(from, field.from), key + ".from",
             fmt::format("'{}' is neither 'state' nor a feature", field.from), suggest(field.from, from));
      const std::string_view stateType =
          stencil_.state.channels ? glslType(*stencil_.state.channels, Format::f32) : field.type;
      expect(field.from != "state" || !contains(tapTypeWords(), field.type) || field.type == stateType,
             key + ".type", fmt::format("the state is a {}, not a {}", stateType, field.type));
    }
  }

  const StencilDescription& stencil_;
  const std::vector<std::string> inputs_;
};

}  // namespace

void checkStencil(const ModuleDescription& module, size_t index, TomlFile& file) {
  if (module.nodes[index].kind == NodeKind::stencil)
    StencilCheck(module, index, file).run();
}

}  // namespace lacuna
