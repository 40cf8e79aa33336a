#pragma once
// What comes with the program: guides, and programs that are commands of it.

#include <string>
#include <vector>

#include "tools/shell/command_words.h"

namespace lacuna {

std::vector<std::string> guideTopics();

std::string guideText(const std::string& topic);  // empty if there is no such topic; throws FileError

// Becomes the helper, with these words. Returns only if it can't: prints why, and returns the exit code.
int startHelper(const std::string& name, const std::vector<std::string>& words);

// The commands of a helper, "bench gemm" and so on. None if it isn't installed.
std::vector<CommandWords> wordsOfHelper(const std::string& name);

}  // namespace lacuna
