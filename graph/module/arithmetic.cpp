#include "graph/module/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lacuna {
namespace {

constexpr int64_t valueLimit = int64_t{1} << 40U;  // far above any real value, far below an overflow

// Recursive descent; the first mistake is kept.
class Evaluator {
 public:
  Evaluator(std::string_view text, const NumberNamed& number) : text_(text), number_(number) {}

  Arithmetic run() {
    const int64_t value = sum();
    skip();
    if (at_ < text_.size()) {
      wrong(fmt::format("'{}' was not expected", text_.substr(at_, 1)));
    }
    return {std::max<int64_t>(value, 0), mistake_, rounded_};
  }

 private:
  int64_t sum() {
    int64_t value = product();
    while (true) {
      if (take('+')) {
        value = clamped(value + product());
      } else if (take('-')) {
        value = clamped(value - product());
      } else {
        return value;
      }
    }
  }

  int64_t product() {
    int64_t value = term();
    while (true) {
      if (take('*')) {
        const auto factor = static_cast<double>(term());
        constexpr auto most = static_cast<double>(valueLimit);
        value = static_cast<int64_t>(std::clamp(static_cast<double>(value) * factor, -most, most));
      } else if (take('/')) {
        const int64_t divisor = term();
        rounded_ = rounded_ || divisor == 0 || value % divisor != 0;
        value = divisor == 0 ? 0 : roundedDown(value, divisor);
      } else {
        return value;
      }
    }
  }

  int64_t term() {
    if (take('(')) {
      const int64_t value = depth_ < 64 ? nested() : 0;
      expect(')');
      return value;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '.')) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) {
      wrong(at_ < text_.size() ? fmt::format("'{}' was not expected", text_.substr(at_, 1))
                               : "it ends too early");
      at_ = text_.size();
      return 0;
    }
    return word == "max" ? greater() : valueOf(word);
  }

  int64_t nested() {
    ++depth_;
    const int64_t value = sum();
    --depth_;
    return value;
  }

  int64_t greater() {
    expect('(');
    const int64_t first = depth_ < 64 ? nested() : 0;
    expect(',');
    const int64_t second = depth_ < 64 ? nested() : 0;
    expect(')');
    return std::max(first, second);
  }

  int64_t valueOf(std::string_view word) {
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      int64_t value = 0;
      for (const char c : word) {
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
          wrong(fmt::format("'{}' is not a number", word));
          return 0;
        }
        value = std::min(10 * value + (c - '0'), valueLimit);
      }
      return value;
    }
    const std::optional<int64_t> value = number_(word);
    if (!value) {
      wrong(fmt::format("there is no number '{}'", word));
    }
    return value.value_or(0);
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }

  bool take(char c) {
    skip();
    const bool found = at_ < text_.size() && text_[at_] == c;
    at_ += found ? 1 : 0;
    skip();
    return found;
  }

  void expect(char c) {
    if (!take(c)) {
      wrong(fmt::format("'{}' is missing", c));
    }
  }

  static int64_t roundedDown(int64_t value, int64_t divisor) {
    const bool isAbove = value % divisor != 0 && (value < 0) != (divisor < 0);  // C++ rounds towards zero
    return value / divisor - (isAbove ? 1 : 0);
  }

  static int64_t clamped(int64_t value) { return std::clamp(value, -valueLimit, valueLimit); }

  void wrong(std::string mistake) {
    if (mistake_.empty()) {
      mistake_ = std::move(mistake);
    }
  }

  std::string_view text_;
  const NumberNamed& number_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string mistake_;
  bool rounded_ = false;
};

}  // namespace

std::optional<InputSize> inputSize(std::string_view name) {
  const size_t dot = name.find('.');
  const size_t place = dot != std::string_view::npos && dot + 2 == name.size()
                           ? std::string_view("xyzw").find(name[dot + 1])
                           : std::string_view::npos;
  if (!name.starts_with(inputShape) || place == std::string_view::npos) {
    return std::nullopt;
  }
  return InputSize{name.substr(inputShape.size(), dot - inputShape.size()), place};
}

Arithmetic evaluate(std::string_view text, const NumberNamed& number) {
  return Evaluator(text, number).run();
}

}  // namespace lacuna
