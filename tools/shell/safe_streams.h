#pragma once
// Standard streams in any state: closed, on a full disk, or of a terminal that is gone.

namespace lacuna {

// Must be called first: then no file that is opened later takes the place of a closed standard stream, and
// writing to that stream is an error. Messages that stderr can't take are lost, but nothing else: the exit
// code shows it.
void makeStreamsSafe();

}  // namespace lacuna
