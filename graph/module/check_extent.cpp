#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/module/arithmetic.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

class ExtentCheck : NodeChecker {
 public:
  using NodeChecker::NodeChecker;

  void run() {
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      const std::string key = fmt::format("outputs[{}]", i);
      const NodeOutput& output = node_.outputs[i];
      if (output.extent) {
        check(key + ".extent", output);
      }
      if (output.planes && !output.planes->parameter.empty()) {
        checkArithmetic(key + ".planes", output.planes->parameter,
                        {imageWidth, imageHeight, imageChannels, inputPlanes});
      }
      checkShape(key + ".shape", output);
    }
  }

 private:
  void check(const std::string& key, const NodeOutput& output) {
    const OutputExtent& extent = *output.extent;
    if (node_.kind != NodeKind::kernel || (output.arrayCount > 0 && !output.planes)) {
      error(key, "only an image, or planes, that a kernel makes have their own size");
    }
    const ConnectorDescription* of = module_.connector(extent.of);
    if (!extent.of.empty() &&
        (of == nullptr || of->direction != Direction::input || (of->arrayCount > 0 && !of->planes))) {
      error(key + ".of", fmt::format("'{}' is not an input connector for images or planes", extent.of));
    }
    checkSide(key + ".width", extent.width);
    checkSide(key + ".height", extent.height);
    checkSide(key + ".x", extent.x);
    checkSide(key + ".y", extent.y);
    checkFactor(key + ".factor", extent.factor);
  }

  void checkShape(const std::string& key, const NodeOutput& output) {
    if (!output.shape.empty() && node_.kind != NodeKind::kernel) {
      error(key, "only an array that a kernel makes has its own shape",
            "native code states the shapes of its arrays: write array = true");
      return;
    }
    std::vector<std::string> names;
    for (const NodeInput& input : node_.inputs) {
      for (const char* place : {".x", ".y", ".z", ".w"}) {
        names.push_back(std::string(inputShape) + input.name + place);
      }
    }
    for (size_t i = 0; i < output.shape.size(); ++i) {
      if (!output.shape[i].parameter.empty()) {
        checkArithmetic(fmt::format("{}[{}]", key, i), output.shape[i].parameter,
                        {names.begin(), names.end()});
      }
    }
  }

  void checkSide(const std::string& key, const Count& side) {
    if (!side.isArithmetic()) {
      checkCount(key, side, 0, maxSide);
    } else {
      checkArithmetic(key, side.parameter, {imageWidth, imageHeight, imageChannels});
    }
  }

  // `names`: names that it may use beside parameters.
  void checkArithmetic(const std::string& key, const std::string& text,
                       const std::vector<std::string_view>& names) {
    const Arithmetic result = evaluate(text, [&](std::string_view name) -> std::optional<int64_t> {
      const ParameterDescription* parameter = module_.parameter(std::string(name));
      const bool whole = parameter != nullptr && parameter->structural && parameter->count == 1 &&
                         parameter->type == ParameterType::integer;
      const bool known = whole || contains(names, name);
      return known ? std::optional<int64_t>(1) : std::nullopt;
    });
    if (!result.mistake.empty()) {
      error(key, fmt::format("'{}': {}", text, result.mistake),
            fmt::format("known are {} and structural int parameters", fmt::join(names, ", ")));
    }
  }

  void checkFactor(const std::string& key, const Factor& factor) {
    const ParameterDescription* parameter =
        factor.parameter.empty() ? nullptr : structural(key, factor.parameter);
    if (parameter == nullptr) {
      return;
    }
    if (parameter->type != ParameterType::floating) {
      error(key, fmt::format("the parameter '{}' is not of type float", factor.parameter));
    } else if (!parameter->minimum || *parameter->minimum <= 0) {
      error(key, fmt::format("the parameter '{}' needs a range above 0", factor.parameter));
    }
  }
};

}  // namespace

void checkExtents(const ModuleDescription& module, size_t index, TomlFile& file) {
  ExtentCheck(module, index, file).run();
}

}  // namespace lacuna
