#pragma once
// Libraries before they are loaded.

#include <string>

namespace lacuna {

// Why the file can't be mapped: it ends before a segment that its header promises, where the loader would be
// killed by SIGBUS. "" where it is whole, and for files that are no ELF at all, which the loader reports.
std::string cutOff(const std::string& path);

}  // namespace lacuna
