// `lacuna bench unet`: the convolutions of cnn-unet, layer by layer, for each candidate, beside tables 1 and
// 2 of Vannson 2023; and the whole of it, with pictures in and out.

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "cnn-unet/network/weights_folder.h"
#include "cnn-unet/network/write_network.h"
#include "graph/config/text.h"
#include "graph/lists.h"
#include "tools/bench/device/kept_tables.h"
#include "tools/bench/images.h"
#include "tools/bench/places.h"
#include "tools/bench/study.h"
#include "tools/bench/unet/counts.h"
#include "tools/bench/unet/networks.h"
#include "tools/shell/files.h"

namespace lacuna {
namespace {

constexpr double mostUnetError = 6e-3;  // twice the allowed error of each

// A value of one of the module's structural choices, or one of its variants; the rest has its defaults.
struct UnetCandidate {
  std::string name;            // the value's or the variant's
  std::string parameter = {};  // empty for a variant, or the defaults
};

// The first one is the default; further parameters don't repeat it. Values that occur in several parameters
// are called PARAMETER=VALUE.
std::vector<UnetCandidate> unetCandidates(const ModuleDescription& module) {
  std::vector<UnetCandidate> all;
  for (const ParameterDescription& parameter : module.parameters) {
    const bool belongsToWeights = parameter.name == "transfer";
    if (parameter.type != ParameterType::choice || !parameter.structural || belongsToWeights)
      continue;
    for (const std::string& choice : parameter.choices) {
      const bool isTaken =
          std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.name == choice; });
      if (all.empty() || ParameterValue(choice) != parameter.defaults.front())
        all.push_back({isTaken ? parameter.name + "=" + choice : choice, parameter.name});
    }
  }
  for (const VariantDescription& variant : module.variants)
    all.push_back({variant.name});
  return all.empty() ? std::vector{UnetCandidate{"default"}} : all;
}

std::vector<UnetCandidate> askedCandidates(const Lab& lab, const std::vector<UnetCandidate>& all) {
  if (lab.arguments.schedules.empty())
    return lab.isCpu() ? std::vector{all.front()} : all;
  std::vector<std::string> known;
  for (const UnetCandidate& candidate : all)
    known.push_back(candidate.name);
  const auto find = [&](const std::string& name) { return std::find(known.begin(), known.end(), name); };
  checkSchedules(
      lab.arguments, [&](const std::string& name) { return find(name) != known.end(); },
      fmt::format("cnn-unet can't run so; there are {}", fmt::join(known, ", ")));
  std::vector<UnetCandidate> found;
  for (const std::string& name : lab.arguments.schedules)
    found.push_back(all[static_cast<size_t>(find(name) - known.begin())]);
  return found;
}

std::shared_ptr<const ModuleDescription> describedUnet(const std::vector<std::string>& modules) {
  Diagnostics diagnostics;
  auto module = Registry(modules).find("cnn-unet", diagnostics);
  if (module == nullptr) {
    if (!diagnostics.hasErrors())
      diagnostics.error({}, "there is no module cnn-unet");
    throw Error(ErrorKind::graph, diagnostics.messages());
  }
  return module;
}

constexpr const char* ownNetwork = "rgb-and";

// The module's weights for all guides.
std::string ownWeights(const ModuleDescription& module) {
  const std::string folder = module.folder + "/weights";
  for (const unet::WeightsFile& file : unet::weightsIn(folder)) {
    using enum unet::Plane;
    if (file.planes == std::vector{colour, albedo, normal, depth})
      return file.path;
  }
  throw Error(ErrorKind::call,
              folder +
                  " has no weights for input, albedo, normal and depth; expected --network FILE, by "
                  "tools/train");
}

// The file of a network by its name, or of its weights; for drawn weights it is in `drawn`.
std::string weightsOf(const std::string& network, const ModuleDescription& module,
                      std::optional<TemporaryFolder>& drawn) {
  if (network == ownNetwork)
    return ownWeights(module);
  if (contains(drawnNetworks(), network)) {
    std::mt19937_64 random(1);
    const unet::Network made = drawnNetwork(random, network);
    std::string path =
        drawn.emplace().path() + (made.isOidn() ? "/rt_hdr_alb_nrm.tza" : "/study.safetensors");
    writeTextFile(path, made.isOidn() ? unet::archiveFile(made) : unet::weightsFile(made));
    return path;
  }
  if (!std::filesystem::is_regular_file(network)) {
    throw Error(
        ErrorKind::call,
        fmt::format("--network {}: no such file; expected {}, {}, or weights in a .safetensors or .tza file",
                    network, ownNetwork, fmt::join(drawnNetworks(), ", ")));
  }
  return network;
}

