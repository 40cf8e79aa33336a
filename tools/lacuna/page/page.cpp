#include "tools/lacuna/page/page.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "graph/files/file_name.h"

namespace lacuna {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k)
      three = three << 8U | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63U];
  }
  return text;
}

namespace {

// JSON in a page: without what would end a script.
std::string inPage(const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  for (size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c");
  return text;
}

// What ends a page.
std::string tailOf(const PageKind& kind, const nlohmann::ordered_json& about) {
  return fmt::format(
      "<script type=\"application/json\" id=\"about\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      inPage(about), kind.script);
}

}  // namespace

std::string pageText(const PageKind& kind, const nlohmann::ordered_json& about) {
  return kind.head + tailOf(kind, about);
}

PageWriter::PageWriter(std::string file, const PageKind& kind)
    : file_(std::move(file)), kind_(kind), part_(file_), stream_(part_.name(), std::ios::binary) {
  stream_ << kind.head;
}

uint64_t PageWriter::end(const nlohmann::ordered_json& about) {
  stream_ << tailOf(kind_, about);
  const auto bytes = static_cast<uint64_t>(stream_.tellp());
  stream_.close();
  if (!stream_)
    throw FileError(fmt::format("{}: can't be written: {}", file_, std::strerror(errno)));
  part_.place();
  return bytes;
}

}  // namespace lacuna
