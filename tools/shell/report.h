#pragma once
// Commands with --json: one object on stdout, whatever happens.

#include <exception>
#include <functional>
#include <nlohmann/json.hpp>

namespace lacuna {

// What a caught exception means for the exit code.
int exitCodeOf(const std::exception& error);

// Runs the command. With --json it prints what `work` wrote into its object, with "messages"
// (collectMessages) and "exitCode", also where `work` threw.
int reported(bool json, const std::function<int(nlohmann::ordered_json& out)>& work);

}  // namespace lacuna
