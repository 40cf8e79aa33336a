#pragma once
// A page that shows pictures in step (wipe, side by side, flicker, differences), in one file that loads
// nothing.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/values/image_type.h"
#include "tools/metrics/block_rms.h"

namespace lacuna {

struct PagePicture {
  std::string name;                    // as users wrote it
  std::vector<std::string> files;      // one, or one for each frame
  std::string layer = {};              // view layer of OpenEXR files
  std::optional<PixelArea> crop = {};  // none: it is whole
};

struct PicturePage {
  std::vector<PagePicture> pictures;
  std::vector<int> frames;        // of sequences; empty for single pictures
  std::optional<PixelArea> crop;  // of all pictures; none: they are whole
  std::string reference;          // with which `results` compare
};

// PNG and JPEG files of 8 bits are in the page as they are; other pictures, and crops of these, are linear
// halves in Rec. 709, with NaN and infinite values, or a PNG of 8 bits. `results`: objects with a name and
// metrics, or with frames and a mean (comparisons.h). Written complete or not at all; returns the page's
// bytes. Throws FileError, also where sizes of pictures differ.
uint64_t writePicturePage(const std::string& file, const PicturePage& page,
                          const nlohmann::ordered_json& results);

// An image in fewer pixels, which are means of what is finite in those that they replace.
std::vector<float> shrunk(const std::vector<float>& values, size_t components, Extent from, Extent to);

// A PNG of 8 bits: of bytes, or of three values a pixel from 0 to 1, as they are shown. Throws FileError.
std::string pngOf(const std::vector<std::byte>& rgba, ColourTag colour, Extent extent, int compression);
std::string pngOf(const std::vector<double>& rgb, ColourTag colour, Extent extent, int compression);

void warnOfLargePage(const std::string& file, uint64_t bytes, bool areSequences);

}  // namespace lacuna
