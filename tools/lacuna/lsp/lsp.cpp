// lacuna lsp: a language server on standard input and output.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna {
namespace lsp {
namespace {

constexpr int deepest = 100;  // levels of a message

// What the server can, and its methods.
struct Feature {
  Json capability;
  Answer* answer;
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

// The process of a check: questions don't wait for it, and native code that crashes or hangs there doesn't
// end the server.
class Check : NoCopy {
 public:
  ~Check() { stop(); }

  // Begins anew. With `shaders` bodies are compiled after the rest.
  void start(const Workspace& workspace, bool shaders) {
    stop();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw FileError(fmt::format("a pipe can't be made: {}", std::strerror(errno)));
    pipe_ = ends[0];
    process_ = fork();
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      writeMessage(ends[1], jsonText(checkAll(workspace, false)));
      if (shaders)
        writeMessage(ends[1], jsonText(checkAll(workspace, true)));
      _exit(0);
    }
    close(ends[1]);
  }

  int pipe() const { return pipe_; }  // -1: nothing runs

  // Publishes what has come; if it crashed, as a mistake of the document that was changed.
  template <typename Publish>
  void read(const std::string& changed, const Publish& publish) {
    const bool goesOn = readMore(pipe_, come_);
    while (const std::optional<std::string> found = takeMessage(come_))
      publish(readOrderedJson(*found));
    if (goesOn)
      return;
    int status = 0;
    waitpid(std::exchange(process_, -1), &status, 0);
    stop();
    if (WIFSIGNALED(status))
      publish({{changed, Json::array({mistakeAtBegin(fmt::format(
                             "`lacuna check` crashed ({}), perhaps in the native code of a module",
                             strsignal(WTERMSIG(status))))})}});
  }

 private:
  void stop() {
    if (pipe_ >= 0)
      close(pipe_);
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    process_ = pipe_ = -1;
    come_.clear();
  }

  pid_t process_ = -1;
  int pipe_ = -1;
  std::string come_;
};

class Server : NoCopy {
 public:
  explicit Server(const LspArguments& arguments)
      : in_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
        out_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)),
        shaders_(arguments.shaders),
        workspace_{arguments.modules} {
    // Native code, and "-" in a graph, get other streams than the protocol.
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in_ < 0 || out_ < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw FileError(fmt::format("`lacuna lsp`: its streams can't be opened: {}", std::strerror(errno)));
  }

  int run() {
    while (!hasEnded_) {
      pollfd waits[] = {{in_, POLLIN, 0}, {check_.pipe(), POLLIN, 0}};
      if (poll(waits, 2, -1) < 0)
        continue;  // a signal
      if (waits[1].revents != 0)
        check_.read(changed_, [this](Json found) { publish(std::move(found)); });
      if (waits[0].revents != 0)
        readInput();
    }
    return isShutDown_ ? exitOk : exitFailed;
  }

 private:
  void readInput() {
    hasEnded_ = !readMore(in_, come_);
    while (!hasEnded_) {
      Json id;
      try {
        hasEnded_ = true;  // if the header is wrong
        const std::optional<std::string> body = takeMessage(come_);
        hasEnded_ = false;
        if (!body)
          return;
        handle(readOrderedJson(*body, deepest), id);
      } catch (const std::exception& error) {
        if (id != false)
          send({{"id", id}, {"error", {{"code", codeOf(error)}, {"message", error.what()}}}});
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
    workspace_.registry.renew();
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
    const std::string uri = about.at("uri"), path = pathOf(uri);
    const bool opens = method == "textDocument/didOpen", saves = method == "textDocument/didSave";
    if (method == "textDocument/didClose") {
      setUnsavedText(path, std::nullopt);
      workspace_.documents.erase(uri);
    } else if (!saves) {
      const Json& changes = opens ? Json::array({about}) : parameters.at("contentChanges");
      Document document{uri, path, changes.at(changes.size() - 1).at("text"), countOf(about.at("version")),
                        kindOf(path)};
      setUnsavedText(path, document.text);
      workspace_.documents[uri] = std::move(document);
    }
    if (kindOf(path) == FileKind::module)
      workspace_.registry = Registry(moduleSearchPath(workspace_.modules));
    changed_ = uri;
    check_.start(workspace_, shaders_ && (opens || saves));
  }

  // The diagnostics of a check, by URI.
  void publish(Json found) {
    for (const std::string& uri : std::exchange(published_, {}))
      found.emplace(uri, Json::array());  // it has none any more
    // Those of open files last: they are complete when an editor has these.
    for (const bool isOpen : {false, true}) {
      for (const auto& [uri, diagnostics] : found.items()) {
        const auto open = workspace_.documents.find(uri);
        if ((open != workspace_.documents.end()) != isOpen)
          continue;
        if (!diagnostics.empty())
          published_.insert(uri);
        Json parameters = {{"uri", uri}, {"diagnostics", diagnostics}};
        if (isOpen)
          parameters["version"] = open->second.version;
        send({{"method", "textDocument/publishDiagnostics"}, {"params", std::move(parameters)}});
      }
    }
  }

  void send(Json message) {
    message["jsonrpc"] = "2.0";
    hasEnded_ = !writeMessage(out_, jsonText(message)) || hasEnded_;
  }

  const int in_, out_;
  std::string come_, changed_;       // bytes of messages; the URI of the document that changed last
  std::set<std::string> published_;  // URIs with mistakes
  bool shaders_, isInitialized_ = false, isShutDown_ = false, hasEnded_ = false;
  Workspace workspace_;
  Check check_;
};

}  // namespace
}  // namespace lsp

int runLsp(const LspArguments& arguments) {
  return lsp::Server(arguments).run();
}

}  // namespace lacuna
