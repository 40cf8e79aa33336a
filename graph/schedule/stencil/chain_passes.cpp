#include <fmt/format.h>

#include <algorithm>

#include "graph/families/family.h"
#include "graph/passes/pass_builder.h"
#include "graph/schedule/stencil/stencil_maker.h"

namespace lacuna {
namespace {

class ChainLayout {
 public:
  ChainLayout(PassBuilder& builder, NodeId node, const StencilSchedule& schedule)
      : builder_(builder),
        id_(node),
        node_(builder.graph().nodes[node]),
        own_(ownPart(node_)),
        stencil_(node_.description->stencil),
        schedule_(schedule),
        permutes_(schedule.permutes() && stencil_.dilated) {
    inputType_ = stateInputType(builder_.graph(), node_);
    stateType_ = stateTypeOf(node_, inputType_);
  }

  void build() {
    firstState();
    if (stencil_.weight)
      addWeights();
    for (const std::string& name : stencil_.features) {
      if (inputValue(node_, name)) {
        featureNames_.push_back(name);
        features_.push_back(builder_.resourceOf(inputValue(node_, name)));
      }
    }
    for (int first = 0, last = 0; first < node_.levels; first = last + 1) {
      last = std::min(first == 0 ? schedule_.fused : first + 1, node_.levels) - 1;
      const StencilSchedule& schedule = first == 0 ? schedule_ : schedule_.family->laterLevels(schedule_);
      for (const Support window : windowsOf(node_))
        addLevels(first, last, schedule, window);
    }
    if (schedule_.synthesis == Synthesis::pass)
      addSynthesis();
  }

 private:
  bool isLast(int level) const { return level == node_.levels - 1; }
  bool writesOutputs(int level) const { return isLast(level) && schedule_.synthesis != Synthesis::pass; }

  // The input itself if its values already are the state's; else a pass that makes its first state.
  void firstState() {
    const ValueId input = inputValue(node_, "state");
    // Synthesis reads all states through one binding array, which is of one kind; fused levels through one
    // body.
    const bool isAlone = schedule_.synthesis == Synthesis::none && schedule_.fused == 1;
    if (input && !stencil_.init && inputIsState(inputType_, stateType_) &&
        (isAlone || (inputType_.format == stateType_.format &&
                     builder_.value(input).type.extent == stateType_.extent)) &&
        builder_.storageOf(builder_.resourceOf(input)) == schedule_.storage &&
        !builder_.isForeign(builder_.resourceOf(input), inputType_)) {
      states_.push_back(builder_.resourceOf(input));
      firstType_ = inputType_;
      return;
    }
    states_.push_back(makeState(0));
    std::vector<Role> roles;
    addFirstInputs(roles);
    roles.push_back(builder_.imageRole("out_state", AccessKind::write, stateType_, {states_[0]}));
    builder_.boundRoles(node_, roles, 0, node_.own + 1);
    ShaderSpec shader;
    shader.kind = ShaderKind::stencilInit;
    builder_.dispatch(id_, ".init" + joinedNames(0, node_.own), shader, roles, stateType_.extent,
                      groupsFor(stateType_.extent, 32, 8));
  }

  // The inputs of the first state.
  void addFirstInputs(std::vector<Role>& roles) {
    for (int part = 0; part < node_.own; ++part)
      builder_.partInputs(node_.parts[static_cast<size_t>(part)], roles);
    for (const PartInput& input : own_.inputs)
      if (stencil_.init || input.name == "state")
        builder_.partInput(input, roles);
  }

  // Nodes that joined a pass, as a part of its name: "+alpha", "+exposure:01:apply".
  std::string joinedNames(int first, int last) const {
    std::string text;
    for (int p = first; p < last; ++p) {
      const NodePart& part = node_.parts[static_cast<size_t>(p)];
      text += "+" + (part.module == node_.module ? part.description->name : part.name);
    }
    return text;
  }

  ResourceId makeState(int level) {
    return builder_.makeImage(node_.name + ".state" + std::to_string(level), stateType_, schedule_.storage,
                              permutes_ && level < node_.levels ? level : 0, schedule_.embedding);
  }

