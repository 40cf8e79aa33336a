// Entry points: the one that `where` names does what `how` says; the others do something simple.

#include <csignal>
#include <cstring>
#include <fstream>

#include "shared/native.h"

namespace {

using lacuna::native::Call;

// True if the entry point is done and returns `result`.
bool misbehaves(const lacuna_call* raw, const char* entry, int& result) {
  const Call call(*raw);
  const std::string how = call.word("where") == entry ? call.word("how") : "";
  result = 0;
  if (how == "error") {
    call.error("the cat sat on it");
    result = 1;
  } else if (how == "blame") {
    call.error("this word is wrong", "how");
    result = 1;
  } else if (how == "zero") {
    call.error("an error, but returns 0");
  } else if (how == "silent") {
    result = 5;
  } else if (how == "throw") {
    throw std::runtime_error("thrown at you");
  } else if (how == "number") {
    throw 42;
  } else if (how == "crash") {
    std::raise(SIGSEGV);
  } else {
    if (how == "warn")
      call.warn("mind the gap");
    return false;
  }
  return true;
}

int probe(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count) {
  int result = 0;
  if (misbehaves(call, "probe", result))
    return result;
  const std::string beside = Call(*call).path() + ".beside";
  if (std::ifstream(beside))
    Call(*call).reads(beside);
  const bool forgets = Call(*call).word("how") == "forget";
  for (uint32_t i = 0; i < count && !forgets; ++i)
    lacuna::native::setType(*planes[i], lacuna::native::imageType(lacuna_y, lacuna_f32, lacuna_data, 5, 4));
  return 0;
}

// Pixel i of a frame is 1000 * frame + i.
int read(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count) {
  int result = 0;
  if (misbehaves(call, "read", result))
    return result;
  for (uint32_t p = 0; p < count; ++p) {
    auto* pixels = static_cast<float*>(planes[p]->data);
    for (uint64_t i = 0; i < planes[p]->bytes / sizeof(float); ++i)
      pixels[i] = static_cast<float>(1000 * call->frame + static_cast<int64_t>(i));
  }
  return 0;
}

int write(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count, const char* part) {
  std::ofstream file(part, std::ios::binary);
  for (uint32_t p = 0; p < count; ++p)
    file.write(static_cast<const char*>(planes[p]->data), static_cast<std::streamsize>(planes[p]->bytes));
  file.close();
  int result = 0;
  misbehaves(call, "write", result);
  return result;
}

// Sets `size`, with the requested mistake.
int settle(const lacuna_call* raw, const char* const* connected, uint32_t count,
           const lacuna_settings* settings) {
  int result = 0;
  if (misbehaves(raw, "settle", result))
    return result;
  const Call call(*raw);
  const lacuna::native::Settings to(*settings);
  const std::string how = call.word("where") == "settle" ? call.word("how") : "";
  if (how == "unknown")
    to.set("weight", "3");
  else if (how == "wrong")
    to.set("size", "huge");
  else if (how == "unfit")
    to.set("how", "so");
  else if (call.has("size") && count == 1 && std::strcmp(connected[0], "output") == 0)
    to.set("size", call.isSet("size") ? "large" : "small");
  else if (call.origin() && call.originOutput() == "output")
    call.warn("from " + call.origin()->path() + ", " + call.origin()->word("size"));
  return 0;
}

constexpr const char* oneMore = "void apply(Inputs i, inout Outputs o, Pixel p) { o.more = i.x + 1.0; }\n";
constexpr const char* node =
    "[[node]]\nname = \"add\"\nkind = \"pointwise\"\nshader = \"add.glsl\"\n"
    "inputs = [{ name = \"x\", source = \"input\" }]\n"
    "outputs = [{ name = \"more\", connector = \"output\" }]\n";

// A mistake to build into the nodes, by name; none if empty.
std::string wrongNodes(const std::string& how) {
  std::string text = node;
  const auto change = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  if (how == "no-toml")
    return "[[node]\nname = 1";
  if (how == "no-nodes")
    return "";
  if (how == "wrong-source")
    change("\"input\"", "\"inptu\"");
  if (how == "wrong-shader")
    change("add.glsl", "sub.glsl");
  if (how == "wrong-kind")
    change("pointwise", "sink");
  if (how == "wrong-type")
    change("connector", "channels = \"rgba\", connector");
  if (how == "wrong-connector")
    change("\"output\"", "\"outptu\"");
  if (how == "wrong-variant")
    change("\"add\"", "\"sub\"");
  return text;
}

int build(const lacuna_call* raw, const lacuna_plane* const*, uint32_t, const lacuna_builder* builder) {
  int result = 0;
  if (misbehaves(raw, "build", result))
    return result;
  const std::string how = Call(*raw).word("how");
  const lacuna::native::Builder to(*builder);
  to.nodes(wrongNodes(how));
  to.shader("add.glsl", oneMore);
  const float values[2] = {1.0F, 2.0F};
  const lacuna_type two = lacuna::native::arrayType(lacuna_y, lacuna_f32, 2);
  const lacuna_type halves = lacuna::native::arrayType(lacuna_y, lacuna_f16, 2);
  if (how == "shader-twice")
    to.shader("add.glsl", oneMore);
  if (how == "upload-short")
    to.upload("w", two, values, 7);
  if (how == "upload-half")
    to.upload("w", halves, values, 8);
  if (how == "upload-bytes")
    to.upload("w", lacuna::native::arrayType(lacuna_y, lacuna_u8, 2), values, 2);
  if (how == "upload-shape") {
    lacuna_type six = lacuna::native::arrayType(lacuna_y, lacuna_f16, {3, 2});
    six.shape[0] = 2;
    to.upload("w", six, values, 8);
  }
  if (how == "upload-empty")
    to.upload("w", lacuna::native::arrayType(lacuna_y, lacuna_f16, {2, 0}), values, 0);
  if (how == "upload-many")
    to.upload("w", lacuna::native::arrayType(lacuna_y, lacuna_f32, 0x80000000U), values, 8);
  if (how == "upload-name")
    to.upload("w w", two, values, 8);
  if (how == "upload-twice") {
    to.upload("w", two, values, 8);
    to.upload("w", two, values, 8);
  }
  return 0;
}

const lacuna_module table = {sizeof table, LACUNA_ABI, MODULE_NAME, nullptr, probe, build,  read,
                             write,        settle,     nullptr,     nullptr, 0,     nullptr};

}  // namespace

extern "C" __attribute__((visibility("default"))) const lacuna_module* lacuna_module_entry(uint32_t) {
  return &table;
}
