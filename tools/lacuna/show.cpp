// lacuna show: pictures in the terminal.

#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string_view>

#include "graph/config/regex.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/lacuna/page/page.h"
#include "tools/lacuna/page/picture_page.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

// Not larger than these.
ColourImage fitted(const ColourImage& image, double width, double height) {
  const Extent from = image.extent;
  const double by = std::max({1.0, from.width / width, from.height / height});
  const auto side = [&](uint32_t pixels) { return std::max(1U, static_cast<uint32_t>(pixels / by)); };
  const Extent to{side(from.width), side(from.height)};
  return {to, image.colour, shrunk(image.rgb, 3, from, to)};
}

// Two pixels a character, one above the other.
std::string blocksOf(const ColourImage& image) {
  const std::vector<double> shown = onScreen(image);
  const size_t width = image.extent.width, height = image.extent.height;
  const auto colour = [&](size_t x, size_t y) {
    const double* rgb = shown.data() + 3 * (y * width + x);
    return fmt::format("{};{};{}", std::lround(255 * rgb[0]), std::lround(255 * rgb[1]),
                       std::lround(255 * rgb[2]));
  };
  std::string text;
  for (size_t y = 0; y < height; y += 2) {
    for (size_t x = 0; x < width; ++x)
      text +=
          fmt::format("\x1b[38;2;{}{}m▀", colour(x, y), y + 1 < height ? ";48;2;" + colour(x, y + 1) : "");
    text += "\x1b[0m\n";
  }
  return text;
}

// Bands of six rows, a line for each of its colours, of which there are 6 x 7 x 6, mixed by ordered
// dithering.
std::string sixelsOf(const ColourImage& image) {
  constexpr std::array<size_t, 3> levels = {6, 7, 6};
  constexpr std::array<int, 16> order = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  const std::vector<double> shown = onScreen(image);
  const size_t width = image.extent.width, height = image.extent.height;
  std::vector<size_t> codes(width * height);
  for (size_t i = 0; i < codes.size(); ++i)
    for (size_t c = 0; c < 3; ++c) {
      const double mix = (order[i / width % 4 * 4 + i % width % 4] + .5) / 16;
      const double most = static_cast<double>(levels[c] - 1);
      codes[i] = codes[i] * levels[c] + static_cast<size_t>(shown[3 * i + c] * most + mix);
    }
  std::string text = fmt::format("\x1bP0;1q\"1;1;{};{}", width, height);
  for (size_t code = 0; code < 6 * 7 * 6; ++code)
    text += fmt::format("#{};2;{};{};{}", code, code / 42 * 20, code / 6 % 7 * 100 / 6, code % 6 * 20);
  for (size_t top = 0; top < height; top += 6, text += '-') {
    const size_t rows = std::min<size_t>(6, height - top);
    const auto* band = codes.data() + top * width;
    for (const size_t code : std::set<size_t>(band, band + rows * width)) {
      std::string line(width, '?');
      for (size_t i = 0; i < rows * width; ++i)
        line[i % width] += static_cast<char>(band[i] == code ? 1 << i / width : 0);
      text += fmt::format("#{}", code);
      for (size_t x = 0, end = 0; x < width; x = end) {
        end = std::min(line.find_first_not_of(line[x], x), width);
        text += end - x > 3 ? fmt::format("!{}{}", end - x, line[x]) : line.substr(x, end - x);
      }
      text += '$';
    }
  }
  return text + "\x1b\\\n";
}

std::string kittyOf(const ColourImage& image) {
  constexpr size_t most = 4096;
  const std::string data = base64(pngOf(onScreen(image), image.colour, image.extent, 1));
  std::string text;
  for (size_t at = 0; at < data.size(); at += most)
    text += fmt::format("\x1b_G{}m={};{}\x1b\\", at == 0 ? "f=100,a=T,q=2," : "",
                        at + most < data.size() ? 1 : 0, data.substr(at, most));
  return text + "\n";
}

std::string itermOf(const ColourImage& image) {
  const std::string png = pngOf(onScreen(image), image.colour, image.extent, 1);
  return fmt::format("\x1b]1337;File=inline=1;size={};width={}px;height={}px:{}\a\n", png.size(),
                     image.extent.width, image.extent.height, base64(png));
}

struct Way {
  std::string name;
  std::string (*encode)(const ColourImage& image);
};
const std::vector<Way> ways = {
    {"kitty", kittyOf}, {"iterm", itermOf}, {"sixel", sixelsOf}, {"blocks", blocksOf}};

// Its answer to a question that ends in one for its attributes (ESC [ c), so that it answers in any case;
// empty if it doesn't in time, or if this process may not ask.
std::string askTerminal(std::string_view question) {
  constexpr int patience = 500;  // milliseconds, for one that is far away
  termios before{};
  if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &before) != 0)
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

// By what the terminal says of itself, in the environment or when it is asked.
std::string wayOfTerminal() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  const std::string_view program = variable("TERM_PROGRAM");
  if (isatty(STDOUT_FILENO) == 0)
    return "blocks";
  if (variable("TMUX").empty() && variable("STY").empty()) {  // which would be between
    if (!variable("KITTY_WINDOW_ID").empty() || variable("TERM") == "xterm-kitty" || program == "ghostty")
      return "kitty";
    if (program == "iTerm.app" || program == "WezTerm" || program == "mintty")
      return "iterm";
  }
  // A picture of a pixel, which isn't shown; then its attributes, of which 4 are sixels.
  const std::string answer = askTerminal("\x1b_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c");
  return answer.find("_Gi=1;OK") != std::string::npos                ? "kitty"
         : Regex("\x1b\\[\\?[0-9;]*;4[;c]").find(answer).has_value() ? "sixel"
                                                                     : "blocks";
}

void show(const std::string& file, const Way& way) {
  const ColourImage image = loadCompared(file == standardStream ? standardInputFile() : file, "");
  const TerminalSize size = terminalSize(STDOUT_FILENO);
  const bool isBlocks = way.name == "blocks";
  const double width = size.columns * (isBlocks ? 1 : size.characterWidth);
  const double height = (std::max(size.rows, 4) - 2) * (isBlocks ? 2 : size.characterHeight);
  fmt::print("{}", way.encode(fitted(image, width, height)));
  size_t bright = 0;
  for (size_t i = 0; i < image.rgb.size(); i += 3)
    bright += *std::max_element(image.rgb.begin() + i, image.rgb.begin() + i + 3) > 1.0F ? 1 : 0;
  if (bright > 0)
    printNote(fmt::format("{}: {:.2g} % of its pixels are brighter than a screen's white, and shown as that",
                          file, 100.0 * bright / pixelCount(image.extent)));
}

}  // namespace

std::vector<std::string> showWays() {
  return namesIn(ways);
}

int runShow(const ShowArguments& arguments) {
  const Way& way = *findNamed(ways, arguments.as.empty() ? wayOfTerminal() : arguments.as);
  InputMessages messages;
  const std::vector<DenoiseInput> inputs = namedInputs(arguments.files, messages);
  printDiagnostics(messages.problems);
  int code = messages.problems.hasErrors() ? exitUsage : exitOk;
  for (const DenoiseInput& input : inputs) {
    const std::string file = input.isSequence() ? input.fileOf(input.numbers.front()) : input.file;
    if (inputs.size() > 1 || input.isSequence())
      fmt::print("{}\n", terminalText(file));
    try {
      show(file, way);
    } catch (const FileError& error) {
      printError(error.what());
      code = exitFiles;
    }
  }
  return code;
}

}  // namespace lacuna
