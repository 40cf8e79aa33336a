#include "tools/shell/size_text.h"

#include <algorithm>
#include <cmath>

#include "graph/config/text.h"

namespace lacuna {
namespace {

std::optional<uint32_t> parseSide(const std::string& text) {
  const bool isDigits =
      !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == std::string::npos;
  const auto number = isDigits ? parseInteger(text) : std::nullopt;
  return number && *number > 0 ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

}  // namespace

std::optional<Extent> parseSize(const std::string& text) {
  const size_t at = text.find('x');
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const auto width = parseSide(text.substr(0, at)), height = parseSide(text.substr(at + 1));
  return width && height ? std::optional(Extent{*width, *height}) : std::nullopt;
}

std::optional<uint64_t> parseBytes(const std::string& text) {
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = parseNumber(text.substr(0, end));
  const std::string unit = lowerCase(text.substr(std::min(text.find_first_not_of(' ', end), text.size())));
  const size_t power = unit.empty() || unit == "b" ? 0 : std::string_view("-kmgt").find(unit.front());
  const std::string rest = unit.empty() ? "" : unit.substr(1);
  if (!number || power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib")) {
    return std::nullopt;
  }
  const double bytes = std::ldexp(*number, static_cast<int>(10 * power));
  return bytes >= 1.0 && bytes < 0x1p63 ? std::optional(static_cast<uint64_t>(bytes)) : std::nullopt;
}

}  // namespace lacuna
