#include "graph/shader/check_shaders.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/frame/stages.h"
#include "graph/parallel.h"
#include "graph/schedule/kernel/kernel_maker.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/maker.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "graph/schedule/stencil/stencil_maker.h"
#include "graph/shader/cache_file.h"
#include "graph/shader/compiler_log.h"
#include "graph/shader/generate/body_context.h"
#include "graph/shader/spirv.h"
#include "graph/watched.h"

namespace lacuna {

// A body in one of the shaders that it may be part of.
struct ShaderCheck::CheckedBody {
  BodyRules rules;
  Outline outline;
  std::string path;
  MadeFiles made;
  std::string given;  // its images and variant: "where 'input' is rgba"
  BodyMistakes mistakes;
  bool isWrong = false;  // there are mistakes
};

namespace {

constexpr const char* checkVersion = "glslang 12, Vulkan 1.2, 2\n";  // changes with what find() takes
constexpr uint32_t guaranteedSharedBytes = 16384;                    // by Vulkan

// A missing device feature is not a mistake of a body.
DeviceModel generousDevice() {
  DeviceModel device;
  device.maxStorageBufferRange = ~uint64_t{0};
  device.maxAllocation = ~uint64_t{0};
  device.maxSharedMemory = 1U << 20U;
  device.maxWorkgroupInvocations = 1024;
  device.float16 = true;
  device.workgroupMatrices = true;
  device.storage16 = true;
  device.subgroupVote = true;
  device.maxBindings = {1024, 1024, 1024};
  return device;
}

Passes plainPasses(const NodeGraph& alone, const VariantDescription* variant) {
  const Node& node = alone.nodes.front();
  if (node.kind == NodeKind::stencil) {
    return passesAlone(alone, *filterSchedule(plainSchedule(node.description->stencil.synthesis)),
                       generousDevice());
  }
  if (node.kind == NodeKind::kernel) {
    return passesAlone(alone,
                       *filterSchedule(variant == nullptr ? KernelSchedule{} : defaultSchedule(*variant)),
                       generousDevice());
  }
  Diagnostics ignored;
  NodeGraph graph = alone;
  for (Value& value : graph.values)
    value.feedback = false;  // its producer is missing
  Plan plan;
  plan.graph = std::move(graph);
  plan.schedules.resize(1);
  return layout(std::move(plan), generousDevice(), ignored);
}

// The same for each kind of matrices that a device may have, where a pass has matrices.
std::vector<Passes> forEveryDevice(const Passes& passes) {
  std::vector<Passes> all = {passes};
  for (const MatrixKind kind : {MatrixKind::nv, MatrixKind::khr}) {
    Passes other = passes;
    bool differs = false;
    for (Pass& pass : other.passes) {
      if (pass.shader.matrices) {
        pass.shader.matrices->kind = kind;
        differs = true;
      }
    }
    if (differs)
      all.push_back(std::move(other));
  }
  return all;
}

std::string givenTo(const NodeGraph& graph, const VariantDescription* variant) {
  std::string given = variant == nullptr ? "" : fmt::format("in the variant {}", variant->name);
  for (const NamedValue& input : graph.nodes.front().inputs) {
    if (input.value && !graph.values[input.value].type.isArray()) {
      given += fmt::format("{}'{}' is {}", given.empty() ? "where " : ", ", input.name,
                           name(graph.values[input.value].type.channels));
    }
  }
  return given;
}

BodyMistakes with(BodyMistakes mistakes, const std::string& where) {
  for (BodyMistake& mistake : mistakes)
    mistake.message.insert(std::min(mistake.message.find('\n'), mistake.message.size()), where);
  return mistakes;
}

}  // namespace

ShaderCheck::ShaderCheck(std::vector<std::string> includePath, std::string cacheFolder)
    : includePath_(std::move(includePath)), cacheFolder_(std::move(cacheFolder)) {}

ShaderCheck::~ShaderCheck() = default;

void ShaderCheck::add(const NodeGraph& graph) {
  for (const Node& node : graph.nodes)
    if (!node.description->shader.empty())
      addNode(graph, node);
}

void ShaderCheck::addNode(const NodeGraph& graph, const Node& node) {
  NodeGraph alone = aloneGraph(graph, node);
  alone.modules = graph.modules;
  std::vector<const VariantDescription*> variants = variantsOf(alone, alone.nodes.front());
  if (variants.empty())
    variants.push_back(nullptr);
  for (const VariantDescription* variant : variants) {
    const bool suits =
        variant == nullptr ||
        rejection(alone, alone.nodes.front(), defaultSchedule(*variant), generousDevice()).empty();
    if (suits)
      addBody(plainPasses(alone, variant), variant);
  }
}

void ShaderCheck::addBody(const Passes& passes, const VariantDescription* variant) {
  const Node& node = passes.graph.nodes.front();
  auto body = std::make_shared<CheckedBody>();
  body->given = givenTo(passes.graph, variant);
  try {
    const bool matrices =
        std::ranges::any_of(passes.passes, [](const Pass& pass) { return pass.shader.matrices.has_value(); });
    const ShaderContext context{passes.graph, node, includePath_,
                                variant == nullptr ? "" : node.description->shaderUnder(*variant), matrices};
    if (!node.description->isSpirv()) {
      const BodyRequest request = bodyRequest(context, node.own);
      BodySource source = readBody(request);
      body->path = source.path;
      body->made = madeFiles(request);
      body->rules = rulesOf(context, ownPart(node));
      body->mistakes = std::move(source.mistakes);
      const bool isWhole = body->mistakes.empty();
      const BodyMistakes found = checkBody(body->rules, source.tokens, source.path);
      body->mistakes.insert(body->mistakes.end(), found.begin(), found.end());
      body->isWrong = !body->mistakes.empty();
      body->outline = outlineOf(source.tokens);
      bodies_.push_back(body);
      if (!isWhole || std::ranges::any_of(found, &BodyMistake::hides))
        return;
    }
    for (Passes& each : forEveryDevice(passes)) {
      generateShaders(each, includePath_, false);
      for (const Pass& pass : each.passes) {
        if (!pass.glsl.empty() && texts_.insert(pass.glsl).second) {
          const bool isKernel = pass.shader.kind == ShaderKind::kernel;
          jobs_.push_back({body, pass.glsl,
                           isKernel ? std::max(pass.sharedBytes, guaranteedSharedBytes) : UINT32_MAX,
                           pass.specialization});
        }
      }
    }
  } catch (const ShaderSourceError& error) {
    body->mistakes.insert(body->mistakes.end(), error.mistakes.begin(), error.mistakes.end());
    bodies_.push_back(body);
  }
}

void ShaderCheck::report(Diagnostics& diagnostics) {
  std::vector<BodyMistakes> findings(jobs_.size());
  inParallel(jobs_.size(), [&](size_t i) { findings[i] = find(jobs_[i]); });
  for (size_t i = 0; i < jobs_.size(); ++i)
    jobs_[i].body->isWrong = jobs_[i].body->isWrong || !findings[i].empty();
  MistakeReporter reporter(diagnostics);
  for (const auto& body : bodies_)
    reporter.report(with(body->mistakes, whereWrong(*body)), body->made);
  for (size_t i = 0; i < jobs_.size(); ++i)
    reporter.report(with(std::move(findings[i]), whereWrong(*jobs_[i].body)), jobs_[i].body->made);
}

std::string ShaderCheck::whereWrong(const CheckedBody& body) const {
  const bool isRightElsewhere = std::ranges::any_of(bodies_, [&](const auto& other) {
    return other->path == body.path && other->rules.node == body.rules.node && other->given != body.given &&
           !other->isWrong;
  });
  return isRightElsewhere && !body.given.empty() ? fmt::format(" ({})", body.given) : "";
}

BodyMistakes ShaderCheck::find(const Job& job) const {
  const std::string constants =
      fmt::format("shared {}, {}\n", job.sharedBytes, fmt::join(job.specialization, " "));
  const CacheFile passed(cacheFolder_, "checked", checkVersion + constants + job.glsl);
  if (passed.read())
    return {};
  const CheckedBody& body = *job.body;
  const auto ofShader = [&](const std::string& text) {
    return BodyMistake{
        body.path, 0, 0, 1, fmt::format("the shader of node '{}' {}", body.rules.node, text), {}, 0, false};
  };
  const Compiling work("a shader that is checked");
  const ParsedShader parsed(job.glsl, "shader");
  const CompiledBody compiled{body.rules, body.outline, parsed, ownPrefix};
  BodyMistakes found = headMistakes(compiled);
  if (!parsed.log().empty())
    std::ranges::move(readCompilerLog(parsed.log(), compiled), std::back_inserter(found));
  std::ranges::move(valueMistakes(compiled, found), std::back_inserter(found));
  std::erase_if(found, [&](const BodyMistake& each) { return body.outline.files.count(each.file) == 0; });
  if (!found.empty())
    return found;
  if (!parsed.log().empty()) {
    return body.isWrong ? BodyMistakes()
                        : BodyMistakes{ofShader("does not compile:\n" + plainWords(parsed.log()))};
  }
  const uint64_t declared = sharedMemoryOf(parsed.spirv(), job.specialization);
  if (declared > job.sharedBytes) {
    return {ofShader(
        fmt::format("has {} bytes of shared memory, but may have {}: more than {}, which each device "
                    "has, must be stated by `shared` of a variant",
                    declared, job.sharedBytes, guaranteedSharedBytes))};
  }
  const std::byte yes{1};
  passed.write({&yes, 1});
  return {};
}

}  // namespace lacuna
