#include "graph/module/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lacuna {
namespace {

constexpr int64_t valueLimit = int64_t{1} << 40U;  // far above any real value, far below an overflow
constexpr int deepest = 64;                        // parentheses

int64_t clamped(int64_t value) {
  return std::clamp(value, -valueLimit, valueLimit);
}

// `sign`: + - * / or, for the greater one, >
int64_t computed(char sign, int64_t a, int64_t b, Formula::Result& result) {
  constexpr auto most = static_cast<double>(valueLimit);
  switch (sign) {
    case '+':
      return clamped(a + b);
    case '-':
      return clamped(a - b);
    case '*':
      return static_cast<int64_t>(std::clamp(static_cast<double>(a) * static_cast<double>(b), -most, most));
    case '/':
      result.rounded = result.rounded || b == 0 || a % b != 0;
      // C++ rounds towards zero.
      return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    default:
      return std::max(a, b);
  }
}

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

int64_t nothing(const NumberNamed&, Formula::Result&) {
  return 0;
}

}  // namespace

// Recursive descent; the first mistake is kept.
class FormulaParser {
 public:
  explicit FormulaParser(Formula& formula) : formula_(formula), text_(formula.text_) {}

  void run() {
    formula_.term_ = sum();
    skip();
    if (at_ < text_.size())
      unexpected();
  }

 private:
  using Term = Formula::Term;

  static Term pair(char sign, Term a, Term b) {
    return [=](const NumberNamed& number, Formula::Result& result) {
      const int64_t first = a(number, result), second = b(number, result);
      return computed(sign, first, second, result);
    };
  }

  Term sum() {
    Term left = product();
    while (const char sign = takeOneOf("+-"))
      left = pair(sign, left, product());
    return left;
  }

  Term product() {
    Term left = term();
    while (const char sign = takeOneOf("*/"))
      left = pair(sign, left, term());
    return left;
  }

  Term term() {
    if (takeOneOf("(") != 0) {
      const Term inner = nested();
      expect(')');
      return inner;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && isWordCharacter(text_[at_]))
      ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    if (word.empty()) {
      unexpected();
      at_ = text_.size();
      return nothing;
    }
    if (word == "max") {
      expect('(');
      const Term first = nested();
      expect(',');
      const Term second = nested();
      expect(')');
      return pair('>', first, second);
    }
    return std::isdigit(static_cast<unsigned char>(word.front())) != 0 ? number(word) : named(word);
  }

  Term nested() {
    if (depth_ == deepest)
      return nothing;
    ++depth_;
    const Term inner = sum();
    --depth_;
    return inner;
  }

  Term number(const std::string& word) {
    int64_t value = 0;
    for (const char c : word) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
        wrong(fmt::format("'{}' is not a number", word));
        return nothing;
      }
      value = std::min(10 * value + (c - '0'), valueLimit);
    }
    return [value](const NumberNamed&, Formula::Result&) { return value; };
  }

  Term named(const std::string& word) {
    formula_.names_.push_back(word);
    return [word](const NumberNamed& number, Formula::Result& result) {
      const std::optional<int64_t> value = number(word);
      result.unknown = value || !result.unknown.empty() ? result.unknown : word;
      return value.value_or(0);
    };
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }

  // The one of these characters that comes next; 0 if it is another.
  char takeOneOf(std::string_view characters) {
    skip();
    const char found =
        at_ < text_.size() && characters.find(text_[at_]) < characters.size() ? text_[at_] : '\0';
    at_ += found != 0 ? 1 : 0;
    skip();
    return found;
  }

  void expect(char c) {
    if (takeOneOf({&c, 1}) == 0)
      wrong(fmt::format("'{}' is missing", c));
  }

  void unexpected() {
    wrong(at_ < text_.size() ? fmt::format("'{}' was not expected", text_.substr(at_, 1))
                             : "it ends too early");
  }

  void wrong(std::string mistake) {
    if (formula_.mistake_.empty())
      formula_.mistake_ = std::move(mistake);
  }

  Formula& formula_;
  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

void Formula::parse() {
  FormulaParser(*this).run();
}

std::string Formula::parameter() const {
  return names_.size() == 1 && names_.front() == text_ && !text_.starts_with("image_") ? text_ : "";
}

Formula::Result Formula::evaluate(const NumberNamed& number) const {
  Result result;
  result.value = std::max<int64_t>(term_(number, result), 0);
  return result;
}

std::optional<InputSize> inputSize(std::string_view name) {
  const size_t dot = name.find('.');
  const size_t place = dot != std::string_view::npos && dot + 2 == name.size()
                           ? std::string_view("xyzw").find(name[dot + 1])
                           : std::string_view::npos;
  if (!name.starts_with(inputShape) || place == std::string_view::npos)
    return std::nullopt;
  return InputSize{name.substr(inputShape.size(), dot - inputShape.size()), place};
}

}  // namespace lacuna
