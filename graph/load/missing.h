#pragma once
// Installed: lacuna.h includes it.

namespace lacuna {

// What to do about a missing file. error: nothing runs. skip: its frame is skipped. hold: the last file
// before it is used again. After both, history that follows motion begins again; other feedback continues.
// wait: its frame is computed when the file is whole.
enum class Missing { error, skip, hold, wait };

}  // namespace lacuna
