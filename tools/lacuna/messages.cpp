#include "tools/lacuna/messages.h"

#include <fmt/format.h>

#include <cstdio>

namespace lacuna {

void printError(const std::string& text) {
  fmt::print(stderr, "lacuna: error: {}\n", text);
}

void printWarning(const std::string& text) {
  fmt::print(stderr, "lacuna: warning: {}\n", text);
}

void printNote(const std::string& text) {
  fmt::print(stderr, "lacuna: {}\n", text);
}

}  // namespace lacuna
