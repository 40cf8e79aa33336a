#pragma once
// The parameter blocks of passes.

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/passes/pass.h"

namespace lacuna {

// Values of parameters in place of the graph's.
using SetValues = std::map<std::pair<ModuleId, std::string>, ParameterValues>;

// Writes a node's parameters of a frame into its block.
void fillBlock(const Passes& passes, const Pass& pass, int frame, std::span<std::byte> block,
               const SetValues& set = {});

// The blocks of frame after frame. Those without keyframes are looked up once. One thread at a time.
class ParameterBlocks {
 public:
  void fill(const Passes& passes, PassId pass, int frame, std::span<std::byte> block);
  // From the next frame on a parameter has these values, whatever its keyframes.
  void set(ModuleId module, const std::string& parameter, ParameterValues values);

 private:
  SetValues set_;
  std::map<PassId, std::vector<std::byte>> still_;
};

}  // namespace lacuna
