#include "tools/bench/gemm/products.h"

#include <Imath/half.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

#include "graph/config/text.h"
#include "tools/bench/lab.h"
#include "tools/bench/study.h"
#include "tools/shell/command_options.h"

namespace lacuna {
namespace {

constexpr uint64_t mostElements = 0x7fffffff;  // of an array
constexpr double shareOfMemory = 0.4;          // memory for matrices; a search has two products open

// Convolutions of 3x3 in the study's network (its figure 2) on 1024x1024 pixels: input and output features,
// in multiples of 16, so that neither side has to pad rows.
constexpr uint32_t layerPixels = 1024 * 1024, layerPixelsOfCpu = 1024;
constexpr uint32_t layers[][2] = {{288, 48}, {528, 80}, {1200, 64}, {1824, 112}, {688, 32}};

double bytesOf(const GemmShape& s) {
  const double factors = 1.0 * s.n * s.p + 1.0 * s.p * s.m;
  return 2.0 * (2.0 * factors + 1.0 * s.n * s.m);  // unchanged and packed
}

bool fits(const GemmShape& s, const vk::DeviceInfo& device) {
  const uint64_t largest =
      std::max({uint64_t{s.n} * s.p, uint64_t{s.p} * s.m, uint64_t{s.n} * s.m}) + 16ULL * std::max(s.n, s.m);
  return largest <= mostElements && 2 * largest <= device.limits.maxAllocation &&
         2 * largest <= device.limits.maxStorageBufferRange &&
         bytesOf(s) <= shareOfMemory * static_cast<double>(device.memoryBytes);
}

std::vector<GemmShape> usualShapes(const vk::DeviceInfo& device, std::vector<std::string>& notes) {
  std::vector<GemmShape> shapes;
  for (const uint32_t size :
       device.isCpu() ? std::vector{64U, 128U} : std::vector{1024U, 2048U, 4096U, 8192U})
    shapes.push_back({size, size, size});
  for (const auto& layer : layers)
    shapes.push_back({device.isCpu() ? layerPixelsOfCpu : layerPixels, layer[0], layer[1]});
  std::erase_if(shapes, [&](GemmShape& shape) {
    const GemmShape whole = shape;
    while (!shape.isSquare() && shape.n > 1 && !fits(shape, device))
      shape.n /= 2;
    if (!fits(shape, device)) {
      notes.push_back(fmt::format("{} is left out: it doesn't fit into the device's memory", print(whole)));
      return true;
    }
    if (shape.n != whole.n)
      notes.push_back(fmt::format("{} in place of {}, which doesn't fit into the device's memory",
                                  print(shape), print(whole)));
    return false;
  });
  return shapes;
}

std::optional<GemmShape> sizeNamed(const std::string& word) {
  const auto size = parseSize(word + "x1");
  return size ? std::optional(GemmShape{size->width, size->width, size->width}) : std::nullopt;
}

std::optional<GemmShape> shapeNamed(const std::string& word) {
  const size_t at = word.find('x');
  const auto first = parseSize(word.substr(0, at) + "x1");
  const auto rest = at == std::string::npos ? std::nullopt : parseSize(word.substr(at + 1));
  return first && rest ? std::optional(GemmShape{first->width, rest->width, rest->height}) : std::nullopt;
}

std::vector<GemmShape> askedShapes(const BenchArguments& arguments) {
  std::vector<GemmShape> shapes;
  Diagnostics wrong;
  const auto add = [&](const char* option, const std::string& word, const std::optional<GemmShape>& shape,
                       const char* expected) {
    if (shape)
      shapes.push_back(*shape);
    else
      wrong.error({}, fmt::format("{} {}: expected {}", option, word, expected));
  };
  for (const std::string& words : arguments.sides) {
    for (const std::string_view part : splitCommas(words)) {
      const std::string word(part);
      add("--size", word, sizeNamed(word),
          "the side of square matrices, such as 4096, or several: 1024,2048");
    }
  }
  for (const std::string& word : arguments.shapes)
    add("--shape", word, shapeNamed(word), "NxPxM, such as 1048576x288x48, for n x p times p x m");
  if (wrong.hasErrors())
    throw Error(ErrorKind::call, wrong.messages());
  return shapes;
}

float halfAt(std::span<const std::byte> halves, size_t index) {
  uint16_t bits = 0;
  std::memcpy(&bits, &halves[2 * index], sizeof bits);
  return imath_half_to_float(bits);
}

}  // namespace

double GemmShape::leastBytes() const {
  return 2.0 * (1.0 * n * p + 1.0 * p * m + 1.0 * n * m);
}

std::string print(const GemmShape& shape) {
  return shape.isSquare() ? fmt::format("{}", shape.n) : fmt::format("{}x{}x{}", shape.n, shape.p, shape.m);
}

std::string print(const GemmTask& task) {
  return fmt::format("{}, {} sums, {}", print(task.shape), task.halfSums ? "f16" : "f32", layoutName(task));
}

std::string layoutName(const GemmTask& task) {
  return task.pack == "none" ? "row-major" : task.pack;
}

std::vector<GemmTask> gemmTasks(const Lab& lab, std::vector<std::string>& notes) {
  const BenchArguments& arguments = lab.arguments;
  const bool isAny = arguments.sides.empty() && arguments.shapes.empty();
  const auto asks = [](const std::vector<std::string>& all, const char* word) {
    return all.empty() || std::find(all.begin(), all.end(), word) != all.end();
  };
  std::vector<GemmTask> tasks;
  for (const GemmShape& shape : isAny ? usualShapes(lab.device.info(), notes) : askedShapes(arguments)) {
    for (const char* sums : {"f32", "f16"}) {
      for (const char* pack : {"none", "panels", "fragments"})
        if (asks(arguments.accumulate, sums) && asks(arguments.pack, pack))
          tasks.push_back({shape, sums == std::string("f16"), pack});
    }
  }
  return tasks;
}

GemmSamples::GemmSamples(const GemmShape& shape, std::span<const std::byte> a, std::span<const std::byte> b)
    : shape_(shape) {
  const size_t bottom = shape.n - 1, right = shape.m - 1;
  places_ = {{0, 0}, {0, right}, {bottom, 0}, {bottom, right}};
  std::mt19937 random(1);  // the same places each time
  std::uniform_int_distribution<size_t> row(0, bottom), column(0, right);
  while (places_.size() < count) {
    const size_t y = row(random);
    places_.push_back({y, column(random)});
  }
  for (Place& place : places_) {
    for (size_t k = 0; k < shape.p; ++k) {
      place.expected +=
          double{halfAt(a, place.row * shape.p + k)} * double{halfAt(b, k * shape.m + place.column)};
    }
  }
}

double GemmSamples::errorOf(std::span<const std::byte> halves) const {
  std::vector<float> made, expected;
  for (const Place& place : places_) {
    made.push_back(halfAt(halves, place.row * shape_.m + place.column));
    expected.push_back(static_cast<float>(place.expected));
  }
  return relativeError(made, expected);
}

double allowedError(const GemmTask& task) {
  return task.halfSums ? 2e-2 : 1e-3;
}

}  // namespace lacuna
