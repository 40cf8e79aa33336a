#pragma once

#include "graph/io/codec.h"

namespace lacuna::io {

// White, red, green, blue; x and y of each: ITU-R BT.2020.
constexpr double rec2020WhiteAndPrimaries[8] = {0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046};

void writePng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options);

}  // namespace lacuna::io
