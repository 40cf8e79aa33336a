#pragma once
// Planes of renders in files of their own, as renderers write them with a file for each AOV.

#include <map>
#include <string>
#include <vector>

#include "tools/lacuna/denoise/inputs.h"

namespace lacuna {

// The planes that may have files of their own.
const std::vector<std::string>& guidePlanes();
// Of a PFM or NumPy file that is this plane.
Channels guideChannels(const std::string& plane);

// Takes the files out of `inputs` that are a picture's plane, by their names, and adds them to that picture:
// albedo.0001.exr belongs to beauty.0001.exr. They are as large and lie in the same folder.
void takeGuideFiles(std::vector<DenoiseInput>& inputs, InputMessages& messages);

// Adds the files that options name, such as --albedo, to the one input. `files`: by plane.
void addGuideFiles(std::vector<DenoiseInput>& inputs, const std::map<std::string, std::string>& files,
                   std::vector<std::string>& problems);

// "guided by albedo.%04d.exr and normal.%04d.exr".
std::string guidesText(const DenoiseInput& input);

}  // namespace lacuna
