#pragma once
// Scenes that come with the program.

#include <string>

namespace lacuna {

// "cornell" -> its file.
std::string exampleScene(const std::string& name);

}  // namespace lacuna
