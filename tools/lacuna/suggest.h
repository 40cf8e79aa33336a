#pragma once
// What a user may have meant who wrote a command or an option that there isn't.

#include <CLI/CLI.hpp>
#include <string>

namespace lacuna {

// "unknown command 'rnu'; did you mean 'run'?" of the first word that a failed parse left over; "" if there
// is none.
std::string unknownWord(const CLI::App& app);

}  // namespace lacuna
