#pragma once
// OpenEXR files with channels of any name, whose values name channel and pixel.

#include <ImathBox.h>
#include <ImfPixelType.h>
#include <ImfTileDescription.h>

#include <optional>
#include <set>

#include "tests/io/support.h"

namespace lacuna::test {

struct Part {
  std::string name;
  std::vector<std::string> channels;
  std::set<std::string> even = {};  // channels that are 1 everywhere
  std::optional<Imf::TileDescription> tiles = {};
  std::vector<std::string> views = {};  // one: of the part, as parts have; several: of its channels
};

const Imath::Box2i exrWindow(Imath::V2i(0, 0), Imath::V2i(6, 4));

// The value of a channel at a pixel of the display window, which distinguishes channels and pixels. Exact as
// half.
float valueOf(size_t channel, int x, int y);

// Levels of tiled parts are the corners of their size, which no filter makes.
void writeParts(const std::string& path, const std::vector<Part>& parts, Imf::PixelType type = Imf::HALF,
                Imath::Box2i display = exrWindow, Imath::Box2i data = exrWindow);

void writeDeep(const std::string& path);  // of no samples

// The plane as floats, component by component of the pixel at (x, y).
std::vector<float> pixel(const std::string& path, const std::string& plane, int x, int y,
                         const ReadOptions& options = {});

std::vector<float> expected(const std::vector<size_t>& channels, int x, int y);

}  // namespace lacuna::test
