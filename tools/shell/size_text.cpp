#include "tools/shell/size_text.h"

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

}  // namespace lacuna
