#pragma once
// What a terminal can show.

#include <string>
#include <string_view>

namespace lacuna {

bool isTerminal(int stream);  // that moves its cursor, too

// In characters and, where it is known, in pixels. 80 by 24 where nothing is.
struct TerminalSize {
  int columns = 80, rows = 24, width = 0, height = 0;
};
TerminalSize terminalSize(int stream);

// Its answer to a question that ends in one for its attributes (ESC [ c), so that it answers in any case;
// empty if it doesn't in time, or if this process may not ask.
std::string askTerminal(std::string_view question);

}  // namespace lacuna
