#pragma once
// The options of `lacuna bench`.

#include <CLI/CLI.hpp>

#include "tools/lacuna/shell/command_line.h"

namespace lacuna {

void describeBench(CLI::App& command, Arguments& a);

}  // namespace lacuna
