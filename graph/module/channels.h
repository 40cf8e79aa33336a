#pragma once
// The components of an image. Installed: lacuna.h includes it.

namespace lacuna {

enum class Channels { y, rgb, rgba, mv, normal, depth, any1, any2, any4, mosaic };

// Primaries; data: no colours; own: those of the picture's file, by its profile or its
// chromaticities.
enum class ColourTag { rec2020, rec709, data, own };

}  // namespace lacuna
