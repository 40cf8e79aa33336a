#pragma once
// Native modules in C++: the interface of graph/module/abi.h, without its pointers. Header-only, C++17; every
// exception becomes a report. modules/README.md has an example.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/module/abi.h"

namespace lacuna::native {

// An error that ends the call: throw it. `parameter`: the wrong parameter, whose line is shown; may be empty.
struct Error : std::runtime_error {
  explicit Error(const std::string& text, std::string blamed = {})
      : std::runtime_error(text), parameter(std::move(blamed)) {}
  std::string parameter;
};

inline lacuna_type imageType(lacuna_channels channels, lacuna_format format, lacuna_colour colour,
                             uint32_t width, uint32_t height) {
  return {
      sizeof(lacuna_type), uint32_t(channels), uint32_t(format), uint32_t(colour), width, height, 0, {}, {}};
}
inline lacuna_type arrayType(lacuna_channels channels, lacuna_format format, uint32_t count) {
  return {sizeof(lacuna_type), uint32_t(channels), uint32_t(format), lacuna_data, 0, 0, count, {}, {}};
}
// One to four sizes, outermost first.
inline lacuna_type arrayType(lacuna_channels channels, lacuna_format format,
                             const std::vector<uint32_t>& shape) {
  lacuna_type type = arrayType(channels, format, 1);
  std::string text;
  uint64_t count = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i < 4)
      type.shape[i] = shape[i];
    count = count > 0x7fffffff ? count : count * shape[i];
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  if (shape.empty() || shape.size() > 4 || count == 0 || count > 0x7fffffff)
    throw Error("no array has the shape (" + text +
                "): expected one to four sizes above 0, and 2147483647 elements at most");
  type.count = uint32_t(count);
  return type;
}
// Whole images, one after the other, of one 32-bit number a pixel.
inline lacuna_type planesType(lacuna_channels channels, lacuna_format format, uint32_t planes, uint32_t width,
                              uint32_t height) {
  return {sizeof(lacuna_type),
          uint32_t(channels),
          uint32_t(format),
          lacuna_data,
          width,
          height,
          planes * width * height,
          {},
          {}};
}
// All sizes, outermost first: of an image (height, width), of planes (planes, height, width), of another
// array its shape.
inline std::vector<uint32_t> shapeOf(const lacuna_type& type) {
  if (type.count == 0)
    return {type.height, type.width};
  if (type.width > 0)
    return {type.count / type.width / type.height, type.height, type.width};
  std::vector<uint32_t> sizes;
  const bool knowsShapes = type.size >= offsetof(lacuna_type, shape) + sizeof type.shape;
  for (size_t i = 0; knowsShapes && i < 4 && type.shape[i] > 0; ++i)
    sizes.push_back(type.shape[i]);
  return sizes.empty() ? std::vector<uint32_t>{type.count} : sizes;
}

// Colours of a mosaic, which repeat: "rggb" and so on, 36 letters row by row, or "none".
inline lacuna_type mosaicType(lacuna_format format, const std::string& pattern, uint32_t width,
                              uint32_t height) {
  lacuna_type type = imageType(lacuna_mosaic, format, lacuna_data, width, height);
  const uint32_t side = pattern.size() == 4 ? 2 : 6;
  for (uint32_t i = 0; i < 36 && pattern != "none"; ++i) {
    const size_t at = i / 6 % side * side + i % 6 % side;
    const size_t letter = std::string("-rgb").find(at < pattern.size() ? pattern[at] : '-');
    if (letter == 0 || letter == std::string::npos || pattern.size() != size_t(side) * side)
      throw Error("no mosaic has the pattern '" + pattern +
                  "': expected 4 or 36 letters of r, g and b, or none");
    type.pattern[i / 12] |= uint32_t(letter) << (2 * (i % 12));
  }
  return type;
}
inline std::string patternOf(const lacuna_type& type) {
  if (type.channels != lacuna_mosaic || type.size < offsetof(lacuna_type, pattern) + sizeof type.pattern)
    return "none";
  std::string letters;
  for (uint32_t i = 0; i < 36; ++i)
    letters += "-rgb"[type.pattern[i / 12] >> (2 * (i % 12)) & 3];
  if (letters[0] == '-')
    return "none";
  const std::string block = letters.substr(0, 2) + letters.substr(6, 2);
  const lacuna_type bayer = mosaicType(lacuna_u16, block, 1, 1);
  return std::equal(bayer.pattern, bayer.pattern + 3, type.pattern) ? block : letters;
}

