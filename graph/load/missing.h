#pragma once
// Installed: lacuna.h includes it.

namespace lacuna {

// What to do about a missing file. error: nothing runs. skip: its frame is skipped; feedback continues from
// the frame before. hold: the last file before it is used again. wait: its frame is computed when the file is
// whole.
enum class Missing { error, skip, hold, wait };

}  // namespace lacuna
