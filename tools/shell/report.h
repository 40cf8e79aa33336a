#pragma once
// The ends of commands: their exceptions, and with --json the object that they print on stdout in any case.

#include <exception>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace lacuna {

// The exit code of a caught exception.
int exitCodeOf(const std::exception& error);
// Prints one that is being handled; with places in files, if there are some, for shaders and native code.
// Returns its exit code.
int printException(const std::exception& error);

// Runs the command. With --json it prints the object of `work`, with "messages" (collectMessages) and
// "exitCode", also if `work` threw.
int reported(bool json, const std::function<int(nlohmann::ordered_json& out)>& work);

}  // namespace lacuna
