#pragma once
// The commands of transcripts that no shell has: files to read, and looks at what was written. README.md
// lists them.

#include <optional>
#include <string>

#include "tests/support/program.h"

namespace lacuna::test {

// Nothing if it is a command of the shell.
std::optional<Outcome> ownCommand(const std::string& command, const std::string& folder);

}  // namespace lacuna::test
