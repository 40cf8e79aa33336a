#pragma once
// Whole numbers in module.toml that follow from others: "(width + 2 * radius) * height * bytes_input".
// + - * / (rounded down), max(a, b), parentheses, names, which may have members (shape_a.z). Negative results
// and divisions by zero are 0.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

// nullopt for an unknown name.
using NumberNamed = std::function<std::optional<int64_t>(std::string_view name)>;

// Names in an extent's arithmetic that mean the image to which it is relative. Channels are counted without
// alpha.
constexpr std::string_view imageWidth = "image_width";
constexpr std::string_view imageHeight = "image_height";
constexpr std::string_view imageChannels = "image_channels";
// A number of planes may also use that of the node's first input of planes.
constexpr std::string_view inputPlanes = "input_planes";
// A shape may use those of the node's inputs, right-aligned behind ones as bodies see them: shape_a.w is the
// innermost size.
constexpr std::string_view inputShape = "shape_";
struct InputSize {
  std::string_view input;
  size_t place = 0;  // 0 to 3: x to w
};
std::optional<InputSize> inputSize(std::string_view name);  // nullopt for an unknown name

struct Arithmetic {
  int64_t value = 0;
  std::string mistake;   // "" or the mistake in the text
  bool rounded = false;  // a division left a remainder, or was by zero
};

Arithmetic evaluate(std::string_view text, const NumberNamed& number);

}  // namespace lacuna
