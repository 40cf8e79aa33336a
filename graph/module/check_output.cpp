// What a node makes: arrays, planes, images of their own size.

#include <fmt/format.h>

#include <algorithm>

#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

// One invocation writes all outputs of a reduce.
constexpr uint32_t maxReduced = 1U << 24U;

class OutputCheck : NodeChecker {
 public:
  OutputCheck(const ModuleDescription& module, size_t index, size_t output, TomlFile& file)
      : NodeChecker(module, index, file),
        output_(node_.outputs[output]),
        isArray_(output_.arrayCount > 0),
        isKernel_(statesOutputs(node_.kind)),
        isReduce_(node_.kind == NodeKind::reduce) {
    table_ += fmt::format(".outputs[{}]", output);
  }

  void run() {
    checkArray();
    checkBeginning();
    if (output_.planes)
      checkPlanes();
    if (output_.extent)
      checkExtent(*output_.extent);
    checkShape();
    if (!output_.connector.empty())
      checkConnector();
  }

 private:
  void checkArray() {
    if (isReduce_ && !isArray_) {
      file_.error(table_, fmt::format("a reduce makes arrays, but '{}' is an image", output_.name),
                  "write array = 1");
    }
    const bool areCounts = node_.outputs.size() == 1 && output_.arrayCount == node_.reduce.bins &&
                           output_.format && output_.format->value == Format::u32;
    if (node_.reduce.counts && !areCounts) {
      file_.error(table_,
                  "the counts of a histogram are an array of u32 with as many elements as it has bins",
                  fmt::format("write format = \"u32\", array = {}", node_.reduce.bins));
    }
    const bool makesImages = node_.kind == NodeKind::pointwise || node_.kind == NodeKind::stencil;
    expect(!isArray_ || output_.planes || !makesImages, "array",
           fmt::format("a {} node makes images", kind()), "arrays come from a reduce or a kernel");
    if (isReduce_ && !output_.planes && output_.arrayCount == anyCount) {
      error("array", "a reduce's array has a number of elements");
    } else if (isReduce_ && !output_.planes && output_.arrayCount > maxReduced) {
      error("array",
            fmt::format("a reduce makes at most {} elements, not {}", maxReduced, output_.arrayCount));
    }
    const bool mayBeHalf = !isReduce_ && !output_.planes;
    expect(!isArray_ || holdsOnly(mayBeHalf), "format",
           mayBeHalf        ? "an array holds f16, f32 or u32"
           : output_.planes ? "planes hold f32 or u32"
                            : "a reduce's array holds f32 or u32");
  }

  void checkBeginning() {
    const std::string& name = output_.name;
    expect(!output_.tile || (isKernel_ && isArray_ && !output_.planes && output_.connector.empty()), "tile",
           fmt::format("'{}' is not an array that a kernel makes for other nodes of its module", name));
    const bool mayBegin = isKernel_ && isArray_;
    const bool repeats = !node_.kernel.repeat.empty();
    expect(!output_.kept || mayBegin, "kept",
           fmt::format("'{}' is not an array that a kernel makes: only those are kept", name),
           "an input with feedback = true has an output's value of the previous frame");
    expect(!output_.kept || !mayBegin || !repeats, "kept",
           fmt::format("'{}' is kept, but its node runs several times a frame", name));
    expect(
        !output_.zeroed || (mayBegin && !output_.kept && !repeats), "zeroed",
        fmt::format("'{}' can't begin as zeros: that takes an array of a kernel, not kept, without `repeat`",
                    name));
  }

  // Whether the output's format, or all formats that its parameter may choose, are of arrays.
  bool holdsOnly(bool mayBeHalf) const {
    const auto isAllowed = [&](std::optional<Format> format) {
      return !format || *format == Format::f32 || *format == Format::u32 ||
             (mayBeHalf && *format == Format::f16);
    };
    if (!output_.format || output_.format->parameter.empty())
      return !output_.format || isAllowed(output_.format->value);
    const ParameterDescription* parameter = module_.parameter(output_.format->parameter);
    return parameter == nullptr || std::ranges::all_of(parameter->choices, isAllowed, formatFromName);
  }

  void checkPlanes() {
    const bool isTold = node_.kind == NodeKind::source || node_.kind == NodeKind::native;
    const bool isNumber = !output_.planes->text().empty() || output_.planes->evaluate({}).value > 0;
    expect(isTold || isKernel_, "planes", fmt::format("a {} node makes no planes", kind()),
           "planes come from kernels, sources and native nodes");
    expect(!isTold || !isNumber, "planes", "native code states the number of planes", "write planes = true");
    expect(!output_.channels || componentCount(*output_.channels) == 1, "channels",
           "planes have one number a pixel: y, depth or any1");
    checkNumber("planes", *output_.planes, {imageWidth, imageHeight, imageChannels, inputPlanes});
  }

  void checkExtent(const OutputExtent& extent) {
    expect(isKernel_ && (!isArray_ || output_.planes), "extent",
           "only an image, or planes, that a kernel makes have their own size");
    const ConnectorDescription* of = module_.connector(extent.of);
    expect(extent.of.empty() ||
               (of != nullptr && of->direction == Direction::input && (of->arrayCount == 0 || of->planes)),
           "extent.of", fmt::format("'{}' is not an input connector for images or planes", extent.of));
    for (const auto& [key, side] : {std::pair{"extent.width", &extent.width},
                                    {"extent.height", &extent.height},
                                    {"extent.x", &extent.x},
                                    {"extent.y", &extent.y}})
      if (const std::string parameter = side->parameter(); !parameter.empty())
        checkCount(key, parameter, 0, maxSide);
      else
        checkNumber(key, *side, {imageWidth, imageHeight, imageChannels});
  }

  void checkShape() {
    if (!output_.shape.empty() && !isKernel_) {
      error("shape", "only an array that a kernel makes has its own shape",
            "native code states the shapes of its arrays: write array = true");
      return;
    }
    checkSizes("shape", output_.shape);
  }

  void checkConnector() {
    const ConnectorDescription* connector = module_.connector(output_.connector);
    if (connector == nullptr || connector->direction != Direction::output) {
      const auto isOutput = [](const auto& each) { return each.direction == Direction::output; };
      error("connector", fmt::format("the module has no output connector '{}'", output_.connector),
            suggest(output_.connector, namesIn(module_.connectors, isOutput)));
    } else if (output_.planes && !connector->planes) {
      error("connector",
            fmt::format("'{}' is planes, but the connector '{}' is not", output_.name, connector->name),
            "write planes = true at the connector");
    } else if (connector->planes && !output_.planes) {
      error("connector",
            fmt::format("the connector '{}' is planes, but '{}' is not", connector->name, output_.name),
            "write 'planes' at the node's output");
    }
  }

  const NodeOutput& output_;
  bool isArray_, isKernel_, isReduce_;
};

}  // namespace

void checkOutputs(const ModuleDescription& module, size_t index, TomlFile& file) {
  for (size_t i = 0; i < module.nodes[index].outputs.size(); ++i)
    OutputCheck(module, index, i, file).run();
}

}  // namespace lacuna
