#pragma once
// Digests of files and texts, to detect changes.

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

uint64_t digestOf(std::string_view text);
uint64_t digestOf(uint64_t a, uint64_t b);

// Digest of the content; 0 if it can't be read.
uint64_t contentDigest(const std::filesystem::path& file);

// Digest of size, times and inode, without reading the file: while it stays the same, so does the content. 0
// if there is no such file.
uint64_t stampDigest(const std::filesystem::path& file);
uint64_t stampDigest(const struct stat& file);

// Digest of the names and contents of the files in a folder and below it.
uint64_t folderDigest(const std::filesystem::path& folder);

// Digest of the program, or of the library if that is another file: its linker's build ID.
uint64_t programDigest();

std::string asHex(uint64_t digest);
std::optional<uint64_t> fromHex(const std::string& text);

}  // namespace lacuna
