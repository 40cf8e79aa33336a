#pragma once
// The visible pixels of a raw photograph, and their meaning.

#include <libraw/libraw.h>

#include <cstdint>
#include <string>

#include "modules/codecs/raw_unpack/exif_writer.h"

namespace lacuna::raw {

// The part of the stored pixels without masked borders, and without what the camera leaves out of its
// pictures.
struct Visible {
  uint32_t left = 0, top = 0, width = 0, height = 0;
  uint32_t cropLeft = 0, cropTop = 0;  // the same place, from LibRaw's first visible pixel
};

// A DNG file of colours, three numbers a pixel.
bool isDemosaiced(const libraw_data_t& data);

// Why a file is not read; "" if it is.
std::string refusal(const libraw_data_t& data);

// Why LibRaw can't read a DNG file's pixels, or takes them for others; "" if it can.
std::string dngRefusal(const ExifWriter& tags);

Visible visibleOf(const libraw_data_t& data, const ExifWriter& tags);
// Colours of 6x6 pixels, as in RawMessage.
void setLetters(LibRaw& raw, const Visible& visible, uint8_t* letters);
void setBlack(LibRaw& raw, const Visible& visible, float* black);

}  // namespace lacuna::raw
