// Headers of raw photographs, asked once: programs ask several times for a file, and each answer takes a
// process.

#include <sys/stat.h>

#include <deque>
#include <mutex>

#include "modules/codecs/raw_child.h"

namespace lacuna::io {

namespace {

struct Known {
  dev_t device;
  ino_t file;
  off_t bytes;
  timespec changed;
  std::shared_ptr<const RawPhotograph> raw;  // null if there is a mistake
  std::string mistake;
};

bool isOf(const Known& known, const struct stat& status) {
  return known.device == status.st_dev && known.file == status.st_ino && known.bytes == status.st_size &&
         known.changed.tv_sec == status.st_mtim.tv_sec && known.changed.tv_nsec == status.st_mtim.tv_nsec;
}

Known ask(const std::string& path, const struct stat& status) {
  Known known{status.st_dev, status.st_ino, status.st_size, status.st_mtim, nullptr, {}};
  try {
    known.raw = std::make_shared<const RawPhotograph>(askHeader(path));
  } catch (const FileError& error) {
    known.mistake = std::string(error.what()).substr(path.size());  // the same file may have another name
  }
  return known;
}

Known knownOf(const std::string& path) {
  static std::mutex mutex;
  static std::deque<Known> all;
  constexpr size_t most = 256;
  openToRead(path);  // the reason why it can't be read
  struct stat status {};
  stat(path.c_str(), &status);
  {
    const std::lock_guard lock(mutex);
    for (const Known& known : all)
      if (isOf(known, status))
        return known;
  }
  Known asked = ask(path, status);
  const std::lock_guard lock(mutex);
  all.push_front(asked);
  if (all.size() > most)
    all.pop_back();
  return asked;
}

}  // namespace

bool isRaw(const std::string& path) {
  return !knownOf(path).mistake.ends_with(unknownToLibRaw);
}

std::shared_ptr<const RawPhotograph> rawHeader(const std::string& path) {
  const Known known = knownOf(path);
  if (known.raw == nullptr)
    throw FileError(path + known.mistake);
  return known.raw;
}

}  // namespace lacuna::io
