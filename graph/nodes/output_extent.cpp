#include "graph/nodes/output_extent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "graph/values/native_type.h"

namespace lacuna {
namespace {

constexpr uint32_t mostPixels = 65535;  // a side, as in files

class ExtentReader {
 public:
  ExtentReader(const ModuleInstance& owner, const OutputExtent& wanted, const ValueType& of,
               Diagnostics& diagnostics)
      : owner_(owner), wanted_(wanted), of_(of.extent), channels_(of.channels), diagnostics_(diagnostics) {}

  std::optional<Extent> window() {
    const auto width = windowSide(wanted_.x, wanted_.width, of_.width, {"x", "width", "columns"});
    const auto height = windowSide(wanted_.y, wanted_.height, of_.height, {"y", "height", "rows"});
    return width && height ? std::optional<Extent>({*width, *height}) : std::nullopt;
  }

  PixelPlace start() const {
    return {static_cast<uint32_t>(valueOf(wanted_.x)), static_cast<uint32_t>(valueOf(wanted_.y))};
  }

  std::optional<Extent> fixed() const {
    const int64_t width = valueOf(wanted_.width);
    const int64_t height = valueOf(wanted_.height);
    const bool isFixed =
        !wanted_.window && wanted_.of.empty() && wanted_.only.empty() && width > 0 && height > 0;
    return isFixed ? std::optional<Extent>({static_cast<uint32_t>(width), static_cast<uint32_t>(height)})
                   : std::nullopt;
  }

  void reportNotFixed(const std::string& output) {
    if (fixed())
      return;
    bool isTold = false;
    for (const auto& [side, key] :
         {std::pair(&wanted_.width, "width"), std::pair(&wanted_.height, "height")}) {
      if (!side->parameter().empty() && valueOf(*side) == 0) {
        report(side->text(),
               fmt::format("{}: '{}' is 0, but there is no image whose {} '{}' could have", owner_.name(),
                           side->text(), key, output),
               "give both sides a size above 0");
        isTold = true;
      }
    }
    if (!isTold) {
      report(
          {},
          fmt::format("{}: there is no image that the extent of '{}' is relative to", owner_.name(), output),
          "without one an extent has a width and a height, and nothing else");
    }
  }

  std::optional<uint32_t> planes(const PlanesRequest& request) {
    inputPlanes_ = request.inputPlanes;
    const NodeOutput& output = *request.output;
    const Formula& wanted = *output.planes;
    const bool isStated = !wanted.text().empty() || valueOf(wanted) > 0;
    const int64_t count = isStated ? valueOf(wanted) : request.inputPlanes;
    const auto pixels = static_cast<int64_t>(pixelCount(request.extent));
    const int64_t most = maxArrayCount / pixels;
    if (count < 1) {
      report(wanted.text(), fmt::format("{}: '{}' has no planes", owner_.name(), output.name),
             request.inputPlanes == 0 ? "no input has planes whose number it could have" : "");
      return std::nullopt;
    }
    if (count > most && request.isRead) {
      report(wanted.text(),
             fmt::format("{}: '{}' would have {} planes of {}x{}, {:.0f} numbers", owner_.name(), output.name,
                         count, request.extent.width, request.extent.height,
                         static_cast<double>(count) * static_cast<double>(pixels)),
             fmt::format("an array has at most {}: {} planes of that size", maxArrayCount, most));
      return std::nullopt;
    }
    return static_cast<uint32_t>(std::min<int64_t>(count, maxArrayCount));
  }

  std::optional<std::vector<uint32_t>> sizes(const std::vector<Formula>& stated, const std::string& name,
                                             const std::map<std::string, ValueType>& inputs) {
    inputs_ = &inputs;
    std::vector<int64_t> sizes;
    std::string blamed;
    double elements = 1.0;
    for (const Formula& size : stated) {
      sizes.push_back(valueOf(size));
      elements *= static_cast<double>(sizes.back());
      blamed = sizes.back() < 1 || blamed.empty() ? size.text() : blamed;
    }
    if (elements >= 1.0 && elements <= maxArrayCount)
      return std::vector<uint32_t>(sizes.begin(), sizes.end());
    const std::string told =
        fmt::format("{}: '{}' would have the shape ({})", owner_.name(), name, fmt::join(sizes, ", "));
    if (elements < 1.0) {
      report(blamed, told, "every size must be at least 1");
    } else {
      report(blamed, fmt::format("{}, {:.0f} elements", told, elements),
             fmt::format("an array has at most {}", maxArrayCount));
    }
    return std::nullopt;
  }

  std::optional<Extent> size() {
    const auto width = static_cast<double>(valueOf(wanted_.width));
    const auto height = static_cast<double>(valueOf(wanted_.height));
    const double factor = owner_.valueOf(wanted_.factor);
    if (factor != 1.0 && (width > 0 || height > 0)) {
      report(wanted_.factor.parameter,
             fmt::format("{}: '{}' is {}, but a size is given as well", owner_.name(),
                         nameOf(wanted_.factor.parameter, "factor"), factor),
             "a factor or a size, not both");
      return std::nullopt;
    }
    Sides sides{of_.width * factor, of_.height * factor};
    if (width > 0 || height > 0) {
      sides.width = width > 0 ? width : height * of_.width / of_.height;
      sides.height = height > 0 ? height : width * of_.height / of_.width;
    }
    return whole(sides, factor != 1.0 ? wanted_.factor.parameter
                        : width > 0   ? wanted_.width.text()
                                      : wanted_.height.text());
  }

