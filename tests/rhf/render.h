#pragma once
// Made-up renders with ray histograms.

#include <filesystem>
#include <random>
#include <string>

#include "tests/reference/reference.h"
#include "tests/references/rhf.h"
#include "tests/support/folder.h"

namespace lacuna::test {

struct RenderOptions {
  int bins = 20;        // a colour
  int samples = 16;     // at most, where `uneven`
  bool uneven = false;  // numbers of samples that differ from pixel to pixel, some of them 0
  // Pixels and bins that are NaN, infinite or negative, and numbers of samples that aren't finite.
  bool broken = false;
  bool alpha = false;  // below 1 in places
};

struct Render {
  Image image;  // rgba f32
  Histograms histograms;
};

// Areas of one colour, seen through samples that scatter widely; histograms as their definition fills them.
Render randomRender(std::mt19937_64& random, Extent extent, const RenderOptions& options);

// An EXR file that i-exr reads `output` and `histogram` from.
void writeRender(const std::filesystem::path& file, const Render& render);

// A render's file, as long as this lives.
class RenderFile {
 public:
  explicit RenderFile(const Render& render) { writeRender(path(), render); }
  std::filesystem::path path() const { return folder_.file("render.exr"); }

 private:
  const Folder folder_;
};

// The graph i-exr -> rhf -> o-memory:out over that file; `parameters`: lines of the graph.
MemoryGraph rhfGraph(const std::filesystem::path& file, const std::string& parameters);
std::string linesOf(const RhfParameters& parameters);

}  // namespace lacuna::test
