#include "graph/config/config.h"

#include <algorithm>
#include <vector>

#include "graph/config/lexer.h"
#include "graph/config/text.h"

namespace lacuna {
namespace {

std::string printValue(const Word& word) {
  const bool plain = isName(word.text) || parseNumber(word.text).has_value();
  return word.quoted || !plain ? quote(word.text) : word.text;
}

std::string printWords(const std::vector<Word>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    const WordRole role = roleOf(words, i);
    out += i == 0 ? "" : ":";
    out += role == WordRole::file    ? quote(words[i].text)
           : role == WordRole::value ? printValue(words[i])
                                     : words[i].text;
  }
  return out;
}

struct Line {
  std::string words;
  std::string comment;
  bool hasBoth() const { return !words.empty() && !comment.empty(); }
  bool isEmpty() const { return words.empty() && comment.empty(); }
};

// The number of code points.
size_t width(const std::string& text) {
  return text.size() - static_cast<size_t>(std::ranges::count_if(text, isContinuationByte));
}

// Comments behind the words of neighbouring lines start in one column.
void alignComments(std::vector<Line>& lines) {
  for (size_t first = 0; first < lines.size(); ++first) {
    size_t end = first;
    size_t column = 0;
    for (; end < lines.size() && lines[end].hasBoth(); ++end)
      column = std::max(column, width(lines[end].words));
    for (size_t i = first; i < end; ++i)
      lines[i].words.append(column + 1 - width(lines[i].words), ' ');
    first = std::max(first, end);
  }
}

}  // namespace

std::optional<std::string> formatConfig(const std::string& text, const std::string& name,
                                        Diagnostics& diagnostics) {
  parseConfigText(text, name, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  std::vector<Line> lines;
  int number = 0;
  for (const std::string_view source : splitLines(text)) {
    const LexedLine lexed = lexLine(source, {-1, ++number, 1, 1}, diagnostics);
    lines.push_back({printWords(lexed.words), lexed.comment});
  }
  alignComments(lines);
  std::string out;
  bool gap = false;
  for (const Line& line : lines) {
    if (!line.isEmpty()) {
      out += gap && !out.empty() ? "\n" : "";
      out += line.words + line.comment + "\n";
    }
    gap = line.isEmpty();
  }
  return out;
}

}  // namespace lacuna
