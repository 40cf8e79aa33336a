#include "graph/shader/generate/tokens.h"

#include <algorithm>
#include <string_view>

namespace lacuna {
namespace {

// Separated by spaces.
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin)
      words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

const std::vector<std::string>& builtInFunctions() {
  static const std::vector<std::string> words = wordsOf(
      "radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 log2 "
      "sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp mix step "
      "smoothstep isnan isinf floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat fma frexp "
      "ldexp packUnorm2x16 packSnorm2x16 packUnorm4x8 packSnorm4x8 unpackUnorm2x16 unpackSnorm2x16 "
      "unpackUnorm4x8 unpackSnorm4x8 packHalf2x16 unpackHalf2x16 packDouble2x32 unpackDouble2x32 length "
      "distance dot cross normalize faceforward reflect refract matrixCompMult outerProduct transpose "
      "determinant inverse lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual any all not "
      "uaddCarry usubBorrow umulExtended imulExtended bitfieldExtract bitfieldInsert bitfieldReverse "
      "bitCount findLSB findMSB atomicAdd atomicMin atomicMax atomicAnd atomicOr atomicXor atomicExchange "
      "atomicCompSwap barrier memoryBarrier memoryBarrierBuffer memoryBarrierShared memoryBarrierImage "
      "groupMemoryBarrier texture textureLod texelFetch textureSize imageLoad imageStore imageSize");
  return words;
}

const std::vector<std::string>& glslTypes() {
  static const std::vector<std::string> words = wordsOf(
      "void bool int uint float double vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 bvec2 bvec3 bvec4 "
      "dvec2 dvec3 dvec4 mat2 mat3 mat4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 "
      "float16_t f16vec2 f16vec3 f16vec4");
  return words;
}

const std::vector<std::string>& glslKeywords() {
  static const std::vector<std::string> words = wordsOf(
      "const struct if else for while do switch case default break continue return in out inout true false "
      "shared highp mediump lowp precision layout uniform buffer discard "
      "gl_NumWorkGroups gl_WorkGroupSize gl_WorkGroupID gl_LocalInvocationID gl_GlobalInvocationID "
      "gl_LocalInvocationIndex gl_NumSubgroups gl_SubgroupID gl_SubgroupSize gl_SubgroupInvocationID "
      "gl_SubgroupEqMask gl_SubgroupGeMask gl_SubgroupGtMask gl_SubgroupLeMask gl_SubgroupLtMask "
      "gl_MaxComputeWorkGroupSize");
  return words;
}

}  // namespace lacuna
