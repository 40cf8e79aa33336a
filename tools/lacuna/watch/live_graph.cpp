#include "tools/lacuna/watch/live_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "graph/files/standard_streams.h"
#include "graph/nodes/module_file.h"
#include "tools/lacuna/plan/plan.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// Of a file, or of the files in a folder: what a save changes.
std::string stampOf(const fs::path& path) {
  std::error_code ignored;
  std::string stamp;
  const auto add = [&](const fs::path& file) {
    stamp += fmt::format("{} {} {};", file.filename().string(),
                         fs::last_write_time(file, ignored).time_since_epoch().count(),
                         fs::file_size(file, ignored));
  };
  if (fs::is_directory(path, ignored)) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
      if (!entry.is_directory(ignored))
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::ranges::for_each(files, add);
  } else if (fs::exists(path, ignored)) {
    add(path);
  }
  return stamp;
}

bool isOfGraph(const ModuleInstance& module) {
  return module.builtFrom.empty();
}

// Whose animation counts in the frame that is shown; none: in those before it, too.
std::optional<int> shownFrame(const door::GraphState& state) {
  return state.warmUp.needsEarlier() ? std::nullopt : std::optional(state.plan.frames.front());
}

// What a graph's file says beside its modules. `frames`: if the graph's own count isn't to hold.
std::string graphLines(const ModuleGraph& graph, std::optional<int> frames) {
  std::string lines = fmt::format("lacuna:1\nfps:{}\n", graph.framesPerSecond);
  if (frames || graph.hasFrames)
    lines += fmt::format("frames:{}\n", frames.value_or(graph.frames));
  if (graph.warmUp)
    lines += fmt::format("warmup:{}\n", graph.warmUp->frames ? std::to_string(*graph.warmUp->frames) : "all");
  return lines;
}

std::string stampOf(const std::set<std::string>& folders) {
  std::string stamp;
  for (const std::string& folder : folders)
    stamp += stampOf(fs::path(folder));
  return stamp;
}

double numberOf(const ParameterValue& value) {
  const auto* whole = std::get_if<int64_t>(&value);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

}  // namespace

std::string arrayIn(const TemporaryFolder& folder) {
  return folder.path() + "/array.npy";
}

std::set<std::string> withFoldersBelow(const std::string& folder) {
  std::error_code ignored;
  std::set<std::string> folders = {folder};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, ignored))
    if (entry.is_directory(ignored))
      folders.insert(entry.path().string());
  return folders;
}

std::set<std::string> foldersOf(const ModuleDescription& description) {
  std::set<std::string> folders = withFoldersBelow(description.folder);
  for (const NodeDescription& node : description.nodes)
    if (node.shader.starts_with(".."))  // of another module
      folders.insert((fs::path(description.folder) / node.shader).lexically_normal().parent_path().string());
  return folders;
}

std::vector<std::string> previewOf(const door::GraphState& state,
                                   const std::map<std::string, std::string>& kept) {
  std::vector<std::string> quicker;
  for (const ModuleInstance& module : state.loaded.graph.modules.modules)
    for (const Parameter& parameter : module.parameters) {
      const ParameterDescription& described = *parameter.description;
      const std::string name = fmt::format("{}:{}", module.name(), described.name);
      if (!isOfGraph(module) || described.preview.empty() || kept.contains(name))
        continue;
      const double preview = numberOf(described.preview.front());
      // A value on the other side of the preview's than the default is quicker still.
      if ((preview - numberOf(described.defaults.front())) * (preview - numberOf(parameter.values.front())) >
          0.0)
        quicker.push_back(fmt::format("{}={}", name, preview));
    }
  return quicker;
}

bool isWrittenFromKept(const door::GraphState& state, const RunArguments& arguments) {
  const auto& modules = state.loaded.graph.modules.modules;
  return state.loaded.ok() && state.plan.frames.size() == 1 && !state.warmUp.needsEarlier() &&
         !state.recording && !arguments.overwriteInput && arguments.graph.pipeline.memoryBytes == 0 &&
         std::ranges::none_of(modules, [](const ModuleInstance& module) {
           return hasFrameFiles(module) ||
                  (module.description->isSink() && filePattern(module) == standardStream);
         });
}

