#pragma once
// Pictures of blocks: each in one colour, from green to red by its RMS, on the same scale in all pictures.

#include <string>
#include <vector>

#include "tools/lacuna/compare/block_comparison.h"

namespace lacuna {

// Sets the pictures' outputs. `output` is a PNG file, for one picture; a folder, there or with / at its end,
// for files such as STEM.png; or a name with {stem} (a picture's name without extension) or {name}. Adds a
// line to `mistakes` for each output that is no PNG, can't be written, or is a compared file.
void nameFalseColours(const std::string& output, BlockComparison& comparison,
                      std::vector<std::string>& mistakes);

// Writes pictures of the compared ones' size to the named outputs; makes their folders. Throws FileError.
void writeFalseColours(const BlockComparison& comparison);

}  // namespace lacuna
