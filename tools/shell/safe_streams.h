#pragma once
// Standard streams in any state: closed, on a full disk, or of a terminal that is gone.

namespace lacuna {

// Called first: no file that is opened later becomes a standard stream that was closed; writing to that one
// is an error then. Messages that stderr can't take are lost, but nothing else: the exit code shows it.
void makeStreamsSafe();

}  // namespace lacuna
