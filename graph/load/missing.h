#pragma once
// Installed: lacuna.h includes it.

namespace lacuna {

// What to do about a missing file. error: nothing runs. skip: its frame is skipped, feedback continues from
// the frame before. hold: the last file before it is used again.
enum class Missing { error, skip, hold };

}  // namespace lacuna
