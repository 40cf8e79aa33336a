#include "graph/lists.h"
#include "modules/codecs/raw.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>

#include "graph/files/own_place.h"

namespace lacuna::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* program = "lacuna-raw";

// Beside the program or library that this is part of, or in a folder above: build/lacuna-raw,
// lib/lacuna/lacuna-raw.
std::string unpacker(const std::string& path) {
  fs::path folder = ownFolder();
  for (int above = 0; above < 4 && folder.has_relative_path(); ++above, folder = folder.parent_path())
    for (const fs::path& place : {folder / program, folder / "lib" / "lacuna" / program}) {
      std::error_code failed;
      if (fs::is_regular_file(place, failed))
        return place.string();
    }
  refuse(path,
         "a raw photograph, but the program {}, which unpacks them, is neither in {} nor in a folder above",
         program, ownFolder());
}

// Files, because they close their ends; they are not read by stdio.
struct Pipe {
  File out, in;
  explicit Pipe(const std::string& path) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      refuse(path, "can't be unpacked: {}", std::strerror(errno));
    out.reset(fdopen(ends[0], "rb"));
    in.reset(fdopen(ends[1], "wb"));
    if (!out || !in)
      throw std::bad_alloc();
  }
};

// The child's limits: far above any camera's file, and far below a machine's resources.
struct Bounds {
  uint64_t mib, cpuSeconds;
  explicit Bounds(uint64_t fileBytes)
      : mib(256 + 16 * (fileBytes >> 20U)), cpuSeconds(10 + (fileBytes >> 20U)) {}
  // Other processes may use the processor, or the disk.
  std::chrono::seconds wait() const { return std::chrono::seconds(8 * cpuSeconds); }
};

class Child : NoCopy {
 public:
  Child(const std::string& path, bool wantsPixels)
      : path_(path),
        bounds_(fileBytes(path)),
        data_(path),
        message_(path),
        end_(Clock::now() + bounds_.wait()) {
    // What was read from standard input is an open file of this process.
    constexpr std::string_view own = "/proc/self/";
    const std::string file = path.starts_with("-") ? "./" + path
                             : path.starts_with(own)
                                 ? fmt::format("/proc/{}/{}", getpid(), path.substr(own.size()))
                                 : path;
    start({unpacker(path), file, wantsPixels ? "pixels" : "header", std::to_string(bounds_.mib),
           std::to_string(bounds_.cpuSeconds)});
    data_.in.reset();
    message_.in.reset();
  }
  ~Child() {
    if (process_ > 0)
      stop();
  }

  void read(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
      awaitBytes();
      const ssize_t count = ::read(fileno(data_.out.get()), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        refuse(path_, "{}", whatIsWrong());
      bytes = bytes.subspan(static_cast<size_t>(count));
    }
  }

 private:
  void start(std::vector<std::string> words) {
    // With one thread, because each takes a stack, and a heap from malloc.
    std::vector<std::string> environment = {"OMP_NUM_THREADS=1"};
    for (const char* name : {"LD_LIBRARY_PATH", rawTestVariable})
      if (const char* value = std::getenv(name))
        environment.push_back(fmt::format("{}={}", name, value));
    const auto pointers = [](std::vector<std::string>& texts) {
      std::vector<char*> list;
      for (std::string& text : texts)
        list.push_back(text.data());
      list.push_back(nullptr);
      return list;
    };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(data_.in.get()), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(message_.in.get()), STDERR_FILENO);
    const int failed = posix_spawn(&process_, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                                   pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
      process_ = -1;
      refuse(path_, "{} can't be started: {}", words[0], std::strerror(failed));
    }
  }

  void awaitBytes() {
    pollfd ready{fileno(data_.out.get()), POLLIN, 0};
    while (true) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
      const int count = left > 0 ? poll(&ready, 1, static_cast<int>(left)) : 0;
      if (count > 0)
        return;
      if (count == 0)
        refuse(path_, "{}", tooLong());
      if (errno != EINTR)
        refuse(path_, "can't be unpacked: {}", std::strerror(errno));
    }
  }

  std::string tooLong() const {
    return fmt::format("unpacking it takes more than {} seconds, which no file of its size may take",
                       bounds_.cpuSeconds);
  }

  int stop() {
    kill(process_, SIGKILL);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }

  // The child's output has ended too early: reports its own message, or how it ended.
  std::string whatIsWrong() {
    std::array<char, 512> text{};
    pollfd ready{fileno(message_.out.get()), POLLIN, 0};
    constexpr int shortWhile = 1000;
    const ssize_t count =
        poll(&ready, 1, shortWhile) > 0 ? ::read(fileno(message_.out.get()), text.data(), text.size()) : 0;
    std::string words(text.data(), count > 0 ? static_cast<size_t>(count) : 0);
    for (char& c : words)
      c = static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~' ? '?' : c;
    const int status = endedBy();
    if (!words.empty())
      return words;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      return tooLong();
    return WIFSIGNALED(status) ? fmt::format("LibRaw crashes over it (signal {})", WTERMSIG(status))
                               : std::string("damaged: it breaks off");
  }

  // The child has closed its output, and is about to end.
  int endedBy() {
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < 200 && ended == 0; ++i) {
      ended = waitpid(process_, &status, WNOHANG);
      if (ended == 0)
        poll(nullptr, 0, 10);
    }
    if (ended == 0)
      return stop();
    process_ = -1;
    return status;
  }

  const std::string& path_;
  Bounds bounds_;
  Pipe data_, message_;
  Clock::time_point end_;
  pid_t process_ = -1;
};

RawPhotograph readFrom(Child& child, const std::string& path) {
  return readMessage(path, fileBytes(path), [&](std::span<std::byte> bytes) { child.read(bytes); });
}

// Headers are asked once: programs ask several times for a file, and each answer takes a process.
struct Known {
  dev_t device;
  ino_t file;
  timespec changed;
  std::shared_ptr<const RawPhotograph> raw;  // null if there is a mistake
  std::string mistake;
};

// Whoever writes a file may put its time of writing back, but not that of its last change.
bool isOf(const Known& known, const struct stat& status) {
  return known.device == status.st_dev && known.file == status.st_ino &&
         known.changed.tv_sec == status.st_ctim.tv_sec && known.changed.tv_nsec == status.st_ctim.tv_nsec;
}

Known ask(const std::string& path, const struct stat& status) {
  Known known{status.st_dev, status.st_ino, status.st_ctim, nullptr, {}};
  try {
    Child child(path, false);
    known.raw = std::make_shared<const RawPhotograph>(readFrom(child, path));
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

void readRawRows(const std::string& path, const RawPhotograph& expected,
                 const std::function<void(uint32_t y, std::span<const float> row)>& take) {
  Child child(path, true);
  const RawPhotograph found = readFrom(child, path);
  if (!(found.extent() == expected.extent()) || !(found.stored == expected.stored) ||
      found.about.samples != expected.about.samples || found.about.white != expected.about.white ||
      !std::ranges::equal(found.about.black, expected.about.black))
    refuse(path, "it changed while it was read");
  std::vector<float> row(size_t{found.about.width} * found.about.samples);
  for (uint32_t y = 0; y < found.about.height; ++y) {
    child.read(std::as_writable_bytes(std::span(row)));
    take(y, row);
  }
}

}  // namespace lacuna::io