// The arguments of an entry point: its place, and the values of the module's parameters in this frame. A
// parameter that module.toml does not have throws std::out_of_range.
class Call {
 public:
  explicit Call(const lacuna_call& call) : call_(call) {}

  std::string instance() const { return call_.instance; }
  std::string moduleFolder() const { return call_.module_folder; }
  std::string graphFolder() const { return call_.graph_folder; }
  std::string path() const { return call_.path == nullptr ? "" : call_.path; }  // the file of this frame
  // The same, to be read: an open file where there is one. Messages with this name show path().
  std::string file() const {
    const bool isOpen = call_.size > offsetof(lacuna_call, opened) && call_.opened != nullptr;
    return isOpen ? call_.opened : path();
  }
  int64_t frame() const { return call_.frame; }
  // The origin of the main input of a sink or native node, in the same frame: the source's call and its
  // output. Empty: none.
  std::optional<Call> origin() const {
    if (call_.size <= offsetof(lacuna_call, origin) || call_.origin == nullptr)
      return std::nullopt;
    return Call(*call_.origin);
  }
  std::string originOutput() const { return call_.origin_output; }  // if there is an origin

  // In probe(): names another file that is read, which no output may replace then.
  void reads(const std::string& file) const {
    if (call_.size > offsetof(lacuna_call, reads))
      call_.reads(call_.host, file.c_str());
  }

  // In read() and write(): whether the picture passes in rows, and then abi.h's rows().
  bool inRows() const { return call_.size > offsetof(lacuna_call, rows) && call_.rows != nullptr; }
  void rows(uint32_t end) const {
    if (call_.rows(call_.host, end) != 0)
      throw Error("ended early");
  }

  // In build(): the extent of the picture to which this image, or the tile of an image, belongs.
  std::pair<uint32_t, uint32_t> wholeExtent(const lacuna_type& image) const {
    const bool isTile = call_.size > offsetof(lacuna_call, whole_height) && call_.whole_width > 0;
    return isTile ? std::pair(call_.whole_width, call_.whole_height) : std::pair(image.width, image.height);
  }

  // In compute(): the node, and its first pixel in the picture of wholeExtent().
  std::string node() const { return call_.node; }
  std::pair<uint32_t, uint32_t> firstPixel() const { return {call_.first_x, call_.first_y}; }
  // In compute(): work(0) to work(count - 1) on the runtime's threads. Throws what one of them has thrown.
  template <typename Work>
  void parallel(uint32_t count, const Work& work) const {
    Shared<Work> shared{work, nullptr, {}};
    if (call_.parallel(call_.host, count, Shared<Work>::run, &shared) != 0)
      std::rethrow_exception(shared.error);
  }

  bool has(const std::string& name) const { return find(name) != nullptr; }
  bool isSet(const std::string& name) const {  // by the user, not a default
    const lacuna_parameter& parameter = get(name);
    return parameter.size > offsetof(lacuna_parameter, is_set) && parameter.is_set != 0;
  }
  uint32_t count(const std::string& name) const { return get(name).count; }
  double number(const std::string& name, uint32_t index = 0) const {
    const lacuna_parameter& parameter = get(name);
    if (parameter.numbers == nullptr || index >= parameter.count)
      throw std::out_of_range("parameter '" + name + "' has no number " + std::to_string(index));
    return parameter.numbers[index];
  }
  int64_t integer(const std::string& name, uint32_t index = 0) const { return int64_t(number(name, index)); }
  bool flag(const std::string& name, uint32_t index = 0) const { return number(name, index) != 0; }
  std::string word(const std::string& name) const {  // of a string or choice
    const lacuna_parameter& parameter = get(name);
    if (parameter.word == nullptr)
      throw std::out_of_range("parameter '" + name + "' is neither a string nor a choice");
    return parameter.word;
  }

  void warn(const std::string& text, const std::string& parameter = {}) const {
    report(lacuna_warning, text, parameter);
  }
  void note(const std::string& text) const { report(lacuna_note, text, {}); }
  void error(const std::string& text, const std::string& parameter = {}) const {
    report(lacuna_error, text, parameter);
  }

