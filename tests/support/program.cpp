#include "tests/support/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/environment.h"
#include "tests/support/places.h"

namespace lacuna::test {
namespace {

// Folders and variables that every run of this process shares.
const Folder& privateFolder() {
  static const Folder folder;
  static const bool prepared = [] {
    setenv("LACUNA_CACHE", folder.file("cache").c_str(), 1);
    setenv("XDG_DATA_HOME", folder.file("data").c_str(), 1);
    unsetenv("LACUNA_MODULES");
    return true;
  }();
  (void)prepared;
  return folder;
}

std::vector<std::string> commandLine(const std::vector<std::string>& arguments, const Surroundings& where) {
  std::vector<std::string> words;
  if (!where.folder.empty())
    words = {"/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", where.folder};
  words.push_back(place("LACUNA_PROGRAM", LACUNA_PROGRAM));
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

int waitFor(pid_t child, const Surroundings& surroundings, rusage& used) {
  int status = 0;
  bool interrupted = surroundings.interruptAt.empty();
  while (true) {
    const pid_t ended = wait4(child, &status, interrupted ? 0 : WNOHANG, &used);
    if (ended == child)
      return status;
    if (ended < 0)
      throw std::runtime_error("a program can't be waited for");
    if (fs::exists(surroundings.interruptAt)) {
      usleep(static_cast<useconds_t>(surroundings.microseconds));
      kill(child, surroundings.signal);
      interrupted = true;
    }
    usleep(1000);
  }
}

constexpr int wishes[] = {SIGHUP, SIGINT, SIGTERM};

// A child ignores signals only if `ignoresSignals`, whatever signals this process itself ignores.
pid_t spawn(const std::vector<char*>& argv, const posix_spawn_file_actions_t& actions, bool ignoresSignals) {
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGXFSZ);
  for (const int each : wishes)
    if (ignoresSignals)
      std::signal(each, SIG_IGN);
    else
      sigaddset(&defaults, each);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv.front(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  for (const int each : wishes)
    std::signal(each, SIG_DFL);
  if (failed != 0)
    throw std::runtime_error(fmt::format("{} can't be run", argv.front()));
  return child;
}

Outcome run(std::vector<std::string> words, const Surroundings& surroundings) {
  const std::string out = privateFolder().file("stdout");
  const std::string err = privateFolder().file("stderr");
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int fresh = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), fresh, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), fresh, 0600);
  const pid_t child = spawn(argv, actions, surroundings.ignoresSignals);
  posix_spawn_file_actions_destroy(&actions);
  rusage used{};
  const int status = waitFor(child, surroundings, used);
  // 1000 more if a signal ended the program, because a program may also return 128 + signal itself.
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), slurp(out), slurp(err),
          used.ru_maxrss};
}

}  // namespace

Outcome runProgram(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  privateFolder();
  return run(commandLine(arguments, surroundings), surroundings);
}

Outcome runShell(const std::string& script, const std::string& folder) {
  static const bool isPrepared = [] {
    setenv("SOURCE", fs::path(testFolder()).parent_path().c_str(), 1);
    const std::string asUser = privateFolder().file("as-user");
    spill(asUser,
          "#!/bin/sh\n[ $(id -u) = 0 ] && exec setpriv --bounding-set=-dac_override,-dac_read_search "
          "\"$@\"\nexec \"$@\"\n");
    fs::permissions(asUser, fs::perms::owner_all);
    fs::create_symlink(place("LACUNA_PROGRAM", LACUNA_PROGRAM), privateFolder().file("lacuna"));
    return true;
  }();
  (void)isPrepared;
  const Environment path("PATH", privateFolder().file("") + ":" + std::getenv("PATH")),
      language("LC_ALL", "C");
  return run({"/bin/sh", "-c", "cd \"$0\" || exit\n" + script, folder}, {});
}

nlohmann::json jsonOf(const std::vector<std::string>& arguments) {
  const Outcome outcome = runProgram(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return readJson(outcome.out);
}

void writeRandomPng(const std::string& path, Extent extent) {
  ValueType type;
  type.channels = Channels::rgba;
  type.format = Format::u8;
  type.colour = ColourTag::rec709;
  type.extent = extent;
  std::mt19937_64 random = namedRandom(fs::path(path).filename());
  std::vector<std::byte> pixels = randomBytes(byteSize(type), random);
  for (size_t alpha = 3; alpha < pixels.size(); alpha += 4)
    pixels[alpha] = std::byte{255};
  writeImage("png", path, {{"output", type, pixels}});
}

std::vector<std::string> namesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename() != ".lacuna")
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string listing(const std::string& folder) {
  std::vector<std::string> lines;
  std::error_code isLoop;  // of links
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    lines.push_back(fmt::format("{} {} {}\n", entry.path().string(),
                                entry.is_regular_file(isLoop) ? entry.file_size() : 0,
                                entry.last_write_time(isLoop).time_since_epoch().count()));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines)
    text += line;
  return text;
}

}  // namespace lacuna::test
