#include "graph/schedule/stencil/stencil_maker.h"

#include <algorithm>

#include "graph/families/family.h"
#include "graph/schedule/maker.h"
#include "graph/schedule/stencil/cost_model.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "graph/schedule/stencil/schedule_words.h"

namespace lacuna {
namespace {

class ScheduledChain : public FilterSchedule {
 public:
  explicit ScheduledChain(const StencilSchedule& schedule) : schedule_(schedule) {}
  bool wantsImages() const override { return schedule_.storage == ResourceKind::image; }
  void addPasses(PassBuilder& builder, NodeId node, const DeviceModel&) const override {
    addChainPasses(builder, node, schedule_);
  }

 private:
  StencilSchedule schedule_;
};

// If a name means several schedules: the plainest of the baseline, elsewhere the fastest synthesis for the
// layout.
int rankOfSynthesis(const StencilSchedule& s) {
  const bool plain = s.family->prefersSynthesisPass();
  switch (s.synthesis) {
    case Synthesis::pass:
      return plain ? 0 : 2;
    case Synthesis::carried:
      return 1;
    case Synthesis::gathered:
      return plain ? 2 : 0;
    case Synthesis::none:
      break;
  }
  return 0;
}

std::vector<std::string> namesOf(const std::vector<StencilSchedule>& schedules) {
  std::vector<std::string> names;
  for (const StencilSchedule& schedule : schedules)
    names.push_back(print(schedule));
  return names;
}

}  // namespace

bool StencilMaker::makesFor(const NodeGraph&, const Node& node) const {
  return node.kind == NodeKind::stencil;
}

std::vector<std::string> StencilMaker::usual(const Filter& filter) const {
  const StencilDescription& stencil = filter.node.description->stencil;
  std::vector<StencilSchedule> usual = allSchedules(stencil.synthesis);
  const auto add = [&](const char* name) {
    const std::vector<StencilSchedule> named = schedulesNamed(name, stencil.synthesis);
    usual.insert(usual.end(), named.begin(), named.end());
  };
  if (!stencil.dilated) {   // if neighbouring columns share all of their taps
    if (filter.device.cpu)  // with few registers
      add("blocks2");
    add("blocks4");
    add("blocks16");
  }
  if (filter.node.patch > 0)
    add("strips8");
  return namesOf(usual);
}

std::vector<std::string> StencilMaker::named(const Filter& filter, const std::string& word) const {
  std::vector<StencilSchedule> meant = schedulesNamed(word, filter.node.description->stencil.synthesis);
  std::stable_sort(meant.begin(), meant.end(), [](const StencilSchedule& a, const StencilSchedule& b) {
    return rankOfSynthesis(a) < rankOfSynthesis(b);
  });
  return namesOf(meant);
}

FilterCandidate StencilMaker::make(const Filter& filter, const std::string& name,
                                   const FilterWork& work) const {
  const StencilSchedule named = schedulesNamed(name, filter.node.description->stencil.synthesis).front();
  const StencilSchedule schedule = onDevice(named, filter.device);
  FilterCandidate made;
  made.told.name = name;
  made.told.family = named.family->name();
  made.told.exact = named.exact();
  made.schedule = filterSchedule(schedule);
  const NodeGraph alone = aloneGraph(filter.graph, filter.node);
  made.told.rejected = rejection(alone, alone.nodes.front(), named, filter.device);
  if (!made.told.rejected.empty())
    return made;
  const Table<PassId, Pass> passes = passesAlone(alone, *made.schedule, filter.device).passes;
  made.told.passes = static_cast<int>(passes.size());
  for (const Pass& pass : passes)
    made.told.bytes += pass.bytesRead + pass.bytesWritten;
  made.told.ms = estimateMs(alone, schedule, passes, work, filter.device);
  made.compileMs = estimateCompileMs(alone, passes);
  return made;
}

std::string StencilMaker::hint(const Filter&, const std::string& word) const {
  return scheduleHint(word);
}

FilterSchedulePtr filterSchedule(const StencilSchedule& schedule) {
  return std::make_shared<ScheduledChain>(schedule);
}

StencilSchedule onDevice(StencilSchedule schedule, const DeviceModel& device) {
  const bool even = schedule.workgroup[0] % 2 == 0 && schedule.workgroup[1] % 2 == 0;
  schedule.splitsBorders = !device.cpu && device.subgroupVote && schedule.family->maySplitBorders();
  schedule.quads =
      !device.cpu && schedule.family->mayUseQuads() && even && schedule.storage == ResourceKind::image;
  return schedule;
}

}  // namespace lacuna
