#pragma once
// Standard streams as a program may find them: closed, on a full disk, of a terminal that is gone.

namespace lacuna {

// First of all: no file that is opened later becomes a standard stream that was closed; writing to that one
// is an error then. Messages that stderr can't take are lost, and nothing else: the exit code tells.
void makeStreamsSafe();

}  // namespace lacuna
