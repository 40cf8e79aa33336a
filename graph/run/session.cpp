#include "graph/run/session.h"

#include "graph/run/files.h"
#include "graph/shader/compile.h"
#include "graph/shader/generate/shaders.h"

namespace lacuna {

struct Session::Impl {
  std::unique_ptr<vk::Executable> executable;
  int framesRun = 0;

  const Schedule& schedule() const { return executable->schedule(); }

  vk::Frame frame(int index) const {
    vk::Frame f;
    f.index = index;
    f.first = framesRun == 0;
    f.fillBlock = [this, index](int pass, std::span<std::byte> block) {
      fillBlock(schedule(), schedule().passes[static_cast<size_t>(pass)], index, block);
    };
    return f;
  }

  int passCarrying(PassKind kind, const std::string& valueName) const {
    for (size_t p = 0; p < schedule().passes.size(); ++p) {
      const Pass& pass = schedule().passes[p];
      if (pass.kind == kind && valueOf(pass).name == valueName) {
        return static_cast<int>(p);
      }
    }
    return -1;
  }

  const Value& valueOf(const Pass& pass) const {
    const Resource& resource = schedule().resources[static_cast<size_t>(pass.accesses.front().resource)];
    return schedule().graph.values[static_cast<size_t>(resource.value)];
  }

  // The planes of a source or sink: the node's own name for each value that its transfer passes carry.
  std::vector<FilePlane> planes(int node, PassKind kind) const {
    std::vector<FilePlane> found;
    const Node& n = schedule().graph.nodes[static_cast<size_t>(node)];
    const auto& ends = kind == PassKind::upload ? n.outputs : n.inputs;
    for (size_t p = 0; p < schedule().passes.size(); ++p) {
      const Pass& pass = schedule().passes[p];
      if (pass.node != node || pass.kind != kind) {
        continue;
      }
      const auto index = static_cast<int>(p);
      const int value = schedule().resources[static_cast<size_t>(pass.accesses.front().resource)].value;
      for (const NamedValue& end : ends) {
        if (end.value == value && pass.name.ends_with("." + end.name)) {
          const std::span<const std::byte> pixels =
              kind == PassKind::upload ? executable->uploadMemory(index) : executable->downloadMemory(index);
          // Sinks only read what they are given; FilePlane serves both ways.
          found.push_back(
              {end.name, valueOf(pass).type, {const_cast<std::byte*>(pixels.data()), pixels.size()}});
        }
      }
    }
    return found;
  }
};

Session::Session(vk::Device& device, Schedule schedule, const std::vector<std::string>& includePath,
                 const std::string& cacheFolder)
    : impl_(std::make_unique<Impl>()) {
  schedule = generateShaders(std::move(schedule), includePath);
  std::vector<std::string> texts;
  std::vector<std::string> names;
  for (const Pass& pass : schedule.passes) {
    texts.push_back(pass.glsl);
    names.push_back(pass.name);
  }
  auto spirv = ShaderCache(cacheFolder).compileAll(texts, names);
  impl_->executable = std::make_unique<vk::Executable>(device, std::move(schedule), std::move(spirv));
}

Session::~Session() = default;

void Session::upload(int frame) {
  const NodeGraph& graph = schedule().graph;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].kind == NodeKind::source && !graph.nodes[n].description->codec.empty()) {
      readFrame(graph, graph.nodes[n], frame, impl_->planes(static_cast<int>(n), PassKind::upload));
    }
  }
}

void Session::compute(int frame) {
  impl_->executable->run(impl_->frame(frame));
  ++impl_->framesRun;
}

vk::Timings Session::time(int frame, bool perPass) {
  vk::Timings timings = impl_->executable->time(impl_->frame(frame), perPass);
  ++impl_->framesRun;
  return timings;
}

void Session::writeSinks(int frame) {
  const NodeGraph& graph = schedule().graph;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (graph.nodes[n].kind == NodeKind::sink && !graph.nodes[n].description->codec.empty()) {
      writeFrame(graph, graph.nodes[n], frame, impl_->planes(static_cast<int>(n), PassKind::download));
    }
  }
}

void Session::run(int frame) {
  upload(frame);
  compute(frame);
  writeSinks(frame);
}

const Schedule& Session::schedule() const {
  return impl_->schedule();
}

std::span<std::byte> Session::uploadMemory(const std::string& valueName) {
  const int pass = impl_->passCarrying(PassKind::upload, valueName);
  return pass < 0 ? std::span<std::byte>() : impl_->executable->uploadMemory(pass);
}

std::span<const std::byte> Session::downloadMemory(const std::string& valueName) {
  const int pass = impl_->passCarrying(PassKind::download, valueName);
  return pass < 0 ? std::span<const std::byte>() : impl_->executable->downloadMemory(pass);
}

}  // namespace lacuna
