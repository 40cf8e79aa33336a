#pragma once
// The options of `lacuna denoise`.

#include "tools/lacuna/command_line.h"

namespace lacuna {

void describeDenoise(CLI::App& command, Arguments& arguments);

}  // namespace lacuna
