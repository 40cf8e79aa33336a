#pragma once
// Installed: lacuna.h includes it.

namespace lacuna {

// What is done about a missing file. error: nothing is run. skip: its frame isn't run, feedback goes on from
// the frame before. hold: the last file before it is shown again.
enum class Missing { error, skip, hold };

}  // namespace lacuna