  // The kernel's weights in one dimension, once a frame.
  void addWeights() {
    const auto count = static_cast<uint32_t>(2 * node_.radius + 1);
    weights_ = builder_.makeArray(node_.name + ".weights", uint64_t{4} * count);
    std::vector<Role> roles = {builder_.arrayRole("kernel", AccessKind::write, Format::f32, weights_)};
    builder_.boundRoles(node_, roles, node_.own, node_.own + 1);
    ShaderSpec shader;
    shader.kind = ShaderKind::stencilWeights;
    builder_.dispatch(id_, ".weights", shader, roles, {count, 1}, groupsFor({count, 1}, 64, 1));
  }

  // A pixel's neighbours in a thread lie along the window: below each other they would share no taps in a
  // row.
  static StencilSchedule alongWindow(StencilSchedule schedule, Support window) {
    if (window == Support::row && schedule.fused == 1)
      std::swap(schedule.columns, schedule.rows);
    return schedule;
  }

  // One dispatch; several levels where they are fused.
  void addLevels(int first, int last, const StencilSchedule& general, Support window) {
    const StencilSchedule schedule = alongWindow(general, window);
    const bool isLastWindow = window == windowsOf(node_).back();
    ShaderSpec shader;
    shader.kind = ShaderKind::stencilLevel;
    shader.schedule = schedule;
    shader.window = window;
    shader.first = states_.size() == 1;
    shader.last = isLast(last) && isLastWindow;
    shader.writesOutputs = writesOutputs(last) && isLastWindow;
    const int tapped = tappedLevel(node_);
    shader.tapped = first <= tapped && tapped <= last && isLastWindow;
    std::vector<Role> roles;
    roles.push_back(
        builder_.imageRole("state", AccessKind::read, typeOfState(states_.size() - 1), {states_.back()}));
    if (window != windowsOf(node_).front() && node_.border == BorderRule::validOnly) {
      roles.push_back(builder_.imageRole("kept", AccessKind::read, typeOfState(states_.size() - 2),
                                         {states_[states_.size() - 2]}));
    }
    if (weights_) {
      roles.push_back(builder_.arrayRole("kernel", AccessKind::read, Format::f32, weights_));
      roles.back().uniform = true;
    }
    for (size_t f = 0; f < features_.size(); ++f)
      roles.push_back(featureRole("feature_", AccessKind::read, f, features_[f]));
    builder_.boundRoles(node_, roles, node_.own, shader.writesOutputs ? partCount() : node_.own + 1);
    for (int level = first; level < last; ++level)
      addBetween(level, shader, roles);
    addStores(last, shader, roles);
    const std::string name = first == last ? std::to_string(last) : fmt::format("{}-{}", first, last);
    const StencilUse use{builder_.graph(), node_, schedule, window};
    const std::string part = windowsOf(node_).size() == 1 ? ""
                             : window == Support::row     ? ".rows"
                                                          : ".columns";
    Pass& pass = builder_.dispatch(id_, ".level" + name + part + (shader.writesOutputs ? followers() : ""),
                                   shader, roles, stateType_.extent,
                                   schedule.family->groups(use, stateType_.extent, last), first);
    pass.sharedBytes = schedule.family->sharedBytes(use);
    if (schedule.family->fixesLevel())
      pass.specialization = {first};
  }

  // The stored state of a level that is fused with the next one: synthesis reads it later.
  void addBetween(int level, const ShaderSpec& shader, std::vector<Role>& roles) {
    const bool gathered = schedule_.synthesis == Synthesis::gathered && !shader.last;
    if (gathered || schedule_.synthesis == Synthesis::pass) {
      states_.push_back(makeState(level + 1));
      roles.push_back(builder_.imageRole("state" + std::to_string(level + 1), AccessKind::write, stateType_,
                                         {states_.back()}));
    }
  }

