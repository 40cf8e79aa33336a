#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/lists.h"
#include "graph/record/bundle.h"

namespace lacuna {
namespace {

constexpr uint64_t mostResourceBytes = uint64_t{1} << 40U;
constexpr uint32_t mostImageSide = 1U << 20U;
constexpr uint32_t mostNumber = 1U << 16U;  // of bindings, of elements in one, of words and bytes of a pass
constexpr uint32_t spirvMagic = 0x07230203;

// The first contradiction is kept.
class BundleChecker {
 public:
  explicit BundleChecker(const BundledGraph& graph) : graph_(graph), passes_(graph.passes) {}

  std::string find() {
    expect(graph_.spirv.size() == passes_.passes.size(),
           "the number of its shaders is another one than of passes");
    for (const ModuleInstance& module : passes_.graph.modules.modules)
      for (const Parameter& parameter : module.parameters)
        check(module, parameter);
    for (const Resource& resource : passes_.resources)
      check(resource);
    for (const auto& [name, place] : graph_.places)
      expect(graph_.ports.contains(name), name + " has a place, but is neither a source nor a sink");
    if (why_.empty())
      for (const PassId id : passes_.passes.ids())
        check(passes_.passes[id], graph_.spirv[id]);
    checkSwaps();
    return why_;
  }

 private:
  void expect(bool holds, const std::string& otherwise) {
    if (!holds && why_.empty())
      why_ = otherwise;
  }

  static bool isOf(const ParameterValue& value, const ParameterDescription& description) {
    switch (description.type) {
      case ParameterType::floating:
        return std::holds_alternative<double>(value);
      case ParameterType::integer:
        return std::holds_alternative<int64_t>(value);
      case ParameterType::boolean:
        return std::holds_alternative<bool>(value);
      case ParameterType::choice:
        return std::holds_alternative<std::string>(value) &&
               contains(description.choices, std::get<std::string>(value));
      default:
        return false;
    }
  }

  void check(const ModuleInstance& module, const Parameter& parameter) {
    const ParameterDescription& description = *parameter.description;
    const auto areOf = [&](const ParameterValues& values) {
      return values.size() == description.count &&
             std::ranges::all_of(values,
                                 [&](const ParameterValue& value) { return isOf(value, description); });
    };
    const bool areKeys = std::ranges::all_of(parameter.keyframes, areOf, &Keyframe::values) &&
                         std::ranges::is_sorted(parameter.keyframes, std::less_equal<>(), &Keyframe::frame);
    const bool areNumbers =
        isNumber(description.type) || std::ranges::none_of(parameter.keyframes, &Keyframe::linear);
    expect(areOf(parameter.values) && areKeys && areNumbers,
           fmt::format("{}:{} has values of another type or number", module.name(), description.name));
  }

  void check(const Resource& resource) {
    const bool isImage = resource.kind == ResourceKind::image;
    const bool hasSize = isImage ? resource.width > 0 && resource.height > 0 &&
                                       resource.width <= mostImageSide && resource.height <= mostImageSide
                                 : resource.bytes > 0 && resource.bytes <= mostResourceBytes;
    expect(hasSize, resource.name + " has no possible size");
    expect(resource.given.empty()
               ? !isImage || resource.imageFormat <= ImageFormat::rgba32ui
               : graph_.ports.contains(resource.given) && graph_.places.contains(resource.given) &&
                     graph_.places.at(resource.given).kind == resource.kind,
           resource.name + " is another kind of memory than a source or sink");
    expect(resource.contents == nullptr || (!isImage && resource.contents->size() <= resource.bytes &&
                                            !resource.contents->empty() && resource.persistent),
           resource.name + " has contents that don't fit");
  }

  void check(const Pass& pass, const std::shared_ptr<const vk::Spirv>& spirv) {
    const bool dispatches = pass.kind == PassKind::dispatch;
    expect(dispatches || pass.kind == PassKind::fill || pass.kind == PassKind::copy,
           pass.name + " is no pass that can be recorded");
    expect(
        dispatches ? spirv != nullptr && !spirv->empty() && spirv->front() == spirvMagic : spirv == nullptr,
        pass.name + " has no SPIR-V");
    expect(pass.blockBytes <= mostNumber && pass.pushConstants.size() <= mostNumber &&
               pass.specialization.size() <= mostNumber && std::ranges::min(pass.groups) > 0,
           pass.name + " has impossible sizes");
    for (const Access& access : pass.accesses) {
      expect(access.resource && access.resource.index() < passes_.resources.size() &&
                 access.binding <= mostNumber && access.element <= mostNumber,
             pass.name + " uses memory that isn't there");
      if (why_.empty())
        check(pass, access, passes_.resources[access.resource]);
    }
    for (const BlockField& field : pass.block)
      check(pass, field);
  }