unet::Network networkOf(const std::string& weights) {
  try {
    return unet::readDescription(weights);
  } catch (const unet::FileError& error) {
    throw Error(ErrorKind::call, fmt::format("--network {}", error.what()));
  }
}

// The connector of a plane, and its name in images.h: for albedo the colours, which are within 0 and
// 1.
std::string connectorOf(unet::Plane plane) {
  return plane == unet::Plane::colour ? "input" : unet::nameOf(plane);
}
std::string sourceOf(unet::Plane plane) {
  return plane == unet::Plane::normal || plane == unet::Plane::depth ? unet::nameOf(plane) : "colour";
}

// "layer12", "layer12-pooled" -> 12; -1 if it belongs to no layer.
int layerOfPass(const std::string& name) {
  constexpr std::string_view word = "layer";
  int layer = -1;
  if (name.starts_with(word))
    std::from_chars(name.data() + word.size(), name.data() + name.size(), layer);
  return layer;
}

Extent studySize() {
  const Json& paper = study("unet");
  return {paper.at("width"), paper.at("height")};
}

// The facts about a size before candidates are measured. `layers`: rows.
struct UnetSize {
  UnetSize(const unet::Network& network, Extent size, double copyBytesPerSecond, double peak) : images(size) {
    const auto bytes = [&](const std::string& source) {
      return static_cast<double>(images.pixels.at("i-memory:" + source + ":image.output")->size());
    };
    double pictureBytes = bytes("colour");  // that goes out
    for (const unet::Plane plane : network.input)
      pictureBytes += bytes(sourceOf(plane));
    Json layers = unetCounts(network, size);
    isStudyNetwork = lacuna::isStudyNetwork(layers);
    const Json& paper = study("unet");
    const double studyScale =
        sumOf(layers, "operations") / sumOf(unetCounts(network, studySize()), "operations");
    for (size_t i = 0; i < layers.size(); ++i) {
      Json& layer = layers[i];
      layer["floorMs"] = 1e3 * layer.at("floorBytes").get<double>() / copyBytesPerSecond;
      if (isStudyNetwork) {
        layer["studyMs"] = studyScale * paper.at("figures")[i].at("ms").get<double>();
        setRatio(layer, "studyPerSecond", layer.at("operations").get<double>() * 1e3, layer.at("studyMs"));
      }
    }
    facts = {{"width", size.width},
             {"height", size.height},
             {"parameters", sumOf(layers, "parameters")},
             {"operations", sumOf(layers, "operations")},
             {"paddedOperations", sumOf(layers, "paddedOperations")},
             {"pictureBytes", pictureBytes},
             {"floorMs", 1e3 * pictureBytes / copyBytesPerSecond},
             {"isStudyNetwork", isStudyNetwork},
             {"peak", peak}};
    if (isStudyNetwork) {
      facts["studyScale"] = studyScale;
      facts["studyMs"] = sumOf(layers, "studyMs");
      setRatio(facts, "studyPerSecond", facts.at("operations").get<double>() * 1e3, facts.at("studyMs"));
    }
    facts["layers"] = std::move(layers);
  }

  BenchImages images;
  bool isStudyNetwork = false;
  Json facts;
  ExpectedPicture expected = {};  // the first candidate's
};

// What candidates share.
struct UnetStudy {
  Lab& lab;
  std::string weights;
  const unet::Network& network;
  std::optional<UnetSize> size = {};
  ResultTable summary = {"unet",
                         "in one go",
                         "",
                         {{"", -40, "/label"},
                          {"ms", 11, "/ms", "{:.5f}", 1.0, Mark::measured},
                          {"TFLOP/s", 9, "/operationsPerSecond", "{:.4g}", 1e-12},
                          {"% peak", 9, "/shareOfPeak", "{:.1f}", 100.0},
                          {"+-%", 9, "/spread", "{:.1f}", 100.0},
                          {"error", 9, "/error", "{:.1e}"}}};
};

class UnetCase : public StudySubject {
 public:
  UnetCase(UnetStudy& all, const UnetCandidate& candidate)
      : StudySubject("candidate"), all_(all), lab_(all.lab), size_(*all.size), candidate_(candidate) {}