  void addStores(int level, const ShaderSpec& shader, std::vector<Role>& roles) {
    if (schedule_.synthesis == Synthesis::carried)
      addCarried(level, roles);
    if (schedule_.synthesis == Synthesis::gathered && shader.last && !shader.first) {
      roles.push_back(
          builder_.imageRole("finer", AccessKind::read, stateType_, {states_.begin(), states_.end() - 1}));
    }
    if (shader.tapped) {
      roles.push_back(
          builder_.writeRole("out_" + stencil_.tapOutput, valueNamed(own_.outputs, stencil_.tapOutput)));
    }
    if (shader.writesOutputs) {
      addOutputs(roles);
      return;
    }
    states_.push_back(makeState(level + 1));
    roles.push_back(builder_.imageRole("out_state", AccessKind::write, stateType_, {states_.back()}));
    if (permutes_ && !shader.last && !schedule_.rereads)
      permuteFeatures(level, roles);
  }

  // Into the next level's layout, unless an earlier chain has done so.
  void permuteFeatures(int level, std::vector<Role>& roles) {
    for (size_t f = 0; f < features_.size(); ++f) {
      const std::string name = node_.name + "." + featureNames_[f] + std::to_string(level + 1);
      const auto next = builder_.permutedFeature(inputValue(node_, featureNames_[f]), name, schedule_.storage,
                                                 stateType_.extent, level + 1, schedule_.embedding);
      features_[f] = next.resource;
      if (next.fresh)
        roles.push_back(featureRole("out_feature_", AccessKind::write, f, next.resource));
    }
  }

  // In float, so that it is the sum that the other forms of synthesis make in registers.
  void addCarried(int level, std::vector<Role>& roles) {
    ValueType type = stateType_;
    type.format = Format::f32;
    if (sum_)
      roles.push_back(builder_.imageRole("sum", AccessKind::read, type, {sum_}));
    if (!isLast(level)) {
      sum_ = builder_.makeImage(node_.name + ".sum" + std::to_string(level + 1), type, schedule_.storage,
                                permutes_ ? level + 1 : 0, schedule_.embedding);
      roles.push_back(builder_.imageRole("out_sum", AccessKind::write, type, {sum_}));
    }
  }

  void addSynthesis() {
    std::vector<Role> roles;
    roles.push_back(builder_.imageRole("levels", AccessKind::read, stateType_, states_));
    builder_.boundRoles(node_, roles, node_.own, partCount());
    addOutputs(roles);
    ShaderSpec shader;
    shader.kind = ShaderKind::synthesis;
    shader.schedule = schedule_;
    builder_.dispatch(id_, ".synthesis" + followers(), shader, roles, stateType_.extent,
                      groupsFor(stateType_.extent, 32, 8));
  }

  void addOutputs(std::vector<Role>& roles) {
    for (const NamedValue& output : own_.outputs)
      if (output.name != stencil_.tapOutput && output.value)
        roles.push_back(builder_.writeRole("out_" + output.name, output.value));
    for (int part = node_.own + 1; part < partCount(); ++part) {
      builder_.partInputs(node_.parts[static_cast<size_t>(part)], roles);
      builder_.partOutputs(id_, node_.parts[static_cast<size_t>(part)], roles);
    }
  }

  const ValueType& typeOfState(size_t index) const {
    return index == 0 && firstType_ ? *firstType_ : stateType_;
  }

  int partCount() const { return static_cast<int>(node_.parts.size()); }
  std::string followers() const { return joinedNames(node_.own + 1, partCount()); }

  Role featureRole(const std::string& kind, AccessKind access, size_t f, ResourceId resource) const {
    const ValueType& type = builder_.value(inputValue(node_, featureNames_[f])).type;
    return builder_.imageRole(kind + featureNames_[f], access, type, {resource});
  }

  PassBuilder& builder_;
  NodeId id_;
  const Node& node_;
  const NodePart& own_;
  const StencilDescription& stencil_;
  const StencilSchedule& schedule_;
  bool permutes_;
  ValueType stateType_;
  ValueType inputType_;
  std::optional<ValueType> firstType_;  // of the first state, where that is the input itself
  ResourceId weights_;
  std::vector<ResourceId> states_;         // c_0, c_1, ...; for separable windows also the rows between them
  std::vector<std::string> featureNames_;  // of the connected ones
  std::vector<ResourceId> features_;       // in the layout of the current level
  ResourceId sum_;
};

}  // namespace

void addChainPasses(PassBuilder& builder, NodeId node, const StencilSchedule& schedule) {
  ChainLayout(builder, node, schedule).build();
}

}  // namespace lacuna
