#include "graph/run/digest.h"

#include <fmt/format.h>
#include <link.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <vector>

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// The loaded object that contains an address, and its note of the kind "build ID" (elf(5)).
struct LoadedObject {
  ElfW(Addr) address = 0;
  uint64_t digest = 0;
};

bool holds(const dl_phdr_info& object, ElfW(Addr) address) {
  return std::any_of(object.dlpi_phdr, object.dlpi_phdr + object.dlpi_phnum, [&](const ElfW(Phdr) & part) {
    const ElfW(Addr) start = object.dlpi_addr + part.p_vaddr;
    return part.p_type == PT_LOAD && address >= start && address < start + part.p_memsz;
  });
}

uint64_t buildId(const char* notes, size_t bytes) {
  const auto padded = [](size_t size) { return (size + 3) / 4 * 4; };
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(notes + at);
    const size_t text = at + sizeof(*note) + padded(note->n_namesz);
    if (note->n_type == NT_GNU_BUILD_ID && text + note->n_descsz <= bytes)
      return digestOf(std::string_view(notes + text, note->n_descsz));
    at = text + padded(note->n_descsz);
  }
  return 0;
}

int lookAtObject(dl_phdr_info* object, size_t /*bytes*/, void* data) {
  auto& wanted = *static_cast<LoadedObject*>(data);
  if (!holds(*object, wanted.address))
    return 0;
  for (int i = 0; i < object->dlpi_phnum && wanted.digest == 0; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      wanted.digest = buildId(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
  }
  return 1;
}

}  // namespace

uint64_t digestOf(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

uint64_t digestOf(uint64_t a, uint64_t b) {
  const uint64_t both[] = {a, b};
  return XXH3_64bits(both, sizeof(both));
}

uint64_t contentDigest(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> part(size_t{1} << 20U);
  while (in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    XXH3_64bits_update(state.get(), part.data(), static_cast<size_t>(in.gcount()));
  }
  return in.eof() ? XXH3_64bits_digest(state.get()) : 0;
}

uint64_t stampDigest(const fs::path& file) {
  struct stat found {};
  return stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) ? stampDigest(found) : 0;
}

uint64_t stampDigest(const struct stat& found) {
  return digestOf(fmt::format("{} {} {}.{} {}.{}", found.st_size, found.st_ino, found.st_mtim.tv_sec,
                              found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec));
}

uint64_t folderDigest(const fs::path& folder) {
  std::error_code unreadable;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, unreadable))
    if (entry.is_regular_file(unreadable))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  uint64_t digest = 0;
  for (const fs::path& file : files) {
    digest =
        digestOf(digest, digestOf(digestOf(file.lexically_relative(folder).string()), contentDigest(file)));
  }
  return digest;
}

uint64_t programDigest() {
  LoadedObject own{reinterpret_cast<ElfW(Addr)>(&lookAtObject)};
  dl_iterate_phdr(lookAtObject, &own);
  return own.digest;
}

std::string asHex(uint64_t digest) {
  return fmt::format("{:016x}", digest);
}

std::optional<uint64_t> fromHex(const std::string& text) {
  uint64_t digest = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), digest, 16);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(digest) : std::nullopt;
}

}  // namespace lacuna
