#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "graph/config/text.h"
#include "graph/shader/generate/body_context.h"
#include "graph/shader/generate/spirv_instructions.h"

namespace lacuna {
namespace {

using Words = std::vector<uint32_t>;

ShaderSourceError wrongFile(const std::string& path, std::string message) {
  return ShaderSourceError({{path, 0, 0, 1, std::move(message), {}}});
}

// A module's statements that must agree with its node.
struct SpirvFacts {
  bool hasMain = false;  // a compute entry point of that name
  std::optional<std::array<uint32_t, 3>> workgroup;
  bool fixedByConstants = false;  // the workgroup: it overrides `workgroup`
  std::vector<uint32_t> bindings;
  bool usesOtherSets = false;
};

std::string textOf(Instruction words) {
  const std::string text(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  return text.substr(0, text.find('\0'));
}

void note(Instruction each, SpirvFacts& facts) {
  if (isOp(each, spv::Op::OpEntryPoint) && each.size() > 3) {
    facts.hasMain = facts.hasMain || (each[1] == static_cast<uint32_t>(spv::ExecutionModel::GLCompute) &&
                                      textOf(each.subspan(3)) == "main");
  } else if (isOp(each, spv::Op::OpExecutionMode) && each.size() == 6 &&
             each[2] == static_cast<uint32_t>(spv::ExecutionMode::LocalSize)) {
    facts.workgroup = {each[3], each[4], each[5]};
  } else if (isOp(each, spv::Op::OpDecorate) && each.size() == 4) {
    const auto decoration = static_cast<spv::Decoration>(each[2]);
    if (decoration == spv::Decoration::Binding)
      facts.bindings.push_back(each[3]);
    facts.usesOtherSets =
        facts.usesOtherSets || (decoration == spv::Decoration::DescriptorSet && each[3] != 0);
    facts.fixedByConstants =
        facts.fixedByConstants || (decoration == spv::Decoration::BuiltIn &&
                                   each[3] == static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize));
  }
}

SpirvFacts factsOf(const Words& words, const std::string& path) {
  if (words.size() <= spirvHeader || words[0] != spv::MagicNumber)
    throw wrongFile(path, "this is not SPIR-V");
  SpirvFacts facts;
  size_t read = spirvHeader;
  const std::vector<Instruction> all = instructionsOf(words);
  for (const Instruction each : all) {
    note(each, facts);
    read += each.size();
  }
  if (read < words.size())
    throw wrongFile(path, fmt::format("damaged SPIR-V, from word {} on", read));
  if (!isOp(all.back(), spv::Op::OpFunctionEnd))
    throw wrongFile(path, "damaged SPIR-V: it does not end with the end of a function");
  return facts;
}

std::string readBytes(const ModuleDescription& module, const std::string& file, const std::string& path) {
  if (const auto made = module.made.find(file); made != module.made.end())
    return made->second;
  FileText read = readTextFile(path);
  if (!read.error.empty())
    throw wrongFile(path, "the file can't be read: " + read.error);
  return std::move(read.text);
}

void check(const SpirvFacts& facts, const NodeDescription& node, size_t bindings, bool hasBlock,
           const std::string& path) {
  const std::array<uint32_t, 2>& wanted =
      node.kernel.workgroup[0] > 0 ? node.kernel.workgroup : spirvWorkgroup;
  const std::array<uint32_t, 3> workgroup{wanted[0], wanted[1], 1};
  if (!facts.hasMain)
    throw wrongFile(path, "there is no compute entry point 'main'");
  if (facts.workgroup && !facts.fixedByConstants && *facts.workgroup != workgroup) {
    throw wrongFile(
        path, fmt::format("its workgroup is {}x{}x{}, but that of node '{}' is {}x{}", (*facts.workgroup)[0],
                          (*facts.workgroup)[1], (*facts.workgroup)[2], node.name, wanted[0], wanted[1]));
  }
  for (const uint32_t binding : facts.bindings) {
    if (binding > bindings || (binding == 0 && !hasBlock)) {
      throw wrongFile(path, fmt::format("it uses binding {}, but node '{}' has {} to {}", binding, node.name,
                                        hasBlock ? "the parameters at 0, and 1" : "1", bindings));
    }
  }
  if (facts.usesOtherSets)
    throw wrongFile(path, "it uses a descriptor set other than 0");
}

}  // namespace

GeneratedShader spirvKernel(const ShaderContext& context, const std::vector<Role>& roles) {
  const NodeDescription& node = *context.node.description;
  const ModuleDescription& module = *context.graph.modules.modules[context.node.module].description;
  const std::string path = (std::filesystem::path(module.folder) / node.shader).lexically_normal().string();
  const std::string bytes = readBytes(module, node.shader, path);
  if (bytes.empty() || bytes.size() % 4 != 0)
    throw wrongFile(path, fmt::format("{} bytes are not SPIR-V, which has words of 4", bytes.size()));
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  GeneratedShader out;
  out.block = ownParamBlock(context);
  check(factsOf(words, path), node, roles.size(), out.block.bytes > 0, path);
  out.spirv = std::make_shared<const Words>(std::move(words));
  return out;
}

}  // namespace lacuna
