#pragma once
// A shader as glslang understands it. One parse gives its messages, what its functions do, and its SPIR-V.

#include <glslang/Include/intermediate.h>

#include <memory>
#include <string>
#include <vector>

#include "graph/shader/compile.h"

namespace lacuna {

// Where a function names a variable.
struct VariableUse {
  enum class Kind { read, set, changed };  // changed: +=, ++; set: also as an argument that is written

  Kind kind = Kind::read;
  const glslang::TIntermSymbol* variable = nullptr;
  std::string member = {};    // of a struct, as the shader names it; "": all of it
  unsigned components = ~0U;  // of the member, as bits
};

struct ShaderFunction {
  const glslang::TIntermAggregate* node = nullptr;
  std::vector<const glslang::TIntermSymbol*> parameters;
  bool returns = false;  // its statements surely end in `return`
  std::vector<VariableUse> uses;

  std::string name() const;  // "n0_gather"
  std::string head() const;  // "void gather(inout Acc a, Centre c)", as authors write it
};

// "" if it isn't one.
std::string structName(const glslang::TType& type);
std::string fileOf(const glslang::TSourceLoc& place);

class ParsedShader {
 public:
  ParsedShader(const std::string& glsl, const std::string& name, DebugInfo debug = DebugInfo::none);
  ~ParsedShader();

  const std::string& log() const { return log_; }  // "FILE:LINE: error: ..."; "" if the shader is right
  // Up to the first mistake of syntax. Places are those of `#line`; a function's is where its head ends.
  const std::vector<ShaderFunction>& functions() const { return functions_; }
  const ShaderFunction* functionAt(const std::string& file, int line) const;
  // At file scope.
  const std::vector<const glslang::TIntermSymbol*>& variables() const { return variables_; }
  SpirvWords spirv() const;  // before any optimisation. Needs: an empty log

 private:
  struct Glslang;
  std::unique_ptr<Glslang> glslang_;
  std::string log_;
  std::vector<ShaderFunction> functions_;
  std::vector<const glslang::TIntermSymbol*> variables_;
  DebugInfo debug_;
};

}  // namespace lacuna
