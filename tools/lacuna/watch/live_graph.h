#pragma once
// A graph whose connectors are kept, so that after a change only what depends on it is computed.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tools/shell/arguments.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {

namespace door {
struct GraphState;
}

// What an output of a module holds, in the graph's own format.
struct LivePicture {
  ImageType type;
  std::vector<std::byte> bytes;
  uint64_t version = 0;

  ConstImageView view() const;
};

// Of one moment, for other threads.
struct LiveState {
  uint64_t version = 0;
  bool isRight = false;  // the last change could be run; else pictures and modules are those before it
  std::string messages;  // of the last change
  double seconds = 0.0;
  size_t ran = 0;                         // modules that were computed again
  std::vector<std::string> preview = {};  // "wiener:01:search=13": not the graph's own
  nlohmann::ordered_json modules = nlohmann::ordered_json::array();  // as drawnJson() has them
  int frame = 0;
  std::vector<std::pair<std::string, std::shared_ptr<const LivePicture>>> pictures;  // in the graph's order
};

// A graph that was loaded to be shown, and what with. One frame of it is planned.
struct LiveChange {
  RunArguments arguments;
  std::shared_ptr<door::GraphState> state;
  uint64_t version = 0;  // ascending
};

// The folders whose files make a module: its own and those of its shaders, with all below them.
std::set<std::string> foldersOf(const ModuleDescription& description);
std::set<std::string> withFoldersBelow(const std::string& folder);

// The parameters that a preview sets, "wiener:01:search=13": where descriptions have a quicker value than the
// graph. Those in `kept` stay.
std::vector<std::string> previewOf(const door::GraphState& state,
                                   const std::map<std::string, std::string>& kept);

// What connectors hold, by "eaw:01:output". Copies share the values.
struct KeptValues {
  std::map<std::string, std::string> keys;  // of what each module's outputs were made from
  std::map<std::string, std::shared_ptr<const LivePicture>> pictures;
  std::map<std::string, std::shared_ptr<const TemporaryFolder>> arrays;  // a file in each: arrayIn()
};

std::string arrayIn(const TemporaryFolder& folder);

// Whether the outputs of all frames can be made from what a LiveGraph keeps of one. `arguments`: what the
// graph was loaded with.
bool isWrittenFromKept(const door::GraphState& state, const RunArguments& arguments);

class LiveGraph {
 public:
  explicit LiveGraph(Device& device) : device_(device) {}

  // Computes what has changed. Nothing is written.
  LiveState update(const LiveChange& change, const std::function<bool()>& cancelled);
  // Writes the outputs of a change that is kept, byte for byte those of a run. Throws Error.
  void write(const LiveChange& change, const std::function<bool()>& cancelled);

  const KeptValues& kept() const { return kept_; }
  void keep(const KeptValues& kept) { kept_ = kept; }

 private:
  enum class Purpose { shows, writes };
  std::map<std::string, std::string> keysOf(const door::GraphState& state) const;
  std::set<std::string> toRun(const door::GraphState& state, const std::map<std::string, std::string>& keys,
                              Purpose purpose) const;
  bool isLikeItsFile(const ModuleGraph& graph, const ModuleInstance& sink) const;
  void compute(const LiveChange& change, const Graph& graph, const std::set<std::string>& run,
               Purpose purpose, const std::function<bool()>& cancelled);

  Device& device_;
  LiveState state_;
  KeptValues kept_;
};

}  // namespace lacuna
