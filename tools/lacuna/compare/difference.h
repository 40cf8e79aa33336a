#pragma once
// A picture that shows where two pictures differ.

#include <string>
#include <vector>

#include "modules/codecs/image_file.h"

namespace lacuna {

// Throws FileError where `file` is not a name of a PNG that can be written, or is one of the inputs.
void checkDifferenceFile(const std::string& file, const std::vector<std::string>& inputs);

// A PNG of 8 times the difference of each component on screen (clipped to [0, 1], on the curve of sRGB):
// black where both are equal, white from 32 of 255 steps on, magenta where a value is NaN or infinite. Makes
// the file's folder. Needs: equal extents. Throws FileError.
void writeDifference(const std::string& file, const ColourImage& a, const ColourImage& b);

}  // namespace lacuna
