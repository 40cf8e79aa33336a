#pragma once
// The pixels of a thread and the places of their taps, as GLSL.

#include <string>
#include <vector>

namespace lacuna {

// First lines of main(): the thread's pixels. Defines x and y0 (the first pixel in the original layout), vx
// and vy (where it lies in the state's layout), and returns threads without a pixel. `e` is the image's
// extent, s the dilation, LOG_DILATION its logarithm. Further pixels follow at a distance of s columns and
// rows.
struct ThreadMapping {
  // The functions that the text calls, beside GLSL's own and those of `declarations`: of the shader's head,
  // of permuted layouts, taps and tiles (shader/generate: prelude, permutation_glsl, stencil_taps,
  // stencil_fused).
  std::vector<std::string> includes;
  std::string declarations;  // at file scope: shared memory
  std::string main;
  std::string columnCentre;  // column term of the centre
  std::string columnStep;    // distance of two taps' column terms
  std::string rowCentre;
  std::string rowStep;
  std::string tapCall;  // "tapAt($c, $q)" with the terms filled in by the caller
  // The place of a tap in mirrored layouts: maps a term $t back into the layout.
  std::string mirroredColumn = "$t";
  std::string mirroredRow = "$t";
};

}  // namespace lacuna
