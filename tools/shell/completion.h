#pragma once
// Texts for shells and man, from the description that --help uses.

#include <string>

#include "tools/shell/command_words.h"

namespace lacuna {

std::string completionScript(const ProgramWords& words, const std::string& shell);  // bash, zsh, fish
std::string bashCompletion(const ProgramWords& words);
std::string zshCompletion(const ProgramWords& words);
std::string fishCompletion(const ProgramWords& words);

std::string manualPage(const ProgramWords& words, const std::string& version);  // roff, section 1

}  // namespace lacuna
