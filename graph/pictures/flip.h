#pragma once
// LDR-FLIP: the difference that a viewer sees when flipping between two pictures. Andersson, Nilsson,
// Akenine-Möller, Oskarsson, Åström, Fairchild: FLIP: A Difference Evaluator for Alternating Images.
// Proceedings of the ACM on Computer Graphics and Interactive Techniques 3(2), 2020.

#include "graph/values/image_type.h"

namespace lacuna {

// A screen of 3840 pixels that is 0.7 m wide, seen from 0.7 m: the paper's own.
constexpr double flipPixelsPerDegree = 0.7 * 3840 / 0.7 * 3.14159265358979323846 / 180;

// The mean over the pixels, 0 (equal) to 1, for values on screen: clipped to [0, 1], NaN as 0, as Rec. 709.
// The same if a and b are exchanged. Needs: equal extents.
double meanFlip(const ColourImage& a, const ColourImage& b, double pixelsPerDegree = flipPixelsPerDegree);

}  // namespace lacuna
