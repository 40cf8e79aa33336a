#pragma once
// What the components of an image are. Installed: lacuna.h includes it.

namespace lacuna {

enum class Channels { y, rgb, rgba, mv, normal, depth, any1, any2, any4, mosaic };

// Primaries; data: no colours; own: those of the file that a picture comes from, as its profile or its
// chromaticities say.
enum class ColourTag { rec2020, rec709, data, own };

}  // namespace lacuna