ConstImageView LivePicture::view() const {
  ConstImageView view{bytes.data(), type.width, type.height, {}, type.format};
  const int components = componentCount(type.channels);
  view.order = components == 1 ? ChannelOrder::x : components == 2 ? ChannelOrder::xy : ChannelOrder::rgba;
  view.rowBytes = static_cast<std::ptrdiff_t>(bytes.size() / static_cast<size_t>(type.height));
  view.pixelBytes = bytes.size() / static_cast<size_t>(type.height) / static_cast<size_t>(type.width);
  return view;
}

std::map<std::string, std::string> LiveGraph::keysOf(const door::GraphState& state) const {
  const ModuleGraph& graph = state.loaded.graph.modules;
  std::map<std::string, std::string> keys;
  std::string shared = std::to_string(state.plan.frames.front());
  for (const std::string& folder : state.modulePath)
    shared += stampOf(withFoldersBelow(folder + "/shared"));
  for (const ModuleInstance& module : graph.modules) {
    if (!isOfGraph(module))
      continue;
    std::string key =
        shared + stampOf(foldersOf(*module.description)) + moduleLines(module, shownFrame(state));
    for (const std::string& file : filesToRead(state, module))
      key += file + stampOf(file);
    for (const auto& [input, from] : module.inputs)
      key += fmt::format("{} < {} {};", input, from.connector, keys[graph.modules[from.producer].name()]);
    keys[module.name()] = std::to_string(std::hash<std::string>()(key));
  }
  return keys;
}

// Whether what a sink writes is of the type of its file's picture, so that `mix` can take both.
bool LiveGraph::isLikeItsFile(const ModuleGraph& graph, const ModuleInstance& sink) const {
  const std::optional<SinkOrigin> file = originOf(graph, sink);
  if (!file)
    return true;
  const auto input = sink.inputs.find("input");
  if (input == sink.inputs.end())
    return false;
  const ModuleConnection& from = input->second;
  const auto made = kept_.pictures.find(graph.modules[from.producer].name() + ":" + from.connector);
  const auto read = kept_.pictures.find(file->source->name() + ":" + file->output);
  if (made == kept_.pictures.end() || read == kept_.pictures.end())
    return false;
  const ImageType &a = made->second->type, &b = read->second->type;
  return std::tie(a.width, a.height, a.channels, a.format, a.colour) ==
         std::tie(b.width, b.height, b.channels, b.format, b.colour);
}

// Modules whose outputs have changed, or else sinks; those that make inputs of these that aren't kept; and
// all before a module that asks for the file of its picture.
std::set<std::string> LiveGraph::toRun(const door::GraphState& state,
                                       const std::map<std::string, std::string>& keys,
                                       Purpose purpose) const {
  const ModuleGraph& graph = state.loaded.graph.modules;
  std::set<std::string> run, whole;
  for (const NodeByOrigin& node : state.loaded.graph.byOrigin)
    whole.insert(graph.modules[node.module].name());
  // Values of earlier frames aren't kept, so such a graph runs as a whole.
  if (state.warmUp.needsEarlier()) {
    for (const ModuleInstance& module : graph.modules)
      if (isOfGraph(module) && !module.connectedOutputs.empty() && keys != kept_.keys)
        run.insert(module.name());
    return run;
  }
  std::vector<const ModuleInstance*> backwards;
  for (const ModuleInstance& module : graph.modules)
    if (isOfGraph(module))
      backwards.insert(backwards.begin(), &module);
  for (const ModuleInstance* module : backwards) {
    const auto known = kept_.keys.find(module->name());
    const bool isOld = known == kept_.keys.end() || known->second != keys.at(module->name());
    if (module->connectedOutputs.empty() ? purpose == Purpose::writes : isOld)
      run.insert(module->name());
    if (!run.contains(module->name()))
      continue;
    if (module->description->isSink() && !isLikeItsFile(graph, *module))
      whole.insert(module->name());
    else if (const auto file = originOf(graph, *module); file && module->description->isSink())
      run.insert(file->source->name());
    for (const auto& [input, from] : module->inputs) {
      const std::string producer = graph.modules[from.producer].name();
      if (whole.contains(module->name()) || (!kept_.pictures.contains(producer + ":" + from.connector) &&
                                             !kept_.arrays.contains(producer + ":" + from.connector))) {
        run.insert(producer);
        if (whole.contains(module->name()))
          whole.insert(producer);
      }
    }
  }
  return run;
}

