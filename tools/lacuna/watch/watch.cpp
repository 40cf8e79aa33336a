// lacuna watch: runs a graph again at each save of what it was made from, and shows it on a page.

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/run/frame_run.h"
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
constexpr int stepMs = 200;     // a signal ends the program so soon

class Watch {
 public:
  explicit Watch(const WatchArguments& arguments)
      : arguments_(arguments), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    arguments_.run.progress = ShowProgress::never;
    if (!arguments_.port) {
      openDevices(devices_, arguments_.run);
      return;
    }
    openDevices(shownBy_, arguments_.run);
    live_.emplace(shownBy_.front());
  }
  ~Watch() { close(wake_); }

  int run() {
    const Interrupts interrupts;
    if (arguments_.port) {
      server_.emplace(*arguments_.port, arguments_.run.graph.graph, requests());
      fmt::print("{}\n", server_->address());
      std::fflush(stdout);
    }
    bool isChanged = true, isWritten = false;
    while (Interrupts::signal() == 0) {
      if (isChanged) {
        show();
        isWritten = false;
      }
      const bool isFree =
          !writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
      if (!isWritten && isFree && (!server_ || !waits(settledMs))) {
        std::optional<KeptValues> kept;
        if (isShown_ && preview_.empty())
          kept = live_->kept();
        writing_ = std::async(std::launch::async, [this, change = shown_, isExact = preview_.empty(),
                                                   kept = std::move(kept)] { write(change, isExact, kept); });
        isWritten = true;
      }
      waits(isWritten ? -1 : stepMs);
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
    std::map<std::string, std::string> all = tried_;
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
    for (int waited = 0; (ms < 0 || waited < ms) && Interrupts::signal() == 0; waited += stepMs)
      if (poll(ready.data(), ready.size(), ms < 0 ? stepMs : std::min(stepMs, ms - waited)) > 0)
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
      tried_.clear();
    forgets_ = false;
    for (const auto& [parameter, value] : wished_)
      tried_[parameter] = value;
    wished_.clear();
    return isWoken || isSaved;
  }

  // The graph as its file and the page have it, and one frame to show.
  LiveChange load(const std::vector<std::string>& preview) {
    LiveChange change{arguments_.run, nullptr, version_};
    for (const auto& [parameter, value] : tried_)
      change.arguments.graph.parameters.push_back(fmt::format("{}={}", parameter, value));
    change.arguments.graph.parameters.insert(change.arguments.graph.parameters.end(), preview.begin(),
                                             preview.end());
    GraphOptions options = change.arguments;
    const std::scoped_lock lock(mutex_);
    if (frame_)
      options.frames = Frames({*frame_});
    else
      options.frames.most = 1;
    change.state = loadState(change.arguments.graph, change.arguments.graph.graph, options);
    return change;
  }

  void follow(const door::GraphState& state) {
    const std::vector<std::string> names = state.loaded.diagnostics.fileNames();
    std::set<std::string> files(names.begin(), names.end()), folders;
    files.insert(arguments_.run.graph.graph);
    for (const std::string& folder : state.modulePath)
      folders.merge(withFoldersBelow(folder + "/shared"));
    for (const auto& description : state.loaded.descriptions)
      folders.merge(foldersOf(*description));
    for (const ModuleInstance& module : state.loaded.graph.modules.modules)
      files.merge(filesToRead(state, module));
    if (!state.loaded.ok())  // what the last good one was made from counts, too
      files.insert(followed_.begin(), followed_.end());
    files_.follow(files, folders);
    followed_ = files;
  }

  // Loads what has changed, and shows it on the page: on a CPU by the quicker values that descriptions have.
  void show() {
    version_ += 2;  // the exact picture's is between
    shown_ = load({});
    follow(*shown_.state);
    if (!server_)
      return;
    preview_.clear();
    if (shown_.state->loaded.ok() && shownBy_.front().description().kind == "cpu")
      preview_ = previewOf(*shown_.state, tried_);
    LiveState state = live_->update(preview_.empty() ? shown_ : load(preview_),
                                    [this] { return isStale_ || Interrupts::signal() != 0; });
    state.preview = preview_;
    isShown_ = state.isRight;
    server_->publish(state);
  }

  // On a thread of its own, with devices of its own: the page goes on meanwhile. The exact picture if a
  // preview was shown, then the outputs. `kept`: the exact values, if the page shows them.
  void write(LiveChange change, bool isExact, const std::optional<KeptValues>& kept) {
    const auto isOld = [this, version = change.version] {
      return (server_ && (isStale_ || version_ != version)) || Interrupts::signal() != 0;
    };
    try {
      openDevices(devices_, arguments_.run);
      RunArguments run = change.arguments;
      run.begun = commandSeconds();
      run.quiet = false;
      const std::shared_ptr<door::GraphState> all = loadState(run.graph, run.graph.graph, run);
      bool isKept = isWrittenFromKept(*all, run) && change.state->loaded.ok() &&
                    change.state->plan.frames.front() == all->plan.frames.front();
      if (!exact_)
        exact_.emplace(devices_.front());
      std::string computed;
      if (kept) {
        exact_->keep(*kept);
      } else if (server_ ? !isExact : isKept) {
        const uint64_t version = change.version++;
        const LiveState state = exact_->update(change, isOld);
        isKept = isKept && state.isRight;
        computed = fmt::format(": {} of {} modules computed", state.ran, state.modules.size());
        if (server_ && version_ == version && Interrupts::signal() == 0 && !(isStale_ && !state.isRight))
          server_->publish(state);
      } else {
        isKept = false;
      }
      if (isOld())
        return;
      if (isKept) {
        printDiagnostics(all->loaded.diagnostics);
        exact_->write(change, isOld);
        RunResult end;
        end.done = 1;
        printLine(runSummary(door::openGraph(all), end, commandSeconds() - run.begun) + computed);
        return;
      }
      nlohmann::ordered_json out;
      runGraph(run, out, devices_);
    } catch (const std::exception& error) {
      if (!isOld())
        printException(error);
    }
    std::fflush(stdout);
  }

  WatchArguments arguments_;
  std::vector<Device> shownBy_, devices_;  // devices_: of write()
  std::optional<LiveGraph> live_, exact_;
  std::optional<PageServer> server_;
  WatchedFiles files_;
  std::set<std::string> followed_;
  int wake_;
  std::atomic<bool> isStale_ = false;  // what is computed isn't what is wished
  std::atomic<uint64_t> version_ = 0;
  LiveChange shown_;
  std::vector<std::string> preview_;  // what shown_ was shown with
  bool isShown_ = false;              // on the page, without a mistake

  std::mutex mutex_;
  std::map<std::string, std::string> wished_, tried_;  // parameters of the page: new ones, and all
  std::optional<int> frame_;
  bool forgets_ = false;
  std::future<void> writing_;
};

}  // namespace

int runWatch(const WatchArguments& arguments) {
  try {
    if (arguments.run.graph.graph == "-") {
      printError("-: standard input can't be watched; expected a graph file");
      return exitUsage;
    }
    const std::string& graph = arguments.run.graph.graph;
    if (std::error_code ignored; !std::filesystem::is_regular_file(graph, ignored) || isImageFile(graph)) {
      printError(fmt::format("{}: {}; expected a graph file", graph,
                             !std::filesystem::exists(graph, ignored)        ? "there is no such file"
                             : std::filesystem::is_directory(graph, ignored) ? "this is a folder"
                                                                             : "this is a picture"));
      return exitUsage;
    }
    return Watch(arguments).run();
  } catch (const FileError& error) {
    printError(error.what());
    return exitUsage;
  }
}

}  // namespace lacuna
