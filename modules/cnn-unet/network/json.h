#pragma once
// JSON of files that may be damaged or hostile.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::unet {

struct JsonLimits {
  int depth = 8;
  size_t entries = 1024;  // of an object or a list: they take more memory than the text
  size_t values = 16384;  // in all
};

// Throws std::runtime_error for text other than JSON, for repeated keys in an object and beyond the
// limits.
nlohmann::json parseJson(std::string_view text, const JsonLimits& limits = {});

// Text of a file as it can be shown: printable ASCII, of bounded length.
std::string shown(std::string_view text);

// All mistakes of a file in one message: the first few, and the number of others.
class Mistakes {
 public:
  void add(std::string text) { texts_.push_back(std::move(text)); }
  bool empty() const { return texts_.empty(); }
  std::string text() const;

 private:
  std::vector<std::string> texts_;
};

}  // namespace lacuna::unet
