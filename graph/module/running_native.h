#pragma once
// The native code that runs on this thread, for a message if it crashes.

namespace lacuna {

// "i-png:01"; "" if none runs. For signal handlers, too.
const char* runningNative();

}  // namespace lacuna