  ResultTable table() override {
    Json passes = Json::array();
    Json row = measure(passes);

    ResultTable table{
        fmt::format("unet-{}-{}", print(size_.images.extent), row.at("candidate").get<std::string>()),
        row.at("label"),
        "",
        {{"", -26, "/label"},
         {"ms", 11, "/ms", "{:.5f}", 1.0, Mark::measured},
         {"TFLOP/s", 9, "/operationsPerSecond", "{:.4g}", 1e-12},
         {"padded", 9, "/paddedOperationsPerSecond", "{:.4g}", 1e-12},
         {"MB", 9, "/bytes", "{:.2f}", 1e-6},
         {"floor MB", 9, "/floorBytes", "{:.2f}", 1e-6},
         {"x floor", 9, "/timesFloor", "{:.1f}"}}};
    if (size_.isStudyNetwork) {
      table.columns.push_back({"study ms", 9, "/studyMs", "{:.4g}"});
      table.columns.push_back({"TFLOP/s", 9, "/studyPerSecond", "{:.4g}", 1e-12});
      if (size_.facts.at("studyScale") != 1.0)
        table.notes.push_back(
            fmt::format("study ms: those of {}, by the number of pixels", print(studySize())));
    }
    table.facts = size_.facts;
    table.rows = std::move(passes);
    table.refused = row.value("refused", "");
    setRatio(row, "timesStudy", row.value("studyMs", 0.0), row.value("ms", 0.0));
    row.update({{"width", size_.images.extent.width}, {"height", size_.images.extent.height}});
    all_.summary.rows.push_back(std::move(row));
    return table;
  }

 private:
  // A row for the whole network; `passes`: those of its layers, other ones, and all.
  Json measure(Json& passes) {
    Json row = {{"candidate", candidate_.name},
                {"label", fmt::format("{}, {}", print(size_.images.extent), candidate_.name)}};
    std::string refused;
    FrameGraph schedule = lab_.passesOf(lab_.graphOf(graphText(), size_.images.types),
                                        candidate_.parameter.empty() && candidate_.name != "default"
                                            ? ForcedSchedules{{"cnn-unet:01", candidate_.name}}
                                            : ForcedSchedules{},
                                        refused);
    try {
      if (refused.empty()) {
        const auto session = lab_.open(std::move(schedule));
        for (const auto& [name, bytes] : size_.images.pixels) {
          const auto memory = session->uploadMemory(name);
          std::copy_n(bytes->begin(), std::min(memory.size(), bytes->size()), memory.begin());
        }
        session->compute(0);
        row["error"] = size_.expected.errorOf(session->downloadMemory("cnn-unet:01:layers.output"));
        if (isRight(row, row.at("error"), mostUnetError))
          time(*session, row, passes);
      }
    } catch (const vk::DeviceError& error) {
      refused = error.what();
    }
    if (!refused.empty())
      row["refused"] = refused;
    return row;
  }

  std::string graphText() const {
    std::string text = fmt::format(
        "module:cnn-unet:01\nmodule:o-memory:out\nparam:cnn-unet:01:weights:{}\n"
        "connect:cnn-unet:01:output:o-memory:out:input\n"
        "module:i-memory:colour\nmodule:i-memory:normal\nmodule:i-memory:depth\n",
        quote(all_.weights));
    for (const unet::Plane plane : all_.network.input)
      text += fmt::format("connect:i-memory:{}:output:cnn-unet:01:{}\n", sourceOf(plane), connectorOf(plane));
    if (!candidate_.parameter.empty()) {
      text += fmt::format("param:cnn-unet:01:{}:{}\n", candidate_.parameter,
                          candidate_.name.substr(candidate_.name.find('=') + 1));
    }
    return text;
  }

  void time(Session& session, Json& row, Json& all) const {
    SessionTimes times = timesOf(session, {0}, lab_.effort);
    const Json& layers = size_.facts.at("layers");
    Json others = Json::array();
    // By oneDNN one pass computes all layers.
    const bool areTogether = std::ranges::count(session.schedule().passes, PassKind::host, &Pass::kind) > 0;
    for (size_t i = 0; i < layers.size() && !areTogether; ++i) {
      Json& line = all.emplace_back(layers[i]);
      line["label"] = fmt::format("{:>2} {:>4} -> {:<4} {}x{}", i, line.at("inputs").get<int>(),
                                  line.at("outputs").get<int>(), line.at("width").get<int>(),
                                  line.at("height").get<int>());
      line["ms"] = line["bytes"] = 0.0;
    }
    auto samples = times.passes.begin();
    auto kind = session.schedule().passes.begin();
    for (const PassReport& pass : door::passReports(session.schedule())) {
      const double ms = median(*samples++);
      const bool isHost = kind++->kind == PassKind::host;
      if (pass.isTransfer)
        continue;
      const std::string name = pass.name.substr(pass.name.find_last_of(":/") + 1);
      const double bytes = static_cast<double>(pass.bytesRead + pass.bytesWritten);
      row["passes"].push_back({{"name", name}, {"ms", ms}, {"bytes", bytes}});
      if (isHost) {
        Json& line = all.emplace_back(size_.facts);
        line.update({{"label", "   all layers"}, {"ms", ms}, {"bytes", bytes}});
        for (const char* key : {"floorBytes", "floorMs"})
          line[key] = sumOf(layers, key);
        line.erase("layers");
      } else if (const int layer = layerOfPass(name); layer >= 0) {
        row["passes"].back()["layer"] = layer;
        Json& line = all.at(static_cast<size_t>(layer));
        line["ms"] = msOf(&line) + ms;
        line["bytes"] = line.at("bytes").get<double>() + bytes;
      } else {
        others.push_back({{"label", "   " + name}, {"ms", ms}, {"bytes", bytes}});
      }
    }
    for (Json& line : all)
      derive(line, line);
    all.insert(all.end(), others.begin(), others.end());
    row["msOfPasses"] = sumOf(row.at("passes"), "ms");
    row["bytes"] = sumOf(row.at("passes"), "bytes");
    row["leastMs"] = *std::min_element(times.totals.begin(), times.totals.end());
    row["mostMs"] = *std::max_element(times.totals.begin(), times.totals.end());
    row["ms"] = median(times.totals);
    row["runs"] = times.totals.size();
    derive(row, size_.facts);
    all.push_back({{"label", "   sum of passes"}, {"ms", row.at("msOfPasses")}});
    Json& whole = all.emplace_back(row);
    whole.erase("passes");
    whole.erase("candidate");
    whole["label"] = "   in one go";
    whole["floorBytes"] = size_.facts.at("pictureBytes");
    for (const char* key : {"studyMs", "studyPerSecond"})
      if (size_.isStudyNetwork)
        row[key] = whole[key] = size_.facts.at(key);
  }

