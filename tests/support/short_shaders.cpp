// Mesa's lavapipe takes the time of these tests for optimising machine code that runs for a moment. Without
// that the same instructions are computed, in the same order. Set before main(), so before a driver is
// loaded; other drivers don't know the variable.

#include <stdlib.h>

namespace {

[[maybe_unused]] const int isSet = setenv("GALLIVM_PERF", "nopt", 0);

}  // namespace
