#pragma once
// How much memory the contents of one file may take: a small file can promise a large picture.

#include <cstdint>
#include <string>

namespace lacuna {

// Bytes: half of the machine's memory, or as many MiB as LACUNA_READ_MEMORY says.
uint64_t readMemory();

// Throws FileError where `what`, "a.png" or "comparing 3 x 5 pixels", takes more.
void checkMemory(const std::string& what, uint64_t bytes);

}  // namespace lacuna
