#pragma once
// Where a module's native code lies, and whether it may be loaded from there.

#include <stdexcept>
#include <string>

#include "graph/module/description.h"

namespace lacuna {

// Why native code can't be used: the file, what is wrong with it and how to mend it.
struct NativeCodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The module, or the folder beside it, whose native code it has.
const std::string& codeName(const ModuleDescription& module);
// module.so in that folder; of a module of the source tree, in the build's. It need not exist.
std::string nativeFile(const ModuleDescription& module);

// The file that `path` leads to, symbolic links resolved. Whoever can change it decides what this program
// does, so it, its folder and all folders above must belong to the user or to root, and nobody else may write
// to them; above its own folder, one with the sticky bit (such as /tmp) may be open to all, since others
// can't replace there what is not theirs. Throws NativeCodeError.
std::string trustedFile(const std::string& path);

// Why the file can't be mapped: it ends before a segment that its header promises, where the loader would be
// killed by SIGBUS. "" where it is whole, and for files that are no ELF at all, which the loader reports.
std::string cutOff(const std::string& path);

}  // namespace lacuna
