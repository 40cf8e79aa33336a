#pragma once
// The completion of words in shells.

#include <string>

namespace lacuna {

// `lacuna __complete LINE` prints what may stand at the end of a command line: in each line the whole word, a
// tab and what it means.
int runComplete(const std::string& line);

std::string completionScript(const std::string& shell);  // bash, zsh, fish: asks for these

}  // namespace lacuna
