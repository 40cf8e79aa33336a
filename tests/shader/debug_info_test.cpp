// Shaders that keep sources and lines for debuggers.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp11>

#include "graph/shader/compile.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

const std::string softShader = R"(#version 460
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer A { float a[]; };
#line 7 "mine/soft/main.glsl"
float half_of(float x) { return 0.5 * x + 1.0; }
void main() { a[gl_GlobalInvocationID.x] = half_of(a[gl_GlobalInvocationID.x]); }
)";

struct Instruction {
  spv::Op op;
  std::vector<uint32_t> operands;
};

std::vector<Instruction> instructionsOf(const SpirvWords& words) {
  std::vector<Instruction> all;
  for (size_t i = 5; i < words.size(); i += words[i] >> 16U) {
    all.push_back({static_cast<spv::Op>(words[i] & 0xffffU),
                   {words.begin() + static_cast<ptrdiff_t>(i) + 1,
                    words.begin() + static_cast<ptrdiff_t>(i + (words[i] >> 16U))}});
  }
  return all;
}

std::string textFrom(const std::vector<uint32_t>& operands, size_t first) {
  const std::string text(reinterpret_cast<const char*>(operands.data() + first),
                         4 * (operands.size() - first));
  return text.substr(0, text.find('\0'));
}

bool isDebug(spv::Op op) {
  return op == spv::Op::OpLine || op == spv::Op::OpNoLine || op == spv::Op::OpSource ||
         op == spv::Op::OpSourceContinued || op == spv::Op::OpSourceExtension || op == spv::Op::OpString ||
         op == spv::Op::OpName || op == spv::Op::OpMemberName || op == spv::Op::OpModuleProcessed;
}

std::vector<spv::Op> codeOf(const SpirvWords& words) {
  std::vector<spv::Op> code;
  for (const Instruction& each : instructionsOf(words))
    if (!isDebug(each.op))
      code.push_back(each.op);
  return code;
}

TEST(DebugInfo, HoldsTheSourceAndItsAuthorsLines) {
  const SpirvWords words = compileGlsl(softShader, "/somewhere/soft.comp", DebugInfo::sources);
  std::map<uint32_t, std::string> strings;
  std::string source;
  std::set<std::pair<std::string, uint32_t>> lines;
  for (const Instruction& each : instructionsOf(words)) {
    if (each.op == spv::Op::OpString) {
      strings[each.operands[0]] = textFrom(each.operands, 1);
    } else if (each.op == spv::Op::OpSource && each.operands.size() > 3) {
      EXPECT_EQ(strings[each.operands[2]], "/somewhere/soft.comp");
      source = textFrom(each.operands, 3);
    } else if (each.op == spv::Op::OpLine) {
      lines.emplace(strings[each.operands[0]], each.operands[1]);
    }
  }
  EXPECT_NE(source.find("return 0.5 * x + 1.0;"), std::string::npos) << source;
  EXPECT_TRUE(lines.count({"mine/soft/main.glsl", 7})) << "the function, wherever it was inlined";
  EXPECT_TRUE(lines.count({"mine/soft/main.glsl", 8}));
}

TEST(DebugInfo, LeavesTheInstructionsAsTheyAre) {
  EXPECT_EQ(codeOf(compileGlsl(softShader, "soft", DebugInfo::sources)),
            codeOf(compileGlsl(softShader, "soft")));
}

TEST(DebugInfo, IsNotThereUnlessAskedFor) {
  for (const Instruction& each : instructionsOf(compileGlsl(softShader, "soft"))) {
    EXPECT_NE(each.op, spv::Op::OpLine);
    EXPECT_FALSE(each.op == spv::Op::OpSource && each.operands.size() > 2);
  }
}

// The plain shader is compiled first and last: neither is confused with the other.
TEST(DebugInfo, IsKeptApartAndWrittenWhereDebuggersLook) {
  const Folder folder;
  const auto compiled = [&](DebugInfo debug) {
    return *ShaderCache(folder.file(""), debug).compileAll({softShader}, {"soft:01:main.0"}).front();
  };
  const SpirvWords plain = compiled(DebugInfo::none);
  const SpirvWords first = compiled(DebugInfo::sources);
  EXPECT_NE(first, plain);
  EXPECT_EQ(compiled(DebugInfo::sources), first);
  EXPECT_EQ(compiled(DebugInfo::none), plain);

  std::map<std::string, std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder.file("debug-shaders")))
    files[file.path().extension()] = file.path();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files.at(".comp").filename().string().rfind("soft-01-main-0-", 0), 0U) << files.at(".comp");
  EXPECT_EQ(slurp(files.at(".comp")), softShader);
  const std::string words(reinterpret_cast<const char*>(first.data()), first.size() * sizeof(uint32_t));
  EXPECT_EQ(slurp(files.at(".spv")), words);
  EXPECT_NE(words.find(files.at(".comp").string()), std::string::npos) << "SPIR-V names its source";
}

TEST(DebugInfo, SaysWhereItCanNotBeWritten) {
  const Folder folder;
  std::ofstream(folder.file("debug-shaders")) << "a file in the folder's place";
  ShaderCache cache(folder.file(""), DebugInfo::sources);
  try {
    cache.compileAll({softShader}, {"soft"});
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("debug-shaders"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lacuna::test
