#pragma once
// The language server protocol: messages behind headers with their length; URIs; positions that count UTF-16
// units, or bytes if the editor offers that.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/diagnostics.h"

namespace lacuna::lsp {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string_view>;

constexpr int parseError = -32700, invalidRequest = -32600, unknownMethod = -32601,
              invalidParameters = -32602, internalError = -32603, notInitialized = -32002,
              requestFailed = -32803;
struct RequestError : std::runtime_error {
  RequestError(int given, const std::string& message) : std::runtime_error(message), code(given) {}
  int code;
};

// Takes the next message from the front of what has come; nullopt until it is complete. Throws RequestError
// for a wrong header, behind which no message can be found.
std::optional<std::string> takeMessage(std::string& bytes);
bool writeMessage(int descriptor, std::string_view body);  // false if nobody reads
bool readMore(int descriptor, std::string& bytes);         // appends what has come; false at the end

enum class Encoding { utf16, utf8 };
// A column counts from 0 in the encoding.
size_t byteOf(std::string_view line, int column, Encoding encoding);
int columnOf(std::string_view line, int byte, Encoding encoding);
Json rangeOf(const Lines& lines, const Location& where, Encoding encoding);
// A number of a message, at least 0 and at most 2^31 - 1.
int countOf(const Json& number);

std::string pathOf(const std::string& uri);  // of a file; the URI if it is none
std::string uriOf(const std::string& path);

}  // namespace lacuna::lsp
