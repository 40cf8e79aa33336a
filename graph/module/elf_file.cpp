#include "graph/module/elf_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace lacuna {

std::string cutOff(const std::string& path) {
  std::error_code failed;
  const uint64_t bytes = std::filesystem::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (failed || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return {};
  }
  uint64_t needed = sizeof header;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; file && i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) {
      needed = header.e_phoff + uint64_t{header.e_phnum} * sizeof segment;
      break;
    }
    if (segment.p_type == PT_LOAD) {
      needed = std::max<uint64_t>(needed, segment.p_offset + segment.p_filesz);
    }
  }
  return bytes < needed ? fmt::format("it is cut off: {} bytes of {}", bytes, needed) : std::string();
}

}  // namespace lacuna