 private:
  template <typename Work>
  struct Shared {
    const Work& work;
    std::exception_ptr error;
    std::mutex mutex;

    static int run(void* data, uint32_t index) {
      auto& self = *static_cast<Shared*>(data);
      try {
        self.work(index);
        return 0;
      } catch (...) {
        const std::scoped_lock lock(self.mutex);
        self.error = std::current_exception();
        return 1;
      }
    }
  };
  void report(int severity, const std::string& text, const std::string& parameter) const {
    call_.report(call_.host, severity, parameter.empty() ? nullptr : parameter.c_str(), text.c_str());
  }
  const lacuna_parameter* find(const std::string& name) const {
    for (uint32_t i = 0; i < call_.parameter_count; ++i)
      if (name == call_.parameters[i]->name)
        return call_.parameters[i];
    return nullptr;
  }
  const lacuna_parameter& get(const std::string& name) const {
    if (const lacuna_parameter* parameter = find(name))
      return *parameter;
    throw std::out_of_range("the module has no parameter '" + name + "'");
  }

  const lacuna_call& call_;
};

// The planes of a source or sink; the inputs of a native node; the inputs or outputs of a host node.
class Planes {
 public:
  Planes(const lacuna_plane* const* planes, uint32_t count) : planes_(planes), count_(count) {}

  uint32_t size() const { return count_; }
  const lacuna_plane& operator[](uint32_t i) const { return *planes_[i]; }
  const lacuna_plane* find(const std::string& name) const {
    for (uint32_t i = 0; i < count_; ++i)
      if (name == planes_[i]->name)
        return planes_[i];
    return nullptr;
  }

 private:
  const lacuna_plane* const* planes_;
  uint32_t count_;
};

// In probe(): states the type of a plane.
inline void setType(const lacuna_plane& plane, const lacuna_type& type) {
  plane.type->channels = type.channels;
  plane.type->format = type.format;
  plane.type->colour = type.colour;
  plane.type->width = type.width;
  plane.type->height = type.height;
  plane.type->count = type.count;
  const size_t bytes = offsetof(lacuna_type, shape) + sizeof type.shape;
  if (plane.type->size >= bytes && type.size >= bytes)
    std::copy(std::begin(type.shape), std::end(type.shape), plane.type->shape);
  if (plane.type->size >= sizeof type && type.size >= sizeof type)
    std::copy(std::begin(type.pattern), std::end(type.pattern), plane.type->pattern);
}

// The results of build(); abi.h says more.
class Builder {
 public:
  explicit Builder(const lacuna_builder& builder) : builder_(builder) {}

  void nodes(const std::string& toml) const { builder_.nodes(builder_.host, toml.c_str()); }
  void shader(const std::string& name, const std::string& glsl) const {
    shader(name, glsl.data(), glsl.size());
  }
  void shader(const std::string& name, const void* data, size_t bytes) const {
    builder_.shader(builder_.host, name.c_str(), data, bytes);
  }
  void upload(const std::string& name, const lacuna_type& type, const void* data, size_t bytes) const {
    builder_.upload(builder_.host, name.c_str(), &type, data, bytes);
  }

 private:
  const lacuna_builder& builder_;
};

// The values of structural parameters that settle() sets.
class Settings {
 public:
  explicit Settings(const lacuna_settings& settings) : settings_(settings) {}
  void set(const std::string& parameter, const std::string& value) const {
    settings_.set(settings_.host, parameter.c_str(), value.c_str());
  }

 private:
  const lacuna_settings& settings_;
};

// The functions that an author writes. They throw if they can't continue. `describe` returns the code's
// version or NULL, and throws if it can't work on this machine; `part` is the file to write; `check` throws
// if an older output is incomplete.
using Describe = const char* (*)(const Call& call);
using Probe = void (*)(const Call& call, const Planes& planes);
using Read = void (*)(const Call& call, const Planes& planes);
using Write = void (*)(const Call& call, const Planes& planes, const std::string& part);
using Check = void (*)(const Call& call);
using Info = std::string (*)(const Call& call);
using Build = void (*)(const Call& call, const Planes& inputs, const Builder& builder);
using Compute = void (*)(const Call& call, const Planes& inputs, const Planes& outputs);
using Settle = void (*)(const Call& call, const std::vector<std::string>& connected,
                        const Settings& settings);

