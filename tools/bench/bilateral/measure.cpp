#include "tools/bench/bilateral/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "graph/compile/compile.h"
#include "graph/run/session.h"
#include "tools/bench/bilateral/sequential.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

constexpr const char* filterNode = "bilateral:01:filter";

LoadedGraph load(const BilateralTask& task, const std::vector<std::string>& modules) {
  const BilateralSigmas sigmas;
  const std::string text = fmt::format(
      "lacuna:1\nmodule:i-memory:in\nmodule:bilateral:01\nmodule:o-memory:out\n"
      "connect:i-memory:in:output:bilateral:01:input\nconnect:bilateral:01:output:o-memory:out:input\n"
      "param:bilateral:01:radius:{}\nparam:bilateral:01:sigma_space:{}\nparam:bilateral:01:sigma_range:{}\n",
      task.radius, sigmas.space, sigmas.range);
  LoadOptions options;
  options.modulePath = modules;
  ValueType& type = options.memory["i-memory:in"];
  type.channels = task.channels;
  type.format = Format::u8;
  type.extent = task.size;
  type.colour = ColourTag::rec709;
  LoadedGraph loaded = loadGraphText(text, "bilateral", options);
  if (!loaded.ok()) {
    throw BenchMistake(loaded.diagnostics.render());
  }
  return loaded;
}

// "tiles@8x8/n4" -> "/8x8/n4/": what it says beside the variant.
std::string settings(std::string name) {
  std::replace(name.begin(), name.end(), '@', '/');
  return name.substr(std::min(name.find('/'), name.size())) + "/";
}

bool hasAll(const std::string& settings, const std::string& asked) {
  for (size_t from = 0; from + 1 < asked.size();) {
    const size_t end = asked.find('/', from + 1);
    if (settings.find(asked.substr(from, end + 1 - from)) == std::string::npos) {
      return false;
    }
    from = end;
  }
  return true;
}

// Those of the variant that agree with what a name says; the one that it means, where that is none of them.
std::vector<KernelSchedule> candidatesLike(const KernelSchedule& meant, const std::string& name) {
  std::vector<KernelSchedule> found;
  for (KernelSchedule& schedule : allKernelSchedules(*meant.variant)) {
    schedule.storage = meant.storage;
    if (hasAll(settings(print(schedule)), settings(name))) {
      found.push_back(std::move(schedule));
    }
  }
  return found.empty() ? std::vector{meant} : found;
}

}  // namespace

BilateralFilter::BilateralFilter(vk::Device& device, const std::vector<std::string>& modules,
                                 const BilateralTask& task)
    : device_(device), modules_(modules), graph_(load(task, modules).graph), task_(task) {
  std::vector<std::byte> pixels(size_t{task.size.width} * task.size.height *
                                bytesPerPixel(task.channels, Format::u8));
  fillWithNoise(pixels);
  sequential_ = sequentialBilateral(pixels, task.size, componentCount(task.channels), task.radius, {});
  pixels_["i-memory:in:image.output"] = std::make_shared<const std::vector<std::byte>>(std::move(pixels));
  if (variants().empty()) {
    throw BenchMistake(fmt::format("lacuna: the module bilateral has no variants of {}\n", filterNode));
  }
}

const Node& BilateralFilter::node() const {
  const auto found = std::find_if(graph_.nodes.begin(), graph_.nodes.end(),
                                  [](const Node& node) { return node.name == filterNode; });
  if (found == graph_.nodes.end()) {
    throw BenchMistake(fmt::format("lacuna: the module bilateral has no node {}\n", filterNode));
  }
  return *found;
}

std::vector<const VariantDescription*> BilateralFilter::variants() const {
  return variantsOf(graph_, node());
}

std::vector<BilateralGroup> BilateralFilter::groups(const std::vector<std::string>& asked, bool all) const {
  std::vector<BilateralGroup> found;
  for (const VariantDescription* variant : variants()) {
    BilateralGroup group{variant};
    std::vector<std::string> names = asked;
    if (asked.empty()) {
      names = {variant->name};
    }
    const auto add = [&](const std::string& name) {
      const auto meant = kernelScheduleNamed(variants(), name);
      if (!meant || meant->variant != variant) {
        return;
      }
      for (const KernelSchedule& each : all ? candidatesLike(*meant, name) : std::vector{*meant}) {
        const auto same = [&](const KernelSchedule& other) { return print(other) == print(each); };
        if (std::none_of(group.schedules.begin(), group.schedules.end(), same)) {
          group.schedules.push_back(each);
        }
      }
    };
    std::for_each(names.begin(), names.end(), add);
    if (group.schedules.empty() && variant->name == "naive") {
      add(variant->name);
    }
    if (!group.schedules.empty()) {
      found.push_back(std::move(group));
    }
  }
  return found;
}

// What is wrong; empty: nothing.
std::string BilateralFilter::mistakeOf(std::span<const std::byte> made, bool isExact) {
  const auto levels = [&](std::span<const std::byte> picture, size_t i) {
    return static_cast<int>(picture[i]);
  };
  // Of the plain loop: sums in another order may be rounded to the next level.
  const size_t channels = componentCount(task_.channels), stride = made.size() / pixelCount(task_.size);
  const size_t radius = static_cast<size_t>(task_.radius), width = task_.size.width;
  for (size_t y = radius; y < radius + sequential_.rows; ++y) {
    for (size_t x = radius; x + radius < width; ++x) {
      for (size_t c = 0; c < channels; ++c) {
        const size_t pixel = y * width + x;
        const int is = levels(made, pixel * stride + c);
        const int expected = sequential_.output[pixel * channels + c];
        if (std::abs(is - expected) > 1) {
          return fmt::format("wrong: {} at {}, {}; the sequential filter has {}", is, x, y, expected);
        }
      }
    }
  }
  if (first_.empty()) {
    first_.assign(made.begin(), made.end());
  }
  for (size_t i = 0; i < made.size(); ++i) {
    const int is = levels(made, i), expected = levels(first_, i);
    if (i % stride < channels && std::abs(is - expected) > (isExact ? 0 : 1)) {
      return fmt::format("wrong: {} at {}, {}; the first variant has {}", is, i / stride % width,
                         i / stride / width, expected);
    }
  }
  return {};
}

Json BilateralFilter::measure(const KernelSchedule& schedule, const BenchEffort& effort) {
  CompileOptions options;
  options.device = device_.info().limits;
  options.schedules[filterNode] = print(schedule);
  Json row = {{"variant", schedule.variant->name},
              {"schedule", print(schedule)},
              {"guarantee", schedule.variant->guarantee}};
  if (const std::string reason = rejection(graph_, node(), schedule, options.device); !reason.empty()) {
    row["refused"] = reason;
    return row;
  }
  Diagnostics diagnostics;
  OrderedPasses passes = passesOf(graph_, options, diagnostics);
  if (diagnostics.hasErrors()) {
    row["refused"] = diagnostics.sorted().front().message;
    return row;
  }
  try {
    BenchChain chain(device_, filterNode, replaceUploads(std::move(passes), pixels_), modules_);
    const std::string mistake = mistakeOf(chain.compute(), schedule.variant->guarantee == "exact");
    if (mistake.empty()) {
      lacuna::measure(chain, effort, row);
    } else {
      row["refused"] = mistake;
      row["wrong"] = true;
    }
  } catch (const vk::DeviceError& error) {
    row["refused"] = error.what();
  }
  return row;
}

}  // namespace lacuna
