#pragma once
// The bound on memory for the contents of one file: a small file can promise a large picture.

#include <cstdint>
#include <string>

namespace lacuna {

// Bytes: half of the machine's memory, or LACUNA_READ_MEMORY in MiB.
uint64_t readMemory();

// Throws FileError where `what`, "a.png" or "comparing 3 x 5 pixels", takes more.
void checkMemory(const std::string& what, uint64_t bytes);

}  // namespace lacuna
