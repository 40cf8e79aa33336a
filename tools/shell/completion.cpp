#include "tools/shell/completion.h"

namespace lacuna {

std::string completionScript(const ProgramWords& words, const std::string& shell) {
  return shell == "bash"  ? bashCompletion(words)
         : shell == "zsh" ? zshCompletion(words)
                          : fishCompletion(words);
}

}  // namespace lacuna
