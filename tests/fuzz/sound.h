#pragma once
// Messages that a terminal can show, at places that exist.

#include <string>

#include "graph/config/diagnostics.h"

namespace lacuna::fuzz {

// `text`: of the first file.
void expectSound(const Diagnostics& diagnostics, const std::string& text);

}  // namespace lacuna::fuzz
