// An output's `extent = { width = "width", height = "height" }`, `planes` and `shape`.

#include <fmt/format.h>

#include <cmath>

#include "graph/module/read_module.h"
#include "graph/values/native_type.h"

namespace lacuna {
namespace {

Factor readFactor(TableReader& reader, const std::string& key) {
  Factor factor;
  const toml::node* node = reader.value(key);
  if (node == nullptr) {
    return factor;
  }
  if (node->is_string()) {
    factor.parameter = reader.string(key).value_or("");
    return factor;
  }
  factor.value = node->is_number() ? node->value<double>().value_or(1.0) : 0.0;
  if (!(factor.value > 0.0 && std::isfinite(factor.value))) {
    reader.error(key, fmt::format("'{}' must be a number above 0 or a parameter's name", key));
  }
  return factor;
}

}  // namespace

Count readCount(TableReader& reader, const std::string& key, int64_t fallback, int64_t least, int64_t most) {
  Count count{fallback, {}};
  const toml::node* node = reader.value(key);
  if (node == nullptr) {
    return count;
  }
  if (node->is_string()) {
    count.parameter = reader.string(key).value_or("");
  } else if (node->is_integer()) {
    count.value = reader.integer(key, least, most).value_or(fallback);
  } else {
    reader.error(key, fmt::format("'{}' must be a whole number or a parameter's name, not {}", key,
                                  describeType(*node)));
  }
  return count;
}

std::optional<Count> readPlanes(TableReader& output) {
  const toml::node* node = output.value("planes");
  if (node == nullptr) {
    return std::nullopt;
  }
  if (!node->is_boolean()) {
    return readCount(output, "planes", 1, 1, maxArrayCount);
  }
  if (!**node->as_boolean()) {
    output.error("planes", "'planes' is a number, arithmetic, or true", "an image has no 'planes'");
  }
  return Count{};
}

std::vector<Count> readShape(TableReader& output) {
  const toml::node* node = output.value("shape");
  const toml::array* sizes = node == nullptr ? nullptr : node->as_array();
  if (node != nullptr && (sizes == nullptr || sizes->empty() || sizes->size() > mostSizes)) {
    output.error("shape", fmt::format("'shape' is a list of 1 to {} sizes, outermost first", mostSizes));
    return {};
  }
  if (node != nullptr && (output.has("array") || output.has("planes"))) {
    output.error("shape", "an output has 'array', 'planes' or 'shape', one of them");
  }
  std::vector<Count> shape;
  for (size_t i = 0; sizes != nullptr && i < sizes->size(); ++i) {
    const toml::node& size = (*sizes)[i];
    const int64_t number = size.value_exact<int64_t>().value_or(0);
    shape.push_back({number, size.value_exact<std::string>().value_or("")});
    if (shape.back().parameter.empty() && (number < 1 || number > maxArrayCount)) {
      output.error(fmt::format("shape[{}]", i),
                   fmt::format("a size is a whole number from 1 to {}, a parameter's name or arithmetic",
                               maxArrayCount));
    }
  }
  return shape;
}

std::optional<OutputExtent> readExtent(TableReader& output) {
  OutputExtent extent;
  const bool given = output.table("extent", "'extent'", Need::optional, [&](TableReader& reader) {
    extent.of = reader.string("of").value_or("");
    extent.width = readCount(reader, "width", 0, 1, maxSide);
    extent.height = readCount(reader, "height", 0, 1, maxSide);
    extent.factor = readFactor(reader, "factor");
    extent.window = reader.has("x") || reader.has("y");
    extent.x = readCount(reader, "x", 0, 0, maxSide);
    extent.y = readCount(reader, "y", 0, 0, maxSide);
    extent.only = reader.string("only").value_or("");
    if (reader.has("only") && extent.only != "width" && extent.only != "height") {
      reportUnknownWord(reader, "only", extent.only, {"width", "height"});
    }
    if (extent.window && (reader.has("factor") || reader.has("only"))) {
      reader.error(reader.has("factor") ? "factor" : "only", "a window has 'x', 'y', 'width' and 'height'");
    }
  });
  return given ? std::optional<OutputExtent>(extent) : std::nullopt;
}

}  // namespace lacuna
