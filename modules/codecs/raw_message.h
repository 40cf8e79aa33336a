#pragma once
// The output of the program lacuna-raw, which unpacks raw photographs by LibRaw: this, then `exifBytes`
// of Exif data, then, if pixels were requested, width * height * samples floats. It runs in a separate
// process, since decoders of hundreds of formats can't be trusted: raw_file.cpp checks all of it.

#include <cstdint>

namespace lacuna::io {

constexpr uint32_t rawMagic = 0x5741524c;
constexpr uint32_t mostExifBytes = 60000;  // fits the segment of a JPEG file
// The text on standard error for a file that LibRaw doesn't know.
constexpr const char* unknownToLibRaw = "no raw photograph that LibRaw knows";
constexpr uint32_t rawPatternSide = 6;
// Set by tests: the program then does "crash", "spin" or "memory" in place of LibRaw.
constexpr const char* rawTestVariable = "LACUNA_TEST_RAW";

struct RawMessage {
  uint32_t magic;
  uint32_t width, height;  // size of the visible part, as stored
  uint32_t samples;        // numbers a pixel: 1, or 3 in a picture that is demosaiced already
  uint32_t orientation;    // Exif's orientation, 1 to 8
  // Colours of the pixels from the top left on, row by row: 0 none, 1 R, 2 G, 3 B.
  uint8_t letters[rawPatternSide * rawPatternSide];
  float black[4];  // of the pixels (0, 0), (1, 0), (0, 1), (1, 1); with 3 samples: of R, G, B
  float white;
  float balance[3];          // factors of R, G, B that make the light of the scene white; G has 1
  float toRec709[9];         // of balanced colour; rows
  float fromXyz[9];          // from unbalanced colour, row by row; all 0 if unknown
  float noise[2];            // a, b: the variance is a x + b, x from 0 at black to 1 at white; 0: unknown
  float baselineExposure;    // stops
  float iso;                 // 0: not known
  char make[64], model[64];  // end with 0
  uint32_t exifBytes;
};

}  // namespace lacuna::io
