#pragma once
// The subcommands. Each returns the program's exit code.

#include <string>
#include <vector>

namespace lacuna {

int runDevices(bool json);

}  // namespace lacuna
