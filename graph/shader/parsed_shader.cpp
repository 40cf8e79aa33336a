#include "graph/shader/parsed_shader.h"

#include <fmt/format.h>

#include <glslang/MachineIndependent/localintermediate.h>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <algorithm>

#include "graph/config/regex.h"
#include "graph/config/text.h"
#include "graph/shader/compiler_log.h"

namespace lacuna {
namespace {

using Kind = VariableUse::Kind;

constexpr int deepest =
    8000;  // what makes SPIR-V of a tree recurs: 30,000 terms of a sum need more than 8 MB

// Whether statements surely end in `return`.
bool returns(TIntermNode* node) {
  if (node == nullptr)
    return false;
  if (const auto* branch = node->getAsBranchNode())
    return branch->getFlowOp() == glslang::EOpReturn || branch->getFlowOp() == glslang::EOpKill;
  if (auto* loop = node->getAsLoopNode()) {
    const auto* condition = loop->getTest() == nullptr ? nullptr : loop->getTest()->getAsConstantUnion();
    const bool isEndless =
        loop->getTest() == nullptr || (condition != nullptr && condition->getConstArray()[0].getBConst());
    return isEndless || (!loop->testFirst() && returns(loop->getBody()));
  }
  if (auto* either = node->getAsSelectionNode())
    return returns(either->getTrueBlock()) && returns(either->getFalseBlock());
  auto* list = node->getAsAggregate();
  return node->getAsSwitchNode() != nullptr ||  // its cases are the author's
         (list != nullptr && list->getOp() == glslang::EOpSequence &&
          std::ranges::any_of(list->getSequence(), returns));
}

class TreeReader : public glslang::TIntermTraverser {
 public:
  std::vector<ShaderFunction> functions;
  std::vector<const glslang::TIntermSymbol*> variables;

  bool visitAggregate(glslang::TVisit, glslang::TIntermAggregate* node) override {
    const glslang::TIntermSequence& parts = node->getSequence();
    switch (node->getOp()) {
      case glslang::EOpFunction:
        functions.push_back({node, {}, parts.size() > 1 && returns(parts[1]), {}});
        return true;
      case glslang::EOpParameters:
      case glslang::EOpLinkerObjects:
        for (TIntermNode* each : parts) {
          (node->getOp() == glslang::EOpParameters ? functions.back().parameters : variables)
              .push_back(each->getAsSymbolNode());
        }
        return false;
      case glslang::EOpModf:
      case glslang::EOpFrexp:
      case glslang::EOpAddCarry:
      case glslang::EOpSubBorrow:
      case glslang::EOpUMulExtended:
      case glslang::EOpIMulExtended:
      case glslang::EOpCooperativeMatrixLoad:
      case glslang::EOpSpirvInst:
        std::ranges::for_each(parts, [&](TIntermNode* part) { use(part, Kind::set); });
        return false;
      default:
        break;
    }
    const glslang::TQualifierList& qualifiers = node->getQualifierList();
    if (node->getOp() != glslang::EOpFunctionCall || qualifiers.size() != parts.size())
      return true;
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool isOut = qualifiers[i] == glslang::EvqOut || qualifiers[i] == glslang::EvqInOut;
      use(parts[i], isOut ? Kind::set : Kind::read);
    }
    return false;
  }

  bool visitBinary(glslang::TVisit, glslang::TIntermBinary* node) override {
    if (node->modifiesState()) {
      use(node->getLeft(), node->getOp() == glslang::EOpAssign ? Kind::set : Kind::changed);
      node->getRight()->traverse(this);
    } else if (isAccess(*node)) {
      use(node, Kind::read);
    } else {
      return true;
    }
    return false;
  }

  bool visitUnary(glslang::TVisit, glslang::TIntermUnary* node) override {
    const bool isInstruction = node->getOp() == glslang::EOpSpirvInst;
    if (isInstruction || node->modifiesState()) {
      use(node->getOperand(), isInstruction ? Kind::set : Kind::changed);
      return false;
    }
    return true;
  }

  void visitSymbol(glslang::TIntermSymbol* symbol) override { use(symbol, Kind::read); }

 private:
  static bool isAccess(const glslang::TIntermBinary& node) {
    return node.getOp() >= glslang::EOpIndexDirect && node.getOp() <= glslang::EOpVectorSwizzle;
  }

  static unsigned constantOf(TIntermNode* node) {
    return static_cast<unsigned>(node->getAsConstantUnion()->getConstArray()[0].getIConst());
  }

