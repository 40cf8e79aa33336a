#pragma once
// Commands with --json print one object on stdout in any case.

#include <exception>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace lacuna {

// The exit code of a caught exception.
int exitCodeOf(const std::exception& error);

// Runs the command. With --json it prints the object of `work`, with "messages" (collectMessages) and
// "exitCode", also if `work` threw.
int reported(bool json, const std::function<int(nlohmann::ordered_json& out)>& work);

}  // namespace lacuna
