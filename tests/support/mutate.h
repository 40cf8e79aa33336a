#pragma once
// Damaged texts, for tests that any content ends in messages and never in a crash.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "graph/config/text.h"

namespace lacuna::test {

using Random = std::mt19937_64;

inline std::string flipBits(std::string text, Random& random) {
  for (size_t count = 1 + random() % 4; count > 0 && !text.empty(); --count) {
    char& c = text[random() % text.size()];
    c = static_cast<char>(static_cast<unsigned char>(c) ^ (1U << (random() % 8)));
  }
  return text;
}

inline std::string swapLines(const std::string& text, Random& random) {
  std::vector<std::string> lines;
  for (const std::string_view line : splitLines(text))
    lines.emplace_back(line);
  if (lines.size() > 1)
    std::swap(lines[random() % lines.size()], lines[random() % lines.size()]);
  std::string swapped;
  for (const std::string& line : lines)
    swapped += line + "\n";
  return swapped;
}

// Copies a part of the text to another place.
inline std::string repeatPart(std::string text, Random& random) {
  const size_t from = random() % (text.size() + 1);
  const std::string part = text.substr(from, random() % 40);
  return text.insert(random() % (text.size() + 1), part);
}

inline std::string insertSpecial(std::string text, Random& random) {
  const std::vector<std::string> special = {
      "\"",  "\\",         "#",        ":", "\n",  "[[",    "]",
      "{",   "\xcb\x97i;", "\xff",     "ö", "nan", "1e999", "99999999999999999999",
      "'''", "\"\"\"",     "include:", "@", "-1"};
  return text.insert(random() % (text.size() + 1), special[random() % special.size()]);
}

inline std::string mutate(std::string text, Random& random) {
  for (size_t count = 1 + random() % 3; count > 0; --count) {
    switch (random() % 6) {
      case 0:
        text = flipBits(text, random);
        break;
      case 1:
        text.resize(random() % (text.size() + 1));
        break;
      case 2:
        text = swapLines(text, random);
        break;
      case 3:
        text = repeatPart(text, random);
        break;
      case 4:
        text = insertSpecial(text, random);
        break;
      default:
        text.erase(random() % (text.size() + 1), random() % 10);
    }
  }
  return text;
}

// Every message must be shown as text, with a place that is in its file.
inline void expectSound(const Diagnostics& diagnostics, const std::string& text) {
  EXPECT_EQ(firstByteNotText(diagnostics.render()), std::nullopt);
  EXPECT_EQ(diagnostics.sorted().empty(), diagnostics.render().empty());
  const auto lines = splitLines(text);
  for (const Diagnostic& each : diagnostics.sorted()) {
    EXPECT_FALSE(each.message.empty());
    if (each.where.file != 0 || each.where.line == 0)
      continue;
    // An error at the end of a text may be on the empty line after it.
    ASSERT_LE(static_cast<size_t>(each.where.line), lines.size() + 1) << each.message;
    ASSERT_GE(each.where.column, 1) << each.message;
    const size_t length =
        static_cast<size_t>(each.where.line) <= lines.size() ? lines[each.where.line - 1].size() : 0;
    ASSERT_LE(static_cast<size_t>(each.where.column), length + 2) << each.message;
  }
}

}  // namespace lacuna::test
