#pragma once
// A filtered render against the reference.

#include "tests/reference/reference.h"
#include "tests/references/rhf.h"

namespace lacuna::test {

// If no decision is in doubt, only rounding differs. At other pixels one patch more or less may have been
// averaged. `mostInDoubt`: the share of pixels that may be so.
void expectFused(const Image& device, const RhfResult& expected, double mostInDoubt = 0.25);

}  // namespace lacuna::test
