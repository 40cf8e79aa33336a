// lacuna lsp: a language server on standard input and output.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/lsp/checks.h"

namespace lacuna {
namespace lsp {
namespace {

constexpr int deepest = 100;  // levels of a message

// What the server can, and its methods.
struct Feature {
  Json capability;
  Answer answer;
};
const std::map<std::string, Feature>& features() {
  static const Json yes = true;
  static const std::map<std::string, Feature> all = {
      {"completion", {{{"triggerCharacters", {":", "\"", "/"}}}, completion}},
      {"hover", {yes, hover}},
      {"signatureHelp", {{{"triggerCharacters", Json::array({":"})}}, signatureHelp}},
      {"definition", {yes, definition}},
      {"references", {yes, references}},
      {"prepareRename", {nullptr, prepareRename}},
      {"rename", {{{"prepareProvider", true}}, rename}},
      {"formatting", {nullptr, formatting}},
      {"foldingRange", {yes, foldingRange}},
      {"documentSymbol", {yes, documentSymbol}},
      {"semanticTokens/full", {nullptr, semanticTokens}},
  };
  return all;
}

FileKind kindOf(const std::filesystem::path& path) {
  return path.filename() == "module.toml" ? FileKind::module
         : path.extension() == ".glsl"    ? FileKind::body
                                          : FileKind::graph;
}

int codeOf(const std::exception& error) {
  if (const auto* known = dynamic_cast<const RequestError*>(&error))
    return known->code;
  if (dynamic_cast<const Json::exception*>(&error) == nullptr)
    return internalError;
  return dynamic_cast<const Json::parse_error*>(&error) != nullptr ? parseError : invalidParameters;
}

class Server : NoCopy {
 public:
  explicit Server(const LspArguments& arguments)
      : in_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
        out_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)),
        shaders_(arguments.shaders),
        workspace_{arguments.modules, {}, {}},
        checks_(workspace_, [this](Json parameters) {
          send({{"method", "textDocument/publishDiagnostics"}, {"params", std::move(parameters)}});
        }) {
    // Native code, and "-" in a graph, get other streams than the protocol.
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in_ < 0 || out_ < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw FileError(fmt::format("`lacuna lsp`: its streams can't be opened: {}", std::strerror(errno)));
  }

  int run() {
    while (!hasEnded_) {
      pollfd waits[] = {{in_, POLLIN, 0}, {checks_.pipe(), POLLIN, 0}};
      if (poll(waits, 2, -1) < 0)
        continue;  // a signal
      if (waits[1].revents != 0)
        checks_.read();
      if (waits[0].revents != 0)
        readInput();
    }
    return isShutDown_ ? exitOk : exitFailed;
  }

 private:
  void readInput() {
    char block[1 << 16];
    const ssize_t got = ::read(in_, block, sizeof block);
    hasEnded_ = got == 0 || (got < 0 && errno != EINTR);
    come_.append(block, static_cast<size_t>(std::max<ssize_t>(got, 0)));
    for (std::optional<std::string> body; !hasEnded_;) {
      Json id;
      try {
        hasEnded_ = true;  // if the header is wrong
        body = takeMessage(come_);
        hasEnded_ = false;
        if (!body)
          return;
        handle(readOrderedJson(*body, deepest), id);
      } catch (const std::exception& error) {
        fail(id, codeOf(error), error.what());
      }
    }
  }

  // Sets `id` of requests: false for notifications, whose mistakes nobody waits for.
  void handle(const Json& message, Json& id) {
    if (message.is_object() && !message.contains("method"))
      return;  // an answer, though nothing was asked
    if (!message.is_object() || !message["method"].is_string())
      throw RequestError(invalidRequest, "a message must be an object with a method");
    const std::string method = message["method"];
    const Json parameters = message.value("params", Json::object());
    const bool isRequest = message.contains("id");
    id = !isRequest ? Json(false) : message["id"].is_primitive() ? message["id"] : Json(nullptr);
    if (isRequest)
      send({{"id", id}, {"result", answer(method, parameters)}});
    else
      notice(method, parameters);
  }

  Json answer(const std::string& method, const Json& parameters) {
    if (method == "initialize" && !isInitialized_)
      return initialize(parameters);
    if (!isInitialized_)
      throw RequestError(notInitialized, method + " came before initialize");
    if (isShutDown_ || method == "initialize")
      throw RequestError(invalidRequest, method + " came after " + (isShutDown_ ? "shutdown" : "initialize"));
    if (method == "shutdown") {
      isShutDown_ = true;
      return nullptr;
    }
    const std::string group = "textDocument/";
    const auto found = features().find(method.starts_with(group) ? method.substr(group.size()) : "");
    if (found == features().end())
      throw RequestError(unknownMethod, fmt::format("there is no method '{}'", method));
    Query query(workspace_, parameters);
    return found->second.answer(query, parameters);
  }

  Json initialize(const Json& parameters) {
    const Json encodings =
        parameters.value("/capabilities/general/positionEncodings"_json_pointer, Json::array());
    workspace_.encoding = contains(encodings, Json("utf-8")) ? Encoding::utf8 : Encoding::utf16;
    isInitialized_ = true;
    Json can = {{"positionEncoding", workspace_.encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
                {"textDocumentSync", {{"openClose", true}, {"change", 1}, {"save", true}}},
                {"documentFormattingProvider", true},
                {"semanticTokensProvider", {{"legend", semanticLegend()}, {"full", true}}}};
    for (const auto& [name, feature] : features())
      if (!feature.capability.is_null())
        can[name + "Provider"] = feature.capability;
    return {{"capabilities", can}, {"serverInfo", {{"name", "lacuna"}, {"version", version()}}}};
  }

  void notice(const std::string& method, const Json& parameters) {
    if (method == "exit")
      hasEnded_ = true;
    if (!isInitialized_ || isShutDown_ || !method.starts_with("textDocument/did"))
      return;
    const Json& about = parameters.at("textDocument");
    const std::string uri = about.at("uri");
    const bool opens = method == "textDocument/didOpen", saves = method == "textDocument/didSave";
    if (method == "textDocument/didClose") {
      setUnsavedText(pathOf(uri), std::nullopt);
      workspace_.documents.erase(uri);
    } else if (!saves) {
      const Json& changes = opens ? Json::array({about}) : parameters.at("contentChanges");
      Document document{uri, pathOf(uri), changes.at(changes.size() - 1).at("text"),
                        countOf(about.at("version")), kindOf(pathOf(uri))};
      setUnsavedText(document.path, document.text);
      workspace_.documents[uri] = std::move(document);
    }
    checks_.start(uri, shaders_ && (opens || saves));
  }

  void fail(const Json& id, int code, const std::string& text) {
    if (id != false)
      send({{"id", id}, {"error", {{"code", code}, {"message", text}}}});
  }

  void send(Json message) {
    message["jsonrpc"] = "2.0";
    hasEnded_ = !writeMessage(out_, jsonText(message)) || hasEnded_;
  }

  const int in_, out_;
  std::string come_;
  bool shaders_, isInitialized_ = false, isShutDown_ = false, hasEnded_ = false;
  Workspace workspace_;
  Checks checks_;
};

}  // namespace
}  // namespace lsp

int runLsp(const LspArguments& arguments) {
  return lsp::Server(arguments).run();
}

}  // namespace lacuna
