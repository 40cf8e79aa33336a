#pragma once
// The contents of a bundle's file: each type is described once, by transfer(), for writing and reading.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/ids.h"
#include "graph/record/bundle.h"

namespace lacuna::transferring {

// What graphs refer to by number.
struct SharedParts {
  std::vector<std::shared_ptr<const vk::Spirv>> code;
  std::vector<std::shared_ptr<const std::vector<std::byte>>> constants;

  std::vector<std::shared_ptr<const vk::Spirv>>& of(const vk::Spirv*) { return code; }
  std::vector<std::shared_ptr<const std::vector<std::byte>>>& of(const std::vector<std::byte>*) {
    return constants;
  }
};

class BundleWriter {
 public:
  static constexpr bool reads = false;
  explicit BundleWriter(SharedParts& shared) : shared_(shared) {}

  void raw(const void* data, size_t bytes) { text.append(static_cast<const char*>(data), bytes); }
  void expect(bool) {}
  // Number 0 stands for none.
  template <class T>
  void number(const std::shared_ptr<const T>& part, uint32_t& number) {
    number = 0;
    if (part == nullptr)
      return;
    auto& all = shared_.of(static_cast<const T*>(nullptr));
    const auto found =
        std::ranges::find_if(all, [&](const auto& each) { return each == part || *each == *part; });
    number = static_cast<uint32_t>(found - all.begin()) + 1;
    if (found == all.end())
      all.push_back(part);
  }

  std::string text;

 private:
  SharedParts& shared_;
};

class BundleReader {
 public:
  static constexpr bool reads = true;
  // From a byte of the file's text on.
  BundleReader(std::string_view text, size_t at, std::string_view name, SharedParts& shared)
      : text_(text), at_(at), name_(name), shared_(shared) {}

  void raw(void* data, size_t bytes) {
    expect(bytes <= left());
    std::memcpy(data, text_.data() + at_, bytes);
    at_ += bytes;
  }
  void expect(bool holds) const {
    if (!holds)
      throw BundleError(
          fmt::format("{}: the bundle has unknown contents at byte {}, although its checksum is "
                      "right; export it again",
                      name_, at_));
  }
  template <class T>
  void number(std::shared_ptr<const T>& part, uint32_t number) const {
    auto& all = shared_.of(static_cast<const T*>(nullptr));
    expect(number <= all.size());
    part = number == 0 ? nullptr : all[number - 1];
  }
  size_t left() const { return text_.size() - at_; }

 private:
  std::string_view text_;
  size_t at_;
  std::string_view name_;
  SharedParts& shared_;
};

template <class Io, class T>
requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void transfer(Io& io, T& number) {
  io.raw(&number, sizeof number);
}

template <class Io>
void transfer(Io& io, bool& flag) {
  uint8_t byte = flag ? 1 : 0;
  io.raw(&byte, 1);
  io.expect(byte <= 1);
  flag = byte == 1;
}

template <class Io, class Enum>
void transfer(Io& io, Enum& word, Enum last) {
  auto byte = static_cast<uint8_t>(word);
  io.raw(&byte, 1);
  io.expect(byte <= static_cast<uint8_t>(last));
  word = static_cast<Enum>(byte);
}

template <class Io, class Of>
void transfer(Io& io, Id<Of>& id) {
  int32_t number = id ? static_cast<int32_t>(id.index()) : -1;
  io.raw(&number, sizeof number);
  io.expect(number >= -1);
  id = number < 0 ? Id<Of>() : Id<Of>(static_cast<size_t>(number));
}

// Strings, lists and tables grow as they are read: a length that isn't true ends with the file.
template <class Io, class List>
requires requires(List& list) {
  list.emplace_back();
}
void transfer(Io& io, List& list) {
  auto count = static_cast<uint32_t>(list.size());
  io.raw(&count, sizeof count);
  if constexpr (Io::reads) {
    list = {};
    for (uint32_t i = 0; i < count; ++i)
      transfer(io, list.emplace_back());
  } else {
    for (auto& each : list)
      transfer(io, each);
  }
}

template <class Io>
void transfer(Io& io, std::string& text) {
  auto count = static_cast<uint32_t>(text.size());
  io.raw(&count, sizeof count);
  if constexpr (Io::reads) {
    io.expect(count <= io.left());
    text.resize(count);
  }
  io.raw(text.data(), count);
}

template <class Io, class T>
void transferWords(Io& io, std::vector<T>& words) {
  auto count = static_cast<uint64_t>(words.size());
  io.raw(&count, sizeof count);
  if constexpr (Io::reads) {
    io.expect(count <= io.left() / sizeof(T));
    words.resize(count);
  }
  io.raw(words.data(), count * sizeof(T));
}

template <class Io, class T, size_t count>
void transfer(Io& io, std::array<T, count>& list) {
  for (T& each : list)
    transfer(io, each);
}

template <class Io, class T>
void transfer(Io& io, std::optional<T>& optional) {
  bool is = optional.has_value();
  transfer(io, is);
  if (is && !optional)
    optional.emplace();
  if (is)
    transfer(io, *optional);
}

template <class Io, class T>
void transfer(Io& io, std::map<std::string, T>& map) {
  std::vector<std::pair<std::string, T>> list(map.begin(), map.end());
  transfer(io, list);
  map = {list.begin(), list.end()};
}

template <class Io, class T>
void transfer(Io& io, std::pair<std::string, T>& pair) {
  transfer(io, pair.first);
  transfer(io, pair.second);
}

template <class Io, class T>
void transfer(Io& io, std::shared_ptr<const T>& part) {
  uint32_t number = 0;
  if constexpr (!Io::reads)
    io.number(part, number);
  transfer(io, number);
  if constexpr (Io::reads)
    io.number(part, number);
}

}  // namespace lacuna::transferring
