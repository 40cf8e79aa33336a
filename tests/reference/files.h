#pragma once
// Image files around graphs: written and read by modules/codecs in a folder that is removed.

#include <map>
#include <string>
#include <vector>

#include "modules/codecs/image_file.h"
#include "tests/reference/reference.h"
#include "tests/support/folder.h"

namespace lacuna::test {

void writeFile(const std::string& codec, const std::string& path, const std::map<std::string, Image>& planes);
Image readFile(const std::string& codec, const std::string& path, const std::string& plane = "output");

// The array of an .npy file of f16 or f32, as numbers.
struct FileArray {
  ValueType type;
  std::vector<double> values;
};
FileArray readArray(const std::string& path);

// Runs frame 0 with its files, and returns the images of all o-memory sinks, by instance.
std::map<std::string, Image> runFiles(const MemoryGraph& graph);

// The bytes of pixels, with all values equally likely: u8 and u16.
Image randomCodes(std::mt19937_64& random, Format format, Extent extent, bool opaque);

double srgbToLinear(double v);  // IEC 61966-2-1
double linearToSrgb(double v);

}  // namespace lacuna::test
