#pragma once
// What the program lacuna-raw, which unpacks raw photographs by LibRaw, says on its standard output: this,
// then `exifBytes` of Exif data, then, where pixels were asked for, width * height numbers of 16 bits. It
// runs in a process of its own, since nobody can vouch for decoders of hundreds of formats: raw_message.cpp
// checks all of it.

#include <cstdint>

namespace lacuna::io {

constexpr uint32_t rawMagic = 0x5741524c;
constexpr uint32_t mostExifBytes = 60000;  // fits the segment of a JPEG file
// On standard error, of a file that is none of LibRaw's.
constexpr const char* unknownToLibRaw = "no raw photograph that LibRaw knows";
constexpr uint32_t rawPatternSide = 6;

struct RawMessage {
  uint32_t magic;
  uint32_t width, height;  // of what is visible, as stored
  uint32_t orientation;    // as Exif has it, 1 to 8
  // Of the pixels from the top left on, row by row: 0 none, 1 R, 2 G, 3 B.
  uint8_t letters[rawPatternSide * rawPatternSide];
  float black[4];  // of the pixels (0, 0), (1, 0), (0, 1), (1, 1)
  float white;
  float balance[3];          // factors of R, G, B that make the light of the scene white; G has 1
  float toRec709[9];         // of balanced colour; rows
  float fromXyz[9];          // of colour that is not balanced; rows; all 0: not known
  float noise[2];            // a, b: the variance is a x + b, x from 0 at black to 1 at white; 0: not known
  float baselineExposure;    // stops
  float iso;                 // 0: not known
  char make[64], model[64];  // end with 0
  uint32_t exifBytes;
};

}  // namespace lacuna::io
