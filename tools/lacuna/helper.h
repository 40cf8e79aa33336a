#pragma once
// Commands that are programs of their own: `lacuna bench` is lacuna-bench, which lies beside the program's
// file, or in libexec of the installation.

#include <string>
#include <vector>

#include "tools/shell/command_words.h"

namespace lacuna {

// Becomes the helper, with these words. Returns only if it can't: prints why, and returns the exit code.
int startHelper(const std::string& name, const std::vector<std::string>& words);

// The commands of a helper, "bench gemm" and so on. None if it isn't installed.
std::vector<CommandWords> wordsOfHelper(const std::string& name);

}  // namespace lacuna
