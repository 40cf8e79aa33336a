#include "graph/run/tune/tuned.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"

namespace lacuna {
namespace {

using nlohmann::ordered_json;

constexpr const char* formatName = "lacuna tuning";
constexpr int formatVersion = 3;
constexpr size_t longestText = 1000;  // of a name

[[noreturn]] void refuse(const std::string& where, const char* expected, const ordered_json* found) {
  std::string text = found == nullptr ? std::string("nothing") : jsonText(*found);
  if (text.size() > 60)
    text = text.substr(0, 60) + "...";
  throw TunedMistake(fmt::format("{}: expected {}, found {}", where, expected, text));
}

// A member of an object, for which `is` holds.
template <class Is>
const ordered_json& member(const ordered_json& object, const char* name, const std::string& where,
                           const char* expected, const Is& is) {
  const auto found = object.find(name);
  if (found == object.end() || !is(*found))
    refuse(where + name, expected, found == object.end() ? nullptr : &*found);
  return *found;
}

bool isText(const ordered_json& json) {
  return json.is_string() && !json.get_ref<const std::string&>().empty() &&
         json.get_ref<const std::string&>().size() <= longestText;
}

bool isPositive(const ordered_json& json) {
  return json.is_number() && std::isfinite(json.get<double>()) && json.get<double>() > 0.0;
}

std::string textOf(const ordered_json& object, const char* name, const std::string& where) {
  return member(object, name, where, "a text", isText).get<std::string>();
}

Tuned filterOf(const ordered_json& json, const std::string& where) {
  if (!json.is_object())
    refuse(where, "a filter's measurements", &json);
  const std::string at = where + ".";
  Tuned tuned;
  tuned.filter = textOf(json, "filter", at);
  tuned.work = textOf(json, "work", at);
  tuned.shader = textOf(json, "shader", at);
  tuned.date = textOf(json, "date", at);
  tuned.imported = json.contains("imported");
  tuned.pixels = member(json, "pixels", at, "a number of pixels", [](const ordered_json& pixels) {
                   return pixels.is_number_unsigned() && pixels.get<uint64_t>() > 0;
                 }).get<uint64_t>();
  const ordered_json& all = member(json, "ms", at, "the milliseconds of at least one schedule",
                                   [](const ordered_json& ms) { return ms.is_object() && !ms.empty(); });
  for (const auto& [schedule, ms] : all.items()) {
    if (schedule.empty() || schedule.size() > longestText || !isPositive(ms))
      refuse(fmt::format("{}ms.{}", at, schedule.substr(0, 60)), "milliseconds above 0", &ms);
    tuned.measured.push_back({schedule, ms.get<double>()});
  }
  return tuned;
}

ordered_json jsonOf(const Tuned& tuned) {
  ordered_json json = {{"filter", tuned.filter}, {"work", tuned.work},     {"shader", tuned.shader},
                       {"date", tuned.date},     {"pixels", tuned.pixels}, {"ms", ordered_json::object()}};
  if (tuned.imported)
    json["imported"] = true;
  for (const TimedSchedule& each : tuned.measured)
    json["ms"][each.name] = each.ms;
  return json;
}

}  // namespace

TunedDevice parseTuned(std::string_view text) {
  ordered_json json;
  try {
    json = readOrderedJson(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw TunedMistake(fmt::format("byte {}: expected JSON by `lacuna tune --export`", error.byte));
  } catch (const nlohmann::json::exception&) {  // a number beyond double
    throw TunedMistake("expected JSON by `lacuna tune --export`, with numbers that a double holds");
  }
  if (!json.is_object())
    refuse("the file", "an object by `lacuna tune --export`", &json);
  member(json, "format", "", "\"lacuna tuning\"",
         [](const ordered_json& format) { return format == formatName; });
  member(json, "version", "", "3, this program's; export it again by a program of the same version",
         [](const ordered_json& version) { return version == formatVersion; });
  TunedDevice tuned;
  if (json.contains("program"))
    tuned.program = textOf(json, "program", "");
  tuned.device = textOf(json, "device", "");
  tuned.driver = textOf(json, "driver", "");
  if (json.contains("bandwidth"))
    tuned.bandwidth = member(json, "bandwidth", "", "bytes a second", isPositive).get<double>();
  const ordered_json& filters = member(json, "filters", "", "a list of filters' measurements",
                                       [](const ordered_json& list) { return list.is_array(); });
  for (size_t i = 0; i < filters.size(); ++i)
    tuned.filters.push_back(filterOf(filters[i], fmt::format("filters[{}]", i)));
  return tuned;
}

// A filter a line, so that files of tables can be compared.
std::string print(const TunedDevice& tuned) {
  ordered_json head = {{"format", formatName}, {"version", formatVersion}};
  if (!tuned.program.empty())
    head["program"] = tuned.program;
  head["device"] = tuned.device;
  head["driver"] = tuned.driver;
  if (tuned.bandwidth > 0.0)
    head["bandwidth"] = tuned.bandwidth;
  std::string text = jsonText(head, 1);
  text.resize(text.size() - 2);  // "\n}"
  text += ",\n \"filters\": [";
  for (size_t i = 0; i < tuned.filters.size(); ++i)
    text += fmt::format("{}\n  {}", i == 0 ? "" : ",", jsonText(jsonOf(tuned.filters[i])));
  return text + "\n ]\n}\n";
}

std::string deviceKind(std::string_view name) {
  return std::string(name.substr(0, name.find(" (")));
}

}  // namespace lacuna