  UnetStudy& all_;
  Lab& lab_;
  UnetSize& size_;
  UnetCandidate candidate_;
};

std::string unetHead(const Lab& lab, bool isStudyNetwork) {
  const Json& paper = study("unet");
  const Json& json = lab.report.json;
  std::string head = fmt::format(
      "cnn-unet with {}, weights: {}; for {}\n"
      "ms: of a layer's passes by timestamps, median of up to {} runs; in one go: all passes with none "
      "between\n"
      "TFLOP/s: a multiply-add is two operations; padded: channels in multiples of 16\n"
      "MB: read and written by the passes; floor: sources, weights and output once, in halves; of all: "
      "pictures\n"
      "x floor: at {:.1f} GB/s, which a copy reaches\n",
      json.at("network").get<std::string>(), json.at("weights").get<std::string>(),
      json.at("planes").get<std::string>(), lab.effort.runs,
      json.at("copyBytesPerSecond").get<double>() * 1e-9);
  if (isStudyNetwork) {
    head += fmt::format("study: {}, {}; ms, and TFLOP/s by this network's counts:\n       {}\n",
                        paper.at("title").get<std::string>(), paper.at("device").get<std::string>(),
                        paper.at("note").get<std::string>());
  }
  return head;
}

}  // namespace

int runBenchUnet(const BenchArguments& arguments) {
  const auto module = describedUnet(moduleSearchPath(arguments.modules));
  std::optional<TemporaryFolder> drawn;
  const std::string weights = weightsOf(arguments.network, *module, drawn);
  const unet::Network network = networkOf(weights);
  Lab lab(arguments);
  const std::vector<UnetCandidate> candidates = askedCandidates(lab, unetCandidates(*module));
  const double bandwidth = lab.bandwidth();
  const DeviceCeilings ceilings = keptCeilings(lab.device.info());
  std::vector<std::string> planes;
  std::transform(network.input.begin(), network.input.end(), std::back_inserter(planes), connectorOf);
  lab.report.json.update({{"network", network.name},
                          {"weights", drawn ? "drawn at random" : weights},
                          {"planes", fmt::format("{}", fmt::join(planes, ", "))},
                          {"limitSeconds", arguments.limitSeconds},
                          {"copyBytesPerSecond", bandwidth},
                          {"ceilings", toJson(ceilings)}});
  UnetStudy all{lab, std::filesystem::absolute(weights).string(), network};
  const bool isStudys = isStudyNetwork(unetCounts(network, studySize()));
  if (isStudys)
    all.summary.columns.push_back({"x study", 9, "/timesStudy", "{:.1f}"});
  Study unet{"unet", unetHead(lab, isStudys)};
  for (const Extent extent : lab.sizes({{1024, 1024}, {1920, 1080}})) {
    for (const UnetCandidate& candidate : candidates) {
      unet.subjects.emplace_back([&, extent, isFirst = &candidate == &candidates.front()] {
        if (isFirst)
          all.size.emplace(network, extent, bandwidth, ceilings.tensorF32PerSecond);
        return std::make_unique<UnetCase>(all, candidate);
      });
    }
  }
  unet.summaries = [&] { return std::vector{all.summary}; };
  return runStudy(lab, unet);
}

}  // namespace lacuna
