#include "graph/shader/cache_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "graph/config/byte_size.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t mostBytes = 1U << 26U;

struct FileHeader {
  char magic[8] = {'L', 'A', 'C', 'U', 'N', 'A', '0', '2'};
  uint32_t bytes = 0;  // uncompressed
  uint32_t crc = 0;    // CRC of the key and the uncompressed bytes
};

uint32_t crcOf(const std::string& key, std::span<const std::byte> content) {
  const uLong ofKey = crc32_z(0, reinterpret_cast<const Bytef*>(key.data()), key.size());
  return static_cast<uint32_t>(
      crc32_z(ofKey, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

// The bytes of a regular file that is not larger than any that write() makes; "" for others.
std::string bytesOf(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return {};
  struct stat status {};
  std::string bytes;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<uint64_t>(status.st_size) <= sizeof(FileHeader) + compressBound(mostBytes)) {
    bytes.resize(static_cast<size_t>(status.st_size));
    size_t have = 0;
    for (ssize_t got = 1; got > 0 && have < bytes.size();
         have += static_cast<size_t>(std::max<ssize_t>(got, 0)))
      got = ::read(file, bytes.data() + have, bytes.size() - have);
    bytes.resize(have);
  }
  close(file);
  return bytes;
}

// Marks it as used, for trimCache(). The time is kept to the day, so that most reads write nothing.
void rememberUse(const fs::path& path) {
  const auto now = fs::file_time_type::clock::now();
  std::error_code error;
  if (fs::last_write_time(path, error) < now - std::chrono::hours(24) && !error)
    fs::last_write_time(path, now, error);
}

// Trims when this process first adds to a folder, and again after every so many bytes.
void trimNowAndThen(const fs::path& folder, uint64_t added) {
  static const uint64_t bound = cacheBound();
  static std::atomic<uint64_t> sinceThen{bound};
  if ((sinceThen += added) >= bound / 16) {
    sinceThen = 0;
    trimCache(folder, bound);
  }
}

// Files that cost only compile time; measurements cost the user's time.
constexpr const char* trimmedKinds[] = {"spirv", "checked", "pipelines"};
constexpr size_t nameLength = 32;  // hashName()

struct Found {
  fs::path path;
  uint64_t bytes = 0;
  fs::file_time_type used;
  bool isPart = false;  // HASH.PID-COUNT, while it is written
};

std::vector<Found> filesOf(const std::string& folder, const std::string& kind) {
  std::vector<Found> files;
  std::error_code error;
  if (folder.empty())
    return files;
  for (fs::directory_iterator at(fs::path(folder) / kind, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
    const bool isPart = name.find_first_not_of("0123456789-", nameLength + 1) == std::string::npos &&
                        name.substr(digits, 1) == ".";
    std::error_code gone;  // another process removes files, too
    if (digits == nameLength && (isPart || name.size() == digits) &&
        at->symlink_status(gone).type() == fs::file_type::regular) {
      const uint64_t bytes = at->file_size(gone);
      const fs::file_time_type used = at->last_write_time(gone);
      if (!gone)
        files.push_back({at->path(), bytes, used, isPart});
    }
  }
  return files;
}

bool removed(const Found& file) {
  std::error_code error;
  return fs::remove(file.path, error);
}

}  // namespace

std::string hashName(const std::string& key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string defaultCacheFolder() {
  if (const char* own = std::getenv("LACUNA_CACHE"))
    return own;
  for (const auto& [variable, folder] :
       {std::pair("XDG_CACHE_HOME", "/lacuna"), std::pair("HOME", "/.cache/lacuna")})
    if (const char* parent = std::getenv(variable); parent != nullptr && *parent == '/')
      return std::string(parent) + folder;
  return {};
}

CacheFile::CacheFile(const std::string& folder, const std::string& kind, std::string key, Use use)
    : key_(std::move(key)),
      path_(folder.empty() ? fs::path() : fs::path(folder) / kind / hashName(key_)),
      use_(use) {}

std::optional<std::vector<std::byte>> CacheFile::read() const {
  if (path_.empty())
    return std::nullopt;
  const std::string bytes = bytesOf(path_);
  FileHeader header;
  const FileHeader expected;
  if (bytes.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto packed = std::string_view(bytes).substr(sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.bytes == 0 ||
      header.bytes > mostBytes || packed.size() > compressBound(header.bytes))
    return std::nullopt;
  constexpr uint64_t bestRatio = 1032;  // deflate's largest factor: a larger size means damage
  if (header.bytes > bestRatio * packed.size())
    return std::nullopt;
  std::vector<std::byte> content(header.bytes);
  uLongf size = header.bytes;
  const int result = uncompress(reinterpret_cast<Bytef*>(content.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (result != Z_OK || size != header.bytes || crcOf(key_, content) != header.crc)
    return std::nullopt;
  if (use_ == Use::marked)
    rememberUse(path_);
  return content;
}

void CacheFile::write(std::span<const std::byte> content) const {
  if (path_.empty() || content.empty() || content.size() > mostBytes)
    return;
  FileHeader header;
  header.bytes = static_cast<uint32_t>(content.size());
  header.crc = crcOf(key_, content);
  uLongf size = compressBound(header.bytes);
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(content.data()), header.bytes, Z_BEST_SPEED) != Z_OK)
    return;
  static std::atomic<unsigned> counter{0};
  const fs::path part = path_.string() + fmt::format(".{}-{}", getpid(), counter++);
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  std::ofstream file(part, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(packed.data(), static_cast<std::streamsize>(size));
  file.close();
  if (file)
    fs::rename(part, path_, error);
  if (!file || error)
    fs::remove(part, error);
  else
    trimNowAndThen(path_.parent_path().parent_path(), sizeof header + size);
}

bool CacheFile::remove() const {
  std::error_code error;
  return !path_.empty() && fs::remove(path_, error);
}

uint64_t cacheBound() {
  const char* text = std::getenv("LACUNA_CACHE_SIZE");
  return (text == nullptr ? std::nullopt : parseBytes(text)).value_or(uint64_t{2} << 30U);
}

CacheContent cacheContent(const std::string& folder, const std::string& kind) {
  CacheContent content;
  for (const Found& file : filesOf(folder, kind)) {
    ++content.files;
    content.bytes += file.bytes;
  }
  return content;
}

size_t emptyCache(const std::string& folder, const std::string& kind) {
  const std::vector<Found> files = filesOf(folder, kind);
  return static_cast<size_t>(std::ranges::count_if(files, removed));
}

void trimCache(const std::string& folder, uint64_t mostBytes) {
  const fs::file_time_type anHourAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::vector<Found> files;
  uint64_t bytes = 0;
  for (const char* kind : trimmedKinds) {
    for (const Found& file : filesOf(folder, kind)) {
      if (!file.isPart) {
        files.push_back(file);
        bytes += file.bytes;
      } else if (file.used < anHourAgo) {
        removed(file);
      }
    }
  }
  if (bytes <= mostBytes)
    return;
  std::ranges::sort(files, [](const Found& a, const Found& b) { return a.used < b.used; });
  for (auto file = files.begin(); file != files.end() && bytes > mostBytes / 4 * 3; ++file) {
    removed(*file);
    bytes -= file->bytes;
  }
}

}  // namespace lacuna