void LiveGraph::compute(const LiveChange& change, const Graph& graph, const std::set<std::string>& run,
                        Purpose purpose, const std::function<bool()>& cancelled) {
  const door::GraphState& state = *change.state;
  const ModuleGraph& modules = state.loaded.graph.modules;
  RunArguments arguments = change.arguments;
  arguments.graph.parameters.clear();
  arguments.graph.inputs.clear();
  arguments.graph.outputs.clear();
  const int number = graph.frames().front();
  const bool hasHistory = state.warmUp.needsEarlier();
  GraphOptions options;
  if (hasHistory)
    options.missing = arguments.missing;
  std::string text = graphLines(modules, hasHistory ? std::nullopt : std::optional(number + 1));
  std::string connections;
  std::map<std::string, std::string> fed;   // kept pictures, and their sources
  std::map<std::string, std::string> read;  // kept arrays, and theirs
  for (const ModuleInstance& module : modules.modules) {
    if (!isOfGraph(module) || !run.contains(module.name()))
      continue;
    text += moduleLines(module, shownFrame(state));
    for (const auto& [input, from] : module.inputs) {
      const std::string producer = modules.modules[from.producer].name(),
                        output = producer + ":" + from.connector;
      if (run.contains(producer)) {
        connections += fmt::format("{}:{}:{}:{}\n", from.feedback ? "feedback" : "connect", output,
                                   module.name(), input);
        continue;
      }
      if (const auto array = kept_.arrays.find(output); array != kept_.arrays.end()) {
        const auto [source, isNew] = read.try_emplace(output, fmt::format("i-npy:kept-{}", read.size()));
        if (isNew)
          text += fmt::format("module:{0}\nparam:{0}:filename:\"{1}\"\n", source->second,
                              arrayIn(*array->second));
        connections += fmt::format("connect:{}:array:{}:{}\n", source->second, module.name(), input);
        continue;
      }
      const auto [source, isNew] = fed.try_emplace(output, fmt::format("i-memory:kept-{}", fed.size()));
      if (isNew) {
        text += fmt::format("module:{}\n", source->second);
        options.images[source->second] = kept_.pictures.at(output)->type;
      }
      std::string picture = source->second;
      // Sinks look through main inputs for the file whose data they keep. All of mix's picture is `other`.
      if (const auto file = originOf(modules, module);
          file && module.description->isSink() && input == "input") {
        picture = "mix:of-" + module.instance + "-" + module.description->name;
        text += fmt::format("module:{0}\nparam:{0}:share:1\n", picture);
        connections += fmt::format("connect:{0}:{1}:{3}:input\nconnect:{2}:output:{3}:other\n",
                                   file->source->name(), file->output, source->second, picture);
      }
      connections += fmt::format("connect:{}:output:{}:{}\n", picture, module.name(), input);
    }
  }
  std::map<std::string, std::string> sinks;
  std::map<std::string, std::shared_ptr<const TemporaryFolder>> arrays;
  for (const std::string& name : purpose == Purpose::shows ? run : std::set<std::string>()) {
    const ModuleInstance& module = *modules.find(name);
    for (const ConnectorDescription& connector : module.description->connectors) {
      const std::string output = name + ":" + connector.name;
      if (connector.direction != Direction::output || !contains(module.connectedOutputs, connector.name))
        continue;
      if (connector.arrayCount == 0) {
        sinks[output] = fmt::format("o-memory:live-{}", sinks.size());
        connections += fmt::format("module:{0}\nconnect:{1}:{0}:input\n", sinks[output], output);
      } else if (!connector.planes && !hasHistory) {
        const std::string sink = fmt::format("o-npy:live-{}", arrays.size());
        arrays[output] = std::make_shared<const TemporaryFolder>();
        connections += fmt::format("module:{0}\nconnect:{1}:{0}:array\nparam:{0}:filename:\"{2}\"\n", sink,
                                   output, arrayIn(*arrays[output]));
      }
    }
  }
  if (sinks.empty() && purpose == Purpose::shows)
    return;
  arguments.graph.text = text + connections;
  options.frames = Frames({number});
  const auto part = loadState(arguments.graph, arguments.graph.graph, options);
  if (!part->loaded.ok())
    throw Error(ErrorKind::graph, part->loaded.diagnostics.render());
  PipelineOptions pipelineOptions = arguments.graph.pipeline;
  pipelineOptions.startsFast = true;
  Pipeline pipeline(device_, door::openGraph(part), pipelineOptions);
  RunOptions frames;
  frames.cancelled = cancelled;
  if (purpose == Purpose::writes)
    frames.warning = printWarning;
  if (!fed.empty())
    frames.fill = [&](Frame& filled) {
      for (const auto& [output, source] : fed)
        copy(kept_.pictures.at(output)->view(), filled.source(source));
    };
  std::map<std::string, std::shared_ptr<const LivePicture>> made;
  frames.take = [&](const Frame& taken) {
    for (const auto& [output, sink] : sinks) {
      auto picture = std::make_shared<LivePicture>();
      try {
        picture->type = pipeline.imageType(sink);
      } catch (const Error&) {
        continue;  // indices, which aren't shown
      }
      const ConstImageView view = taken.sink(sink);
      const auto* bytes = static_cast<const std::byte*>(view.pixels);
      picture->version = state_.version;
      picture->bytes.assign(bytes, bytes + view.pixelBytes * static_cast<size_t>(view.width) *
                                               static_cast<size_t>(view.height));
      made[output] = picture;
    }
  };
  if (const RunResult result = pipeline.run(frames); result.cancelled || result.done == 0)
    throw Error(ErrorKind::other, "interrupted by another change");
  for (auto& [output, picture] : made)
    kept_.pictures[output] = picture;
  for (auto& [output, folder] : arrays)
    kept_.arrays[output] = folder;
}

