#pragma once
// The standard format of graph files. Whitespace, quotes and line ends change; words and their order don't.

#include <optional>
#include <string>

#include "graph/config/diagnostics.h"

namespace lacuna {

// Lines without spaces around their words; comments stay, behind the words of neighbouring lines in one
// column; one empty line between groups, none at either end; "\n" as line end. Names and numbers are bare,
// file names and other text quoted, and a value that was quoted stays so. Formatting twice changes nothing
// more. `name` is the file's, for messages and for the folder that its includes start from. `diagnostics`
// must have no errors yet. nullopt if the text has errors, which are reported.
std::optional<std::string> formatConfig(const std::string& text, const std::string& name,
                                        Diagnostics& diagnostics);

}  // namespace lacuna
