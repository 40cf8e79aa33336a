#pragma once
// One line of a file -> its words: name:name:"quoted value" in graph files, name name "quoted value" in
// others, with # comments.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/config/config.h"

namespace lacuna {

// `line` has no line end. `where` gives file and line number. Empty lines and comments have no words; a line
// with an error, for which `wrong` is set, has those before it.
struct LexedLine {
  std::vector<Word> words;
  std::string comment = {};  // from its '#' on, without spaces at its end
  bool wrong = false;
};
enum class Between { colons, spaces };
LexedLine lexLine(std::string_view line, Location where, Diagnostics& diagnostics,
                  Between words = Between::colons);

// What stands between colons, without regard to quotes; each word at `where`.
std::vector<Word> splitWords(const std::string& text, const Location& where);

// The values of an option, as in a graph file: colons between them, and quotes around one that has a colon;
// each at `where`. None if a mistake was reported.
std::vector<Word> lexValues(const std::string& text, const Location& where, Diagnostics& diagnostics);

// "name" and "value" of "name=value", at the first '='.
std::pair<std::string, std::string> splitAtEquals(const std::string& word);

// The text behind a byte order mark, with which a file's first line may begin.
std::string_view afterByteOrderMark(std::string_view line);

// A hint for a word that looks like another language's comment; "" for others.
std::string commentHint(std::string_view word);

// Words that other programs separate by commas, semicolons or spaces, as in brackets: "[1, 1.5]" -> "1:1.5".
std::string withColons(std::string_view list);

// Whether the line is UTF-8 without zero bytes. Other mistakes are reported.
bool isText(std::string_view line, Location where, Diagnostics& diagnostics);

}  // namespace lacuna
