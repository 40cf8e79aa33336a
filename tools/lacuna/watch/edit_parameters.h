#pragma once
// Values of parameters in the text of a graph file. All else of the text stays: comments, order, spaces.

#include <map>
#include <string>

namespace lacuna {

// `values`: as a user types them behind "param:eaw:01:levels:", by "eaw:01:levels". A parameter's last line
// in the file gets its value, or a new line follows the module's own. Throws Error where the text isn't a
// graph, has no such module, or would not be read back as it is.
std::string withParameters(const std::string& text, const std::string& name,
                           const std::map<std::string, std::string>& values);

}  // namespace lacuna
