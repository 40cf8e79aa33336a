#pragma once
// Formats of images: those that values are stored in, and those that a program's images may have.

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/values/image_type.h"

namespace lacuna {

enum class ImageFormat {
  // Every device can store to and sample these; other pixel types are stored as words.
  rgba16f,
  rgba32f,
  r32f,
  r32ui,
  rg32ui,
  rgba32ui,
  // A program's images alone.
  r16f,
  rg16f,
  rg32f,
  rgba8,
  rgba16,
  bgra8,
  rgb10_a2,
  r11f_g11f_b10f,
  d32f
};

std::string_view name(ImageFormat format);                  // as GLSL and `plan` write it
ImageFormat imageFormat(Channels channels, Format format);  // format in which a pixel of this type is stored
uint32_t bytesPerTexel(ImageFormat format);

// Whether the format has a component for each channel. A missing alpha is 1.
bool hasChannels(ImageFormat format, Channels channels);
// Whether shaders can store each pixel of the type without a loss.
bool holds(ImageFormat format, Channels channels, Format type);
// Whether the words of the type's pixels are those of the format, so that copies convert nothing.
bool hasWordsOf(ImageFormat format, Channels channels, Format type);
// "rgba16f, rgba32f": those of a program's images that hold the type; if `words`, that have its words.
std::string formatsFor(Channels channels, Format type, bool words);

}  // namespace lacuna
