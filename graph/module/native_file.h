#pragma once
// The place of a module's native code, and whether it may be loaded from there.

#include <stdexcept>
#include <string>

#include "graph/module/description.h"

namespace lacuna {

// Why native code can't be used: the file, its problem and the remedy.
struct NativeCodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The module, or the folder beside it, that has its native code.
const std::string& codeName(const ModuleDescription& module);
// module.so in that folder; for a module of the source tree, in the build's. It need not exist.
std::string nativeFile(const ModuleDescription& module);

// The file that `path` leads to, symbolic links resolved. Whoever can change it decides what this program
// does, so it, its folder and all folders above must belong to the user or to root, and nobody else may write
// to them; above its own folder, one with the sticky bit (such as /tmp) may be open to all, since others
// can't replace files there that aren't theirs. Throws NativeCodeError.
std::string trustedFile(const std::string& path);

// Why the file can't be mapped: it ends before a segment that its header promises, so SIGBUS would kill the
// loader. "" for whole files, and for files other than ELF, which the loader reports.
std::string cutOff(const std::string& path);

}  // namespace lacuna
