#include "graph/shader/cache_file.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include <atomic>
#include <cstring>
#include <fstream>

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t mostBytes = 1U << 30U;

struct FileHeader {
  char magic[8] = {'L', 'A', 'C', 'U', 'N', 'A', '0', '2'};
  uint32_t bytes = 0;  // uncompressed
  uint32_t crc = 0;    // of the key and the uncompressed bytes
};

uint32_t crcOf(const std::string& key, std::span<const std::byte> content) {
  const uLong ofKey = crc32_z(0, reinterpret_cast<const Bytef*>(key.data()), key.size());
  return static_cast<uint32_t>(
      crc32_z(ofKey, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

}  // namespace

std::string hashName(const std::string& key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

CacheFile::CacheFile(const std::string& folder, const std::string& kind, std::string key)
    : key_(std::move(key)), path_(folder.empty() ? fs::path() : fs::path(folder) / kind / hashName(key_)) {}

std::optional<std::vector<std::byte>> CacheFile::read() const {
  if (path_.empty()) {
    return std::nullopt;
  }
  std::ifstream file(path_, std::ios::binary);
  FileHeader header;
  const FileHeader expected;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.bytes == 0 ||
      header.bytes > mostBytes) {
    return std::nullopt;
  }
  const std::string packed((std::istreambuf_iterator<char>(file)), {});
  constexpr uint64_t bestRatio = 1032;  // of deflate: a larger size is damage, and not worth its memory
  if (header.bytes > bestRatio * packed.size()) {
    return std::nullopt;
  }
  std::vector<std::byte> content(header.bytes);
  uLongf size = header.bytes;
  const int result = uncompress(reinterpret_cast<Bytef*>(content.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (result != Z_OK || size != header.bytes || crcOf(key_, content) != header.crc) {
    return std::nullopt;
  }
  return content;
}

void CacheFile::write(std::span<const std::byte> content) const {
  if (path_.empty() || content.empty() || content.size() > mostBytes) {
    return;
  }
  FileHeader header;
  header.bytes = static_cast<uint32_t>(content.size());
  header.crc = crcOf(key_, content);
  uLongf size = compressBound(header.bytes);
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(content.data()), header.bytes, Z_BEST_SPEED) != Z_OK) {
    return;
  }
  static std::atomic<unsigned> counter{0};
  const fs::path part = path_.string() + fmt::format(".{}-{}", getpid(), counter++);
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  std::ofstream file(part, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(packed.data(), static_cast<std::streamsize>(size));
  file.close();
  if (file) {
    fs::rename(part, path_, error);
  }
  if (!file || error) {
    fs::remove(part, error);
  }
}

bool CacheFile::remove() const {
  std::error_code error;
  return !path_.empty() && fs::remove(path_, error);
}

}  // namespace lacuna