namespace detail {

template <typename Function>
int guard(const lacuna_call* raw, Function function) noexcept {
  const Call call(*raw);
  try {
    function(call);
    return 0;
  } catch (const Error& error) {
    call.error(error.what(), error.parameter);
  } catch (const std::exception& error) {
    call.error(call.instance() + ": " + error.what());
  } catch (...) {
    call.error(call.instance() + ": something was thrown that is not a std::exception");
  }
  return 1;
}

template <Describe function>
int describe(const lacuna_call* raw, lacuna_about* about) {
  return guard(raw, [&](const Call& call) { about->version = function(call); });
}
template <Probe function>
int onPlanes(const lacuna_call* raw, const lacuna_plane* const* planes, uint32_t count) {
  return guard(raw, [&](const Call& call) { function(call, Planes(planes, count)); });
}
template <Build function>
int build(const lacuna_call* raw, const lacuna_plane* const* inputs, uint32_t count,
          const lacuna_builder* builder) {
  return guard(raw, [&](const Call& call) { function(call, Planes(inputs, count), Builder(*builder)); });
}
template <Compute function>
int compute(const lacuna_call* raw, const lacuna_plane* const* inputs, uint32_t inputCount,
            const lacuna_plane* const* outputs, uint32_t outputCount) {
  return guard(raw, [&](const Call& call) {
    function(call, Planes(inputs, inputCount), Planes(outputs, outputCount));
  });
}
template <Settle function>
int settle(const lacuna_call* raw, const char* const* connected, uint32_t count,
           const lacuna_settings* settings) {
  return guard(raw, [&](const Call& call) {
    function(call, std::vector<std::string>(connected, connected + count), Settings(*settings));
  });
}
template <Check function>
int check(const lacuna_call* raw) {
  return guard(raw, [&](const Call& call) { function(call); });
}
template <Info function>
int info(const lacuna_call* raw, const lacuna_settings* said) {
  return guard(raw, [&](const Call& call) { said->set(said->host, "info", function(call).c_str()); });
}
template <Write function>
int write(const lacuna_call* raw, const lacuna_plane* const* planes, uint32_t count, const char* part) {
  return guard(raw,
               [&](const Call& call) { function(call, Planes(planes, count), part == nullptr ? "" : part); });
}

}  // namespace detail

// The table of a module: Table("i-mine").probe<probe>().read<read>().
class Table {
 public:
  explicit Table(const char* name) {
    table_.size = sizeof table_;
    table_.abi = LACUNA_ABI;
    table_.name = name;
  }
  template <Describe function>
  Table& describe() {
    table_.describe = detail::describe<function>;
    return *this;
  }
  template <Probe function>
  Table& probe() {
    table_.probe = detail::onPlanes<function>;
    return *this;
  }
  template <Read function>
  Table& read() {
    table_.read = detail::onPlanes<function>;
    return *this;
  }
  template <Write function>
  Table& write() {
    table_.write = detail::write<function>;
    return *this;
  }
  Table& writesRows() {
    table_.writes_rows = 1;
    return *this;
  }
  template <Check function>
  Table& check() {
    table_.check = detail::check<function>;
    return *this;
  }
  template <Info function>
  Table& info() {
    table_.info = detail::info<function>;
    return *this;
  }
  template <Settle function>
  Table& settle() {
    table_.settle = detail::settle<function>;
    return *this;
  }
  template <Build function>
  Table& build() {
    table_.build = detail::build<function>;
    return *this;
  }
  template <Compute function>
  Table& compute() {
    table_.compute = detail::compute<function>;
    return *this;
  }
  const lacuna_module& get() const { return table_; }

 private:
  lacuna_module table_{};
};

}  // namespace lacuna::native

// Used once in each module, at file scope: defines the symbol that the runtime looks for.
#define LACUNA_MODULE(...)                                                                                   \
  extern "C" __attribute__((visibility("default"))) const lacuna_module* lacuna_module_entry(uint32_t abi) { \
    static const lacuna_module table = (__VA_ARGS__).get();                                                  \
    return abi == LACUNA_ABI ? &table : nullptr;                                                             \
  }
