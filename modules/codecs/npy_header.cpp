#include "modules/codecs/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace lacuna::io {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NpyHeader header() {
    NpyHeader header;
    std::set<std::string> missing = {"descr", "fortran_order", "shape"};
    expect('{');
    while (!accept('}')) {
      const std::string key = word();
      if (missing.erase(key) == 0)
        fail(fmt::format("each of the keys descr, fortran_order and shape once, not '{}'", key));
      expect(':');
      if (key == "descr")
        header.elements = word();
      else if (key == "fortran_order")
        header.columnsFirst = truth();
      else
        header.shape = shape();
      if (!accept(',') && peek() != '}')
        fail("',' or '}'");
    }
    if (!missing.empty())
      fail(fmt::format("the key '{}'", *missing.begin()));
    if (peek() != '\0')
      fail("nothing but the dictionary");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw NpyHeaderError(fmt::format("expected {} at character {} of its header", expected, at_ + 1));
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char c) {
    const bool found = peek() == c && at_ < text_.size();
    at_ += found ? 1 : 0;
    return found;
  }

  void expect(char c) {
    if (!accept(c))
      fail(fmt::format("'{}'", c));
  }

  std::string word() {
    const char quote = peek();
    if (quote == '[')
      fail("elements of one number each, not a structure");
    if (quote != '\'' && quote != '"')
      fail("a quoted word");
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos || text_.substr(at_, end - at_).find('\\') != std::string_view::npos)
      fail("a quoted word without escapes");
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  bool truth() {
    peek();
    for (const std::string_view name : {std::string_view("True"), std::string_view("False")})
      if (text_.substr(at_, name.size()) == name) {
        at_ += name.size();
        return name == "True";
      }
    fail("True or False");
  }

  std::vector<uint64_t> shape() {
    constexpr size_t mostDimensions = 32;  // NumPy's own limit
    std::vector<uint64_t> lengths;
    expect('(');
    while (!accept(')')) {
      lengths.push_back(length());
      if (lengths.size() > mostDimensions)
        fail("32 dimensions at most");
      if (!accept(',') && peek() != ')')
        fail("',' or ')'");
    }
    return lengths;
  }

  uint64_t length() {
    constexpr size_t mostDigits = 18;
    peek();
    const size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    if (end == at_ || end - at_ > mostDigits)
      fail("a length");
    uint64_t value = 0;
    for (; at_ < end; ++at_)
      value = 10 * value + static_cast<uint64_t>(text_[at_] - '0');
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

NpyHeader parseNpyHeader(std::string_view text) {
  return Parser(text).header();
}

std::string npyPreamble(const NpyHeader& header) {
  const char* comma = header.shape.size() == 1 ? "," : "";
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", header.elements,
                  header.columnsFirst ? "True" : "False", fmt::join(header.shape, ", "), comma);
  constexpr size_t before = 10, alignment = 64;
  const size_t total = (before + text.size() + 1 + alignment - 1) / alignment * alignment;
  text.resize(total - before - 1, ' ');
  text += '\n';
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(text.size() & 0xff) +
         static_cast<char>(text.size() >> 8U) + text;
}

}  // namespace lacuna::io
