#pragma once

#include <ImfChromaticities.h>

#include "modules/codecs/codec.h"

namespace lacuna::io {

Imf::Chromaticities rec2020Chromaticities();  // ITU-R BT.2020, white D65
bool sameChromaticities(const Imf::Chromaticities& a, const Imf::Chromaticities& b);  // within .002

extern const Codec exrCodec;

void writeExr(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options);

}  // namespace lacuna::io
