#pragma once
// Whole numbers in module.toml that follow from others: "(width + 2 * radius) * height * bytes_input".
// + - * / (rounded down), max(a, b), parentheses, names, which may have members (shape_a.z). Negative results
// and divisions by zero are 0.

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// Names in an extent's formulas that mean the image to which it is relative. Channels are counted without
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

using NumberNamed = std::function<std::optional<int64_t>(std::string_view name)>;

// Such a text, or a plain number, as it is once it was read.
class Formula {
 public:
  struct Result {
    int64_t value = 0;
    bool rounded = false;        // a division left a remainder, or was by zero
    std::string_view unknown{};  // the first name that has no number; it counts as 0
  };

  Formula(int64_t number = 0) : term_([number](const NumberNamed&, Result&) { return number; }) {}
  template <std::convertible_to<std::string_view> T>
  Formula(const T& text) : text_(text) {
    parse();
  }

  const std::string& text() const { return text_; }        // "" for a plain number
  const std::string& mistake() const { return mistake_; }  // in the text; "" if there is none
  const std::vector<std::string>& names() const { return names_; }
  // If the text is nothing but a name of no image: that of the parameter which has the number; else "".
  std::string parameter() const;
  Result evaluate(const NumberNamed& number) const;

 private:
  using Term = std::function<int64_t(const NumberNamed& number, Result& result)>;
  friend class FormulaParser;
  void parse();

  std::string text_, mistake_;
  std::vector<std::string> names_;
  Term term_;
};

}  // namespace lacuna
