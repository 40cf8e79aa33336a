#include "cnn-unet/network/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <stdexcept>

namespace lacuna::unet {

using Json = nlohmann::json;

namespace {

// Checks each part of a text before it takes memory.
class Watch {
 public:
  explicit Watch(const JsonLimits& limits) : limits_(limits) {}

  void see(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (++values_ > limits_.values)
      throw std::runtime_error(fmt::format("has more than {} keys and values", limits_.values));
    if (event == Event::object_end || event == Event::array_end) {
      open_.pop_back();
      return;
    }
    if (event == Event::key) {
      if (!open_.back().keys.insert(parsed.get<std::string>()).second)
        throw std::runtime_error(fmt::format("has '{}' twice", shown(parsed.get<std::string>())));
      return;
    }
    if (!open_.empty() && ++open_.back().entries > limits_.entries)
      throw std::runtime_error(fmt::format("has more than {} entries in one list", limits_.entries));
    if (event == Event::value)
      return;
    if (depth >= limits_.depth)
      throw std::runtime_error(fmt::format("is nested more than {} deep", limits_.depth));
    open_.emplace_back();
  }

 private:
  struct Open {  // an object or a list
    std::set<std::string> keys;
    size_t entries = 0;
  };
  JsonLimits limits_;
  std::vector<Open> open_;
  size_t values_ = 0;
};

}  // namespace

Json parseJson(std::string_view text, const JsonLimits& limits) {
  Watch watch(limits);
  const auto see = [&](int depth, Json::parse_event_t event, Json& parsed) {
    watch.see(depth, event, parsed);
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), see);
  } catch (const Json::parse_error& error) {
    throw std::runtime_error(fmt::format("is not JSON: unexpected text at byte {}", error.byte));
  } catch (const Json::exception&) {
    throw std::runtime_error("is not JSON: a number is too large");
  }
}

std::string shown(std::string_view text) {
  constexpr size_t most = 60;
  std::string out;
  for (const char c : text.substr(0, most))
    out += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > most ? out + "..." : out;
}

std::string Mistakes::text() const {
  constexpr size_t most = 8;
  std::string out;
  for (size_t i = 0; i < texts_.size() && i < most; ++i)
    out += (i > 0 ? "; " : "") + texts_[i];
  return texts_.size() > most ? fmt::format("{}; and {} more", out, texts_.size() - most) : out;
}

}  // namespace lacuna::unet
