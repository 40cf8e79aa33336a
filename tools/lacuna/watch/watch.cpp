// lacuna watch: runs a graph again at each save of what it was made from, and shows it on a page.

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/watch/edit_parameters.h"
#include "tools/lacuna/watch/page_server.h"
#include "tools/lacuna/watch/watched_files.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"
#include "tools/shell/program.h"
#include "tools/shell/progress.h"

namespace lacuna {
namespace {

constexpr int settledMs = 400;  // without a change, until outputs are written

class Watch {
 public:
  explicit Watch(const WatchArguments& arguments)
      : arguments_(arguments), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    arguments_.run.progress = ShowProgress::never;
    openDevices(devices_, arguments_.run);
    live_.emplace(arguments_.run, devices_.front());
  }
  ~Watch() { close(wake_); }

  int run() {
    const Interrupts interrupts;
    std::optional<PageServer> server;
    if (arguments_.port) {
      server.emplace(*arguments_.port, arguments_.run.graph.graph, requests());
      printLine(server->address());
      std::fflush(stdout);
    }
    bool isChanged = true, isWritten = false;
    while (Interrupts::signal() == 0) {
      if (isChanged) {
        follow();
        if (server)
          show(*server);
        isWritten = false;
      }
      if (!isWritten && (!server || !waits(settledMs))) {
        write();
        isWritten = true;
      }
      if (isWritten)
        waits(-1);
      // Also the outputs beside the graph wake the loop, and are no change.
      isChanged = takeChanges();
    }
    return exitOk;
  }

 private:
  // The page's wishes, which the loop grants.
  PageRequests requests() {
    return {[this](const std::string& parameter, const std::string& value) {
              constexpr size_t longest = 4096;
              if (parameter.size() > longest || value.size() > longest ||
                  value.find_first_of("\r\n") != std::string::npos)
                throw Error(ErrorKind::call, "expected a parameter's value in one line");
              const std::scoped_lock lock(mutex_);
              wished_[parameter] = value;
              wake();
            },
            [this](int frame) {
              const std::scoped_lock lock(mutex_);
              frame_ = frame;
              wake();
            },
            [this] {
              const std::scoped_lock lock(mutex_);
              wished_.clear();
              forgets_ = true;
              wake();
            },
            [this] {
              const std::scoped_lock lock(mutex_);
              return save();
            }};
  }

  void wake() {
    isStale_ = true;
    eventfd_write(wake_, 1);
  }

  std::string save() {
    const std::string& name = arguments_.run.graph.graph;
    const FileText text = readTextFile(name);
    if (!text.error.empty())
      return fmt::format("{}: {}", name, text.error);
    std::map<std::string, std::string> all = saved_;
    for (const auto& [parameter, value] : wished_)
      all[parameter] = value;
    try {
      writeTextFile(name, withParameters(text.text, name, all));
    } catch (const std::exception& error) {
      return error.what();
    }
    forgets_ = true;
    wished_.clear();
    return {};
  }

  // Whether something changes before so many milliseconds have passed; -1: until then, or until a signal.
  bool waits(int ms) {
    std::array<pollfd, 2> ready = {pollfd{files_.descriptor(), POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    constexpr int step = 200;  // a signal ends the program so soon
    for (int waited = 0; (ms < 0 || waited < ms) && Interrupts::signal() == 0; waited += step)
      if (poll(ready.data(), ready.size(), ms < 0 ? step : std::min(step, ms - waited)) > 0)
        return true;
    return false;
  }

  bool takeChanges() {
    eventfd_t count = 0;
    const bool isWoken = eventfd_read(wake_, &count) == 0;
    const bool isSaved = !files_.changed().empty();
    const std::scoped_lock lock(mutex_);
    isStale_ = false;
    if (forgets_)
      live_->tried.clear();
    forgets_ = false;
    for (const auto& [parameter, value] : wished_)
      live_->tried[parameter] = value;
    saved_ = live_->tried;
    wished_.clear();
    live_->frame = frame_;
    return isWoken || isSaved;
  }

  void follow() {
    const RunArguments arguments = live_->withTried();
    GraphOptions options = arguments;
    options.frames.most = 1;
    const auto state = loadState(arguments.graph, arguments.graph.graph, options);
    const std::vector<std::string> names = state->loaded.diagnostics.fileNames();
    std::set<std::string> files(names.begin(), names.end()), folders;
    files.insert(arguments.graph.graph);
    for (const std::string& folder : state->modulePath)
      folders.insert(folder + "/shared");
    for (const auto& description : state->loaded.descriptions)
      folders.insert(description->folder);
    for (const ModuleInstance& module : state->loaded.graph.modules.modules)
      for (const std::string& file : filesToRead(*state, module))
        files.insert(file);
    if (!state->loaded.ok())  // what the last good one was made from counts, too
      files.insert(followed_.begin(), followed_.end());
    files_.follow(files, folders);
    followed_ = files;
  }

  void show(PageServer& server) {
    server.publish(live_->update([this] { return isStale_ || Interrupts::signal() != 0; }));
  }

  // The outputs, by the graph as it is in its file and what is tried on the page.
  void write() {
    RunArguments run = live_->withTried();
    run.begun = commandSeconds();
    run.quiet = false;
    nlohmann::ordered_json out;
    try {
      runGraph(run, out, devices_);
    } catch (const std::exception& error) {
      printException(error);
    }
    std::fflush(stdout);
  }

  WatchArguments arguments_;
  std::vector<Device> devices_;
  std::optional<LiveGraph> live_;
  WatchedFiles files_;
  std::set<std::string> followed_;
  int wake_;
  std::atomic<bool> isStale_ = false;  // what is computed isn't what is wished

  std::mutex mutex_;
  std::map<std::string, std::string> wished_, saved_;
  std::optional<int> frame_;
  bool forgets_ = false;
};

}  // namespace

int runWatch(const WatchArguments& arguments) {
  try {
    if (arguments.run.graph.graph == "-") {
      printError("-: standard input can't be watched; expected a graph file");
      return exitUsage;
    }
    if (std::error_code ignored; !std::filesystem::exists(arguments.run.graph.graph, ignored)) {
      printError(fmt::format("{}: there is no such file", arguments.run.graph.graph));
      return exitUsage;
    }
    return Watch(arguments).run();
  } catch (const FileError& error) {
    printError(error.what());
    return exitUsage;
  }
}

}  // namespace lacuna
