#pragma once
// Text from standard input, and text files that appear complete or not at all.

#include <string>

#include "graph/config/text.h"

namespace lacuna {

FileText readStandardInput();

// Written by PartFile. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

}  // namespace lacuna
