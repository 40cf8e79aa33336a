#include "tests/gpu/support.h"

#include <stdexcept>

#include "graph/shader/parsed_shader.h"
#include "tests/support/random.h"
#include "tests/support/shared_device.h"

namespace lacuna::test {

vk::Device& device() {
  return sharedDevice("gpu", deviceOptions());
}

std::shared_ptr<const vk::Spirv> spirvOf(const std::string& glsl) {
  const std::string source =
      "#version 460\n#extension GL_EXT_scalar_block_layout : require\n"
      "layout(local_size_x = 64) in;\n" +
      glsl;
  const ParsedShader parsed(source, "test.glsl");
  if (!parsed.log().empty())
    throw std::runtime_error(parsed.log());
  return std::make_shared<const vk::Spirv>(parsed.spirv());
}

std::vector<uint32_t> randomWords(size_t count) {
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words)
    word = static_cast<uint32_t>(testRandom()());
  return words;
}

std::vector<int32_t> randomIntegers(size_t count, int32_t low, int32_t high) {
  std::uniform_int_distribution<int32_t> distribution(low, high);
  std::vector<int32_t> values(count);
  for (int32_t& value : values)
    value = distribution(testRandom());
  return values;
}

void GpuTest::SetUp() {
  messagesBefore_ = device().validationMessages().size();
}

void GpuTest::TearDown() {
  const std::vector<std::string> messages = device().validationMessages();
  for (size_t i = messagesBefore_; i < messages.size(); ++i)
    ADD_FAILURE() << "validation: " << messages[i];
}

ResourceId Plan::buffer(const std::string& name, uint64_t bytes) {
  Resource made;
  made.name = name;
  made.kind = ResourceKind::buffer;
  made.bytes = bytes;
  return schedule.resources.add(made);
}

ResourceId Plan::image(const std::string& name, ImageFormat format, uint32_t width, uint32_t height) {
  Resource made;
  made.name = name;
  made.kind = ResourceKind::image;
  made.imageFormat = format;
  made.width = width;
  made.height = height;
  return schedule.resources.add(made);
}

PassId Plan::add(const std::string& name, PassKind kind, std::vector<Access> accesses) {
  Pass made;
  made.name = name;
  made.kind = kind;
  made.accesses = std::move(accesses);
  spirv.push_back(nullptr);
  return schedule.passes.add(made);
}

PassId Plan::upload(ResourceId to) {
  return add("upload " + resource(to).name, PassKind::upload,
             {{to, AccessKind::write, AccessPoint::transfer, 0, 0}});
}

PassId Plan::download(ResourceId from) {
  return add("download " + resource(from).name, PassKind::download,
             {{from, AccessKind::read, AccessPoint::transfer, 0, 0}});
}

PassId Plan::fill(ResourceId to) {
  return add("fill " + resource(to).name, PassKind::fill,
             {{to, AccessKind::write, AccessPoint::transfer, 0, 0}});
}

PassId Plan::copy(ResourceId from, ResourceId to) {
  return add("copy " + resource(from).name, PassKind::copy,
             {{from, AccessKind::read, AccessPoint::transfer, 0, 0},
              {to, AccessKind::write, AccessPoint::transfer, 0, 0}});
}

PassId Plan::dispatch(const std::string& name, const std::string& glsl, uint32_t groupsX, uint32_t groupsY,
                      std::vector<Access> accesses) {
  const PassId id = add(name, PassKind::dispatch, std::move(accesses));
  pass(id).groups = {groupsX, groupsY, 1};
  spirv.back() = spirvOf(glsl);
  return id;
}

std::unique_ptr<vk::Executable> Plan::build(vk::Device& on) const {
  return std::make_unique<vk::Executable>(on, schedule, spirv);
}

}  // namespace lacuna::test
