#pragma once
// The module's picture of a scene against the CPU path tracer's.

#include "tests/pathtrace/module_render.h"
#include "tests/pathtrace/statistics.h"

namespace lacuna::pathtrace::reference {

// The scene of a file, or of the random generator for a number. Fails the test on a diagnostic.
Scene sceneOf(const std::string& fileOrSeed);

// Samples a pixel after which the standard error of a picture's mean luminance is `relative` of it, estimated
// from a few.
double samplesFor(const Scene& scene, const Settings& settings, double relative);

// Both take about settings.samples a pixel. In blocks of side x side pixels and as a whole they differ by no
// more than chance. If the difference of their means is known to .1%, it is below .5%; otherwise returns
// false, because rare bright paths make noise that a few samples don't predict.
bool expectAgreement(const std::string& fileOrSeed, const Settings& settings, int side);

}  // namespace lacuna::pathtrace::reference
