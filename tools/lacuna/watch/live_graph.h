#pragma once
// A graph whose connectors are kept in memory, so that after a change only what depends on it is computed.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tools/shell/arguments.h"

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
  size_t ran = 0;                                                    // modules that were computed again
  nlohmann::ordered_json modules = nlohmann::ordered_json::array();  // as drawnJson() has them
  int frame = 0;
  std::vector<std::pair<std::string, std::shared_ptr<const LivePicture>>> pictures;  // in the graph's order
};

class LiveGraph {
 public:
  LiveGraph(RunArguments arguments, Device& device) : arguments_(std::move(arguments)), device_(device) {}

  // Parameters that are tried, as "eaw:01:levels" and "4"; they hold until the file has them.
  std::map<std::string, std::string> tried;
  std::optional<int> frame;  // to show; if none, the first one

  // Loads the graph and computes what has changed. Nothing is written.
  LiveState update(const std::function<bool()>& cancelled);
  // The arguments with what is tried.
  RunArguments withTried() const;

 private:
  std::map<std::string, std::string> keysOf(const door::GraphState& state) const;
  std::set<std::string> toRun(const door::GraphState& state,
                              const std::map<std::string, std::string>& keys) const;
  void compute(const door::GraphState& state, const Graph& graph, const std::set<std::string>& run,
               const std::function<bool()>& cancelled);

  RunArguments arguments_;
  Device& device_;
  LiveState state_;
  std::map<std::string, std::string> keys_;  // of what each module's outputs were made from
  std::map<std::string, std::shared_ptr<const LivePicture>> kept_;  // by "eaw:01:output"
  std::string structure_;                                           // of the graph for which these are known:
  std::vector<std::string> outputs_;                                // that are images
};

}  // namespace lacuna