  void check(const Pass& pass, const Access& access, const Resource& resource) {
    const bool isImage = resource.kind == ResourceKind::image;
    const bool bindsImage =
        access.point == AccessPoint::sampledImage || access.point == AccessPoint::storageImage;
    const bool isTransfer = access.point == AccessPoint::transfer;
    expect(isTransfer != (pass.kind == PassKind::dispatch) && (isTransfer || bindsImage == isImage) &&
               (!access.byAddress || (resource.byAddress && !isImage)),
           fmt::format("{} uses {} in another way than it can", pass.name, resource.name));
  }

  void check(const Pass& pass, const BlockField& field) {
    const Table<ModuleId, ModuleInstance>& modules = passes_.graph.modules.modules;
    const bool isThere = field.module && field.module.index() < modules.size();
    const Parameter* parameter =
        isThere ? findWhere(modules[field.module].parameters,
                            [&](const Parameter& each) { return each.description->name == field.parameter; })
                : nullptr;
    const uint64_t end =
        field.offset + uint64_t{field.stride} * (field.count - uint64_t{1}) + sizeof(uint32_t);
    expect(parameter != nullptr && field.count > 0 && field.count <= parameter->description->count &&
               end <= pass.blockBytes,
           fmt::format("{} reads a parameter '{}' that isn't there", pass.name, field.parameter));
  }

  void checkSwaps() {
    std::set<ResourceId> swapped;
    for (const Swap& swap : passes_.swaps) {
      for (const ResourceId id : {swap.now, swap.last})
        expect(id && id.index() < passes_.resources.size() && swapped.insert(id).second,
               "memory is exchanged that isn't there");
      if (!why_.empty())
        return;
      const Resource &now = passes_.resources[swap.now], &last = passes_.resources[swap.last];
      expect(now.kind == last.kind && now.width == last.width && now.height == last.height &&
                 now.bytes == last.bytes && now.imageFormat == last.imageFormat && now.given.empty() &&
                 last.given.empty(),
             fmt::format("{} and {} are exchanged, but differ", now.name, last.name));
    }
  }

  const BundledGraph& graph_;
  const FrameGraph& passes_;
  std::string why_;
};

// The module with the parameters that shaders read.
ModuleInstance readParts(const ModuleInstance& module, const std::set<std::string>& read) {
  auto description = std::make_shared<ModuleDescription>();
  description->name = module.description->name;
  ModuleInstance part;
  part.instance = module.instance;
  for (const Parameter& parameter : module.parameters) {
    if (!read.contains(parameter.description->name))
      continue;
    description->parameters.push_back(*parameter.description);
    part.parameters.push_back(parameter);
  }
  for (size_t i = 0; i < part.parameters.size(); ++i)
    part.parameters[i].description = &description->parameters[i];
  part.description = description;
  return part;
}

// The modules whose parameters shaders read, and no others.
ModuleGraph readModules(const FrameGraph& passes, Table<PassId, Pass>& changed) {
  std::map<ModuleId, std::set<std::string>> read;
  for (const Pass& pass : passes.passes)
    for (const BlockField& field : pass.block)
      read[field.module].insert(field.parameter);
  ModuleGraph made;
  made.firstNumber = passes.graph.modules.firstNumber;
  std::map<ModuleId, ModuleId> place;
  for (const auto& [id, parameters] : read)
    place[id] = made.modules.add(readParts(passes.graph.modules.modules[id], parameters));
  for (Pass& pass : changed)
    for (BlockField& field : pass.block)
      field.module = place.at(field.module);
  return made;
}

}  // namespace

std::string contradictionIn(const BundledGraph& graph) {
  return BundleChecker(graph).find();
}

BundledGraph bundled(const FrameGraph& passes, const vk::Code& spirv) {
  BundledGraph made;
  made.spirv = spirv;
  for (const Pass& pass : passes.passes) {
    Pass& kept = made.passes.passes[made.passes.passes.add(pass)];
    kept.shader = {};  // it points into the graph
    kept.shader.matrices = pass.shader.matrices;
    if (const VariantDescription* variant = pass.shader.kernel.variant; variant != nullptr)
      made.lanes = std::max(made.lanes, variant->subgroup);
  }
  made.passes.graph.modules = readModules(passes, made.passes.passes);
  made.passes.resources = passes.resources;
  made.passes.swaps = passes.swaps;
  return made;
}

}  // namespace lacuna