 private:
  struct Sides {
    double width, height;
  };
  struct WindowNames {
    const char* from;
    const char* size;
    const char* what;
  };

  std::optional<uint32_t> windowSide(const Formula& from, const Formula& size, uint32_t side,
                                     const WindowNames& names) {
    const int64_t first = valueOf(from);
    const int64_t wanted = valueOf(size);
    const std::string fromName = nameOf(from.text(), names.from);
    const std::string sizeName = nameOf(size.text(), names.size);
    if (first >= side) {
      report(from.text(),
             fmt::format("{}: '{}' is {}, but the image is {}x{}", owner_.name(), fromName, first, of_.width,
                         of_.height),
             fmt::format("here '{}' is from 0 to {}", fromName, side - 1));
      return std::nullopt;
    }
    const int64_t left = side - first;
    if (wanted > left) {
      report(
          size.text(),
          fmt::format("{}: '{}' is {}, but the image is {}x{} and has {} {} from '{}' = {} on", owner_.name(),
                      sizeName, wanted, of_.width, of_.height, left, names.what, fromName, first),
          fmt::format("here '{}' is from 1 to {}, or 0 for all of them", sizeName, left));
      return std::nullopt;
    }
    return static_cast<uint32_t>(wanted > 0 ? wanted : left);
  }

  std::optional<Extent> whole(const Sides& sides, const std::string& parameter) {
    const double width = std::max(1.0, std::round(sides.width));
    const double height = std::max(1.0, std::round(sides.height));
    if (width > mostPixels || height > mostPixels) {
      report(parameter,
             fmt::format("{} would make an image of {:.0f}x{:.0f} from one of {}x{}", owner_.name(), width,
                         height, of_.width, of_.height),
             fmt::format("a side has at most {} pixels", mostPixels));
      return std::nullopt;
    }
    return Extent{static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
  }

  // 0 if there is no image, but its size is needed.
  int64_t valueOf(const Formula& formula) const {
    const auto result = formula.evaluate([&](std::string_view name) -> std::optional<int64_t> {
      if (name == imageWidth || name == imageHeight || name == imageChannels) {
        const int64_t value = name == imageWidth    ? of_.width
                              : name == imageHeight ? of_.height
                                                    : std::min(componentCount(channels_), 3);
        return of_.width > 0 ? std::optional<int64_t>(value) : std::nullopt;
      }
      if (name == lacuna::inputPlanes)
        return inputPlanes_;
      if (const auto size = inputSize(name))
        return sizeOf(*size);
      return std::get<int64_t>(owner_.value(std::string(name)));
    });
    return result.unknown.empty() ? result.value : 0;
  }
  // 0 if nothing is connected.
  int64_t sizeOf(const InputSize& wanted) const {
    const auto found = inputs_->find(std::string(wanted.input));
    return found == inputs_->end() ? 0 : shapeVector(found->second)[wanted.place];
  }
  static std::string nameOf(const std::string& parameter, const char* key) {
    return parameter.empty() ? key : parameter;
  }

  // Reported at the line that set the parameter; else at the module's.
  void report(const std::string& parameter, std::string message, std::string hint) {
    Location where = owner_.where;
    if (owner_.description->parameter(parameter) != nullptr && owner_.parameter(parameter).where.line > 0)
      where = owner_.parameter(parameter).where;
    diagnostics_.error(where, std::move(message), std::move(hint));
  }

  const ModuleInstance& owner_;
  const OutputExtent& wanted_;
  Extent of_;
  Channels channels_;
  uint32_t inputPlanes_ = 0;
  const std::map<std::string, ValueType>* inputs_ = nullptr;  // for shapes
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Extent> outputExtent(const ModuleInstance& owner, const OutputExtent& wanted,
                                   const ValueType& of, Diagnostics& diagnostics) {
  ExtentReader reader(owner, wanted, of, diagnostics);
  return wanted.window ? reader.window() : reader.size();
}

Extent scaledExtent(Extent extent, float factor) {
  const auto scaled = [&](uint32_t size) {
    return std::max(
        1U, static_cast<uint32_t>(std::ceil(static_cast<double>(size) * static_cast<double>(factor))));
  };
  return {scaled(extent.width), scaled(extent.height)};
}

PixelPlace windowStart(const ModuleInstance& owner, const OutputExtent& wanted, const ValueType& of) {
  Diagnostics none;
  return ExtentReader(owner, wanted, of, none).start();
}

std::optional<uint32_t> outputPlanes(const ModuleInstance& owner, const PlanesRequest& request,
                                     Diagnostics& diagnostics) {
  return ExtentReader(owner, {}, request.of, diagnostics).planes(request);
}

std::optional<std::vector<uint32_t>> statedSizes(const ModuleInstance& owner,
                                                 const std::vector<Formula>& stated, const std::string& name,
                                                 const std::map<std::string, ValueType>& inputs,
                                                 Diagnostics& diagnostics) {
  return ExtentReader(owner, {}, {}, diagnostics).sizes(stated, name, inputs);
}

std::optional<Extent> fixedExtent(const ModuleInstance& owner, const OutputExtent& wanted) {
  Diagnostics none;
  return ExtentReader(owner, wanted, {}, none).fixed();
}

void reportNoExtent(const ModuleInstance& owner, const OutputExtent& wanted, const std::string& output,
                    Diagnostics& diagnostics) {
  ExtentReader(owner, wanted, {}, diagnostics).reportNotFixed(output);
}

}  // namespace lacuna
