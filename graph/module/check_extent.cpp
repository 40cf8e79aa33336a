#include <fmt/format.h>

#include "graph/module/node_checker.h"

namespace lacuna {
namespace {

class ExtentCheck : NodeChecker {
 public:
  using NodeChecker::NodeChecker;

  void run() {
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      if (node_.outputs[i].extent) {
        check(fmt::format("outputs[{}].extent", i), node_.outputs[i]);
      }
    }
  }

 private:
  void check(const std::string& key, const NodeOutput& output) {
    const OutputExtent& extent = *output.extent;
    if (node_.kind != NodeKind::kernel || output.arrayCount > 0) {
      error(key, "only an image that a kernel makes has a size of its own");
    }
    const ConnectorDescription* of = module_.connector(extent.of);
    if (!extent.of.empty() && (of == nullptr || of->direction != Direction::input || of->arrayCount > 0)) {
      error(key + ".of", fmt::format("'{}' is no input connector for images", extent.of));
    }
    checkCount(key + ".width", extent.width, 0, maxSide);
    checkCount(key + ".height", extent.height, 0, maxSide);
    checkCount(key + ".x", extent.x, 0, maxSide);
    checkCount(key + ".y", extent.y, 0, maxSide);
    checkFactor(key + ".factor", extent.factor);
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