LiveState LiveGraph::update(const LiveChange& change, const std::function<bool()>& cancelled) {
  const auto begun = std::chrono::steady_clock::now();
  const std::shared_ptr<door::GraphState>& state = change.state;
  state_.version = change.version;
  state_.isRight = false;
  state_.ran = 0;
  state_.messages = state->loaded.diagnostics.render();
  if (!state->loaded.ok())
    return state_;
  try {
    const Graph graph = door::openGraph(state);
    const ModuleGraph& modules = state->loaded.graph.modules;
    std::map<std::string, std::string> keys = keysOf(*state);
    const std::set<std::string> run = toRun(*state, keys, Purpose::shows);
    compute(change, graph, run, Purpose::shows, cancelled);
    kept_.keys = std::move(keys);
    state_.ran = run.size();
    state_.frame = graph.frames().front();
    state_.modules = modulesJson(modules, change.arguments.graph.modules);
    state_.pictures.clear();
    for (const ModuleInstance& module : modules.modules)
      for (const ConnectorDescription& connector : module.description->connectors)
        if (const auto found = kept_.pictures.find(module.name() + ":" + connector.name);
            isOfGraph(module) && found != kept_.pictures.end())
          state_.pictures.emplace_back(found->first, found->second);
    state_.isRight = true;
  } catch (const std::exception& error) {
    state_.messages += error.what();
  }
  state_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return state_;
}

void LiveGraph::write(const LiveChange& change, const std::function<bool()>& cancelled) {
  const std::set<std::string> run = toRun(*change.state, kept_.keys, Purpose::writes);
  compute(change, door::openGraph(change.state), run, Purpose::writes, cancelled);
}

}  // namespace lacuna