  // A variable, or a part of one. The indices within are read.
  void use(TIntermNode* node, Kind kind) {
    VariableUse found{kind};
    unsigned outer = ~0U;  // components of the access around
    for (auto* access = node->getAsBinaryNode(); access != nullptr && isAccess(*access);
         access = node->getAsBinaryNode()) {
      node = access->getLeft();
      const glslang::TType& type = access->getLeft()->getType();
      found.components = ~0U;
      if (access->getOp() == glslang::EOpIndexDirectStruct) {
        const auto& members = *(type.isReference() ? type.getReferentType()->getStruct() : type.getStruct());
        found.member = members[constantOf(access->getRight())].type->getFieldName().c_str();
        found.components = outer;
      } else if (access->getOp() == glslang::EOpVectorSwizzle) {
        found.components = 0;
        for (TIntermNode* each : access->getRight()->getAsAggregate()->getSequence())
          found.components |= 1U << constantOf(each);
      } else if (access->getOp() == glslang::EOpIndexDirect && type.isVector() && !type.isArray()) {
        found.components = 1U << constantOf(access->getRight());
      } else {
        access->getRight()->traverse(this);
      }
      outer = found.components;
    }
    found.variable = node->getAsSymbolNode();
    if (found.variable == nullptr)
      node->traverse(this);
    else if (!functions.empty())
      functions.back().uses.push_back(std::move(found));
  }
};

std::string typeWord(const glslang::TType& type) {
  const std::string text = plainWords(fmt::format("'{}'", type.getCompleteString().c_str()));
  return type.isStruct() ? plainWords(structName(type)) : text.substr(1, text.size() - 2);
}

std::string withPlaces(const std::string& log) {
  static const Regex place("^ERROR: (.*:[0-9]+): (.*[^ ]) *$");
  std::string text;
  for (const std::string_view line : splitLines(log))
    text += place.replace(line, "$1: error: $2") + "\n";
  return text;
}

}  // namespace

std::string ShaderFunction::name() const {
  const std::string mangled = node->getName().c_str();  // "n0_gather(struct-n0_Acc-vf3;"
  return mangled.substr(0, mangled.find('('));
}

std::string ShaderFunction::head() const {
  std::string list;
  for (const glslang::TIntermSymbol* each : parameters) {
    const auto storage = each->getQualifier().storage;
    const char* qualifier = storage == glslang::EvqOut     ? "out "
                            : storage == glslang::EvqInOut ? "inout "
                                                           : "";
    list += fmt::format("{}{}{} {}", list.empty() ? "" : ", ", qualifier, typeWord(each->getType()),
                        plainWords(each->getName().c_str()));
  }
  return fmt::format("{} {}({})", typeWord(node->getType()), plainWords(name()), list);
}

std::string structName(const glslang::TType& type) {
  return type.isStruct() ? type.getTypeName().c_str() : "";
}

std::string fileOf(const glslang::TSourceLoc& place) {
  return place.name == nullptr ? "" : place.name->c_str();
}

struct ParsedShader::Glslang {
  glslang::TShader shader{EShLangCompute};
  glslang::TProgram program;
};

ParsedShader::ParsedShader(const std::string& glsl, const std::string& name, DebugInfo debug)
    : debug_(debug) {
  // Its tables take 70 ms, for the first shader of a process.
  [[maybe_unused]] static const bool isReady = glslang::InitializeProcess();
  glslang_ = std::make_unique<Glslang>();
  glslang::TShader& shader = glslang_->shader;
  const char *text = glsl.c_str(), *file = name.c_str();
  const int length = static_cast<int>(glsl.size());
  shader.setStringsWithLengthsAndNames(&text, &length, &file, 1);
  shader.setPreamble("#extension GL_GOOGLE_include_directive : enable\n");  // for #line with files
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_2);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_5);
  const auto messages =
      static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules | EShMsgCascadingErrors |
                               (debug == DebugInfo::sources ? EShMsgDebugInfo : EShMsgDefault));
  const bool isParsed = shader.parse(GetDefaultResources(), 110, false, messages);
  // Before functions that nothing calls are removed.
  if (TIntermNode* root = shader.getIntermediate()->getTreeRoot()) {
    TreeReader reader;
    root->traverse(&reader);
    functions_ = std::move(reader.functions);
    variables_ = std::move(reader.variables);
    if (reader.getMaxDepth() > deepest) {
      log_ = fmt::format("operations are nested {} deep: at most {} are allowed\n", reader.getMaxDepth(),
                         deepest);
    }
  }
  glslang_->program.addShader(&shader);
  if (!isParsed)
    log_ = withPlaces(shader.getInfoLog());
  else if (log_.empty() && !glslang_->program.link(messages))
    log_ = withPlaces(glslang_->program.getInfoLog());
}

ParsedShader::~ParsedShader() = default;

const ShaderFunction* ParsedShader::functionAt(const std::string& file, int line) const {
  const ShaderFunction* last = nullptr;
  for (const ShaderFunction& each : functions_) {
    const glslang::TSourceLoc& place = each.node->getLoc();
    last = place.line <= line && fileOf(place) == file ? &each : last;
  }
  return last;
}

SpirvWords ParsedShader::spirv() const {
  glslang::SpvOptions options;
  options.generateDebugInfo = debug_ == DebugInfo::sources;
  options.disableOptimizer = true;
  SpirvWords words;
  GlslangToSpv(*glslang_->program.getIntermediate(EShLangCompute), words, &options);
  return words;
}

}  // namespace lacuna
