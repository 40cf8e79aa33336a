#include "tools/shell/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>

namespace lacuna {

bool isTerminal(int stream) {
  const char* term = std::getenv("TERM");
  return isatty(stream) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

TerminalSize terminalSize(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return {};
  return {size.ws_col, size.ws_row, size.ws_xpixel, size.ws_ypixel};
}

std::string askTerminal(std::string_view question) {
  constexpr int patience = 500;  // milliseconds, for one that is far away
  termios before{};
  const bool isOurs = isatty(STDOUT_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
  if (!isOurs || tcgetattr(STDIN_FILENO, &before) != 0)
    return {};
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
  std::string answer;
  if (write(STDOUT_FILENO, question.data(), question.size()) == static_cast<ssize_t>(question.size())) {
    pollfd waits{STDIN_FILENO, POLLIN, 0};
    const auto isWhole = [&] { return answer.ends_with('c') && answer.find("\x1b[?") != std::string::npos; };
    for (char byte = 0; !isWhole() && poll(&waits, 1, patience) > 0 && read(STDIN_FILENO, &byte, 1) == 1;)
      answer += byte;
  }
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
  return answer;
}

}  // namespace lacuna
