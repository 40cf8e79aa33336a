#pragma once
// OpenEXR files with channels of any name, whose values name channel and pixel.

#include <ImathBox.h>
#include <ImfPixelType.h>

#include <set>

#include "tests/io/support.h"

namespace lacuna::test {

struct Part {
  std::string name;
  std::vector<std::string> channels;
  std::set<std::string> even = {};  // channels that are 1 everywhere
};

const Imath::Box2i exrWindow(Imath::V2i(0, 0), Imath::V2i(6, 4));

// The value of a channel at a pixel of the display window, which distinguishes channels and pixels. Exact as
// half.
float valueOf(size_t channel, int x, int y);

void writeParts(const std::string& path, const std::vector<Part>& parts, Imf::PixelType type = Imf::HALF,
                Imath::Box2i display = exrWindow, Imath::Box2i data = exrWindow);

// The plane as floats, component by component of the pixel at (x, y).
std::vector<float> pixel(const std::string& path, const std::string& plane, int x, int y,
                         const ReadOptions& options = {});

std::vector<float> expected(const std::vector<size_t>& channels, int x, int y);

}  // namespace lacuna::test
