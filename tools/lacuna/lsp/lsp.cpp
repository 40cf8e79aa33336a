// lacuna lsp: a language server on standard input and output. Messages stand behind headers with their
// length.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "graph/config/json_text.h"
#include "graph/config/regex.h"
#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna {
namespace lsp {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 100;  // levels of a message
constexpr size_t longestHeader = 4096, longestMessage = 16 << 20;

// Takes the next message from the front of what has come; nullopt until it is complete. Throws RequestError
// for a wrong header, behind which no message can be found.
std::optional<std::string> takeMessage(std::string& bytes) {
  static const Regex lengthField("(^|\r\n)Content-Length: *([0-9]{1,9})\r\n");
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos && bytes.size() <= longestHeader)
    return std::nullopt;
  const auto field = lengthField.find(std::string_view(bytes).substr(0, end + 2));  // npos + 2 is 1
  const size_t length = field ? std::stoul(field->groups[2]) : longestMessage + 1, begin = end + 4;
  if (length > longestMessage)
    throw RequestError(
        invalidRequest,
        fmt::format("a message must begin with 'Content-Length: N', and N be at most {}", longestMessage));
  if (bytes.size() - begin < length)
    return std::nullopt;
  std::string message = bytes.substr(begin, length);
  bytes.erase(0, begin + length);
  return message;
}

// False if nobody reads.
bool writeMessage(std::FILE* file, const Json& message) {
  const std::string body = jsonText(message);
  std::fprintf(file, "Content-Length: %zu\r\n\r\n", body.size());
  std::fwrite(body.data(), 1, body.size(), file);
  return std::fflush(file) == 0 && std::ferror(file) == 0;
}

// Appends what has come; false at the end.
bool readMore(int descriptor, std::string& bytes) {
  char block[1 << 16];
  const ssize_t got = read(descriptor, block, sizeof block);
  bytes.append(block, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return got > 0 || (got < 0 && errno == EINTR);
}

// What the server can, and its methods; null: initialize() has it in other words.
const std::map<std::string, std::pair<Json, Answer*>> features = {
    {"completion", {{{"triggerCharacters", {":", "\"", "/"}}}, completion}},
    {"hover", {true, hover}},
    {"signatureHelp", {{{"triggerCharacters", Json::array({":"})}}, signatureHelp}},
    {"definition", {true, definition}},
    {"references", {true, references}},
    {"prepareRename", {nullptr, prepareRename}},
    {"rename", {{{"prepareProvider", true}}, rename}},
    {"formatting", {true, formatting}},
    {"foldingRange", {true, foldingRange}},
    {"documentSymbol", {true, documentSymbol}},
    {"semanticTokens/full", {nullptr, semanticTokens}},
};

FileKind kindOf(const fs::path& path) {
  return path.filename() == "module.toml" ? FileKind::module
         : path.extension() == ".glsl"    ? FileKind::body
                                          : FileKind::graph;
}

int codeOf(const std::exception& error) {
  const auto* known = dynamic_cast<const RequestError*>(&error);
  const bool isJson = dynamic_cast<const Json::exception*>(&error) != nullptr;
  const bool isSyntax = dynamic_cast<const Json::parse_error*>(&error) != nullptr;
  return known != nullptr ? known->code : isSyntax ? parseError : isJson ? invalidParameters : internalError;
}

Json diagnosticOf(const std::string& message, const Json& range = rangeOf({}, {}, {}),
                  bool isWarning = false) {
  return {{"range", range}, {"severity", isWarning ? 2 : 1}, {"source", "lacuna"}, {"message", message}};
}

// The mistakes of all that is open, by URI, as `lacuna check` reports them; with `shaders` those of bodies,
// too.
Json checkAll(const Workspace& workspace, bool shaders) {
  Json found = Json::object();
  GraphArguments graph;
  graph.modules = workspace.modules;
  for (const auto& [uri, document] : workspace.documents) {
    if (document.kind == FileKind::body)
      continue;
    found.emplace(uri, Json::array());
    if (document.kind == FileKind::graph && !contains(workspace.graphsWith(document), &document))
      continue;
    try {
      graph.text = document.text + "\n";  // which isn't empty: it is read in place of the file
      const Diagnostics diagnostics =
          document.kind == FileKind::module
              ? checkModule(fs::path(document.path).parent_path().string(), workspace.modules, shaders)
              : checkGraph(document.path, graph, shaders).diagnostics;
      for (const Diagnostic& each : diagnostics.sorted()) {
        const bool hasPlace = each.where.file >= 0;  // else it is the root's
        const Lines lines = splitLines(hasPlace ? diagnostics.fileText(each.where.file) : "");
        const Json made = diagnosticOf(each.message + (each.hint.empty() ? "" : "\nhint: " + each.hint),
                                       rangeOf(lines, each.where, workspace.encoding), each.isWarning);
        Json& all = found[hasPlace ? workspace.uri(diagnostics.fileName(each.where.file)) : uri];
        if (!contains(all, made))  // several graphs may include a file
          all.push_back(made);
      }
    } catch (const std::exception& error) {
      found[uri].push_back(diagnosticOf(error.what()));
    }
  }
  return found;
}

// A process that checks: questions don't wait for it, and native code that crashes or hangs there doesn't end
// the server. With `shaders` bodies are compiled after the rest.
class Check : NoCopy {
 public:
  Check(const Workspace& workspace, bool shaders) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw FileError(fmt::format("a pipe can't be made: {}", std::strerror(errno)));
    pipe_ = ends[0];
    process_ = fork();
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      std::FILE* out = fdopen(ends[1], "w");
      writeMessage(out, checkAll(workspace, false));
      if (shaders)
        writeMessage(out, checkAll(workspace, true));
      _exit(0);
    }
    close(ends[1]);
  }

  ~Check() {
    close(pipe_);
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
  }

  int pipe() const { return pipe_; }

  // Publishes what has come; at the end a crash, as a mistake of the document that was changed. Returns
  // whether it goes on.
  template <typename Publish>
  bool read(const std::string& changed, const Publish& publish) {
    const bool goesOn = readMore(pipe_, come_);
    while (const std::optional<std::string> found = takeMessage(come_))
      publish(readOrderedJson(*found));
    int status = 0;
    if (!goesOn && waitpid(std::exchange(process_, -1), &status, 0) > 0 && WIFSIGNALED(status))
      publish({{changed, Json::array({diagnosticOf(fmt::format(
                             "`lacuna check` crashed ({}), perhaps in the native code of a module",
                             strsignal(WTERMSIG(status))))})}});
    return goesOn;
  }

 private:
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string come_;
};

class Server : NoCopy {
 public:
  explicit Server(const LspArguments& arguments)
      : in_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
        out_(fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w")),
        shaders_(arguments.shaders),
        workspace_{arguments.modules} {
    // Native code, and "-" in a graph, get other streams than the protocol.
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in_ < 0 || out_ == nullptr || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw FileError(fmt::format("`lacuna lsp`: its streams can't be opened: {}", std::strerror(errno)));
  }

  int run() {
    while (!hasEnded_) {
      pollfd waits[] = {{in_, POLLIN, 0}, {check_ ? check_->pipe() : -1, POLLIN, 0}};
      if (poll(waits, 2, -1) < 0)
        continue;  // a signal
      if (waits[1].revents != 0 && !check_->read(changed_, [this](Json found) { publish(std::move(found)); }))
        check_.reset();
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
      check_.reset();  // nobody reads what it finds
      isShutDown_ = true;
      return nullptr;
    }
    const std::string group = "textDocument/";
    const auto found = features.find(method.starts_with(group) ? method.substr(group.size()) : "");
    if (found == features.end())
      throw RequestError(unknownMethod, fmt::format("there is no method '{}'", method));
    workspace_.registry.renew();
    Query query(workspace_, parameters);
    return found->second.second(query, parameters);
  }

  Json initialize(const Json& parameters) {
    const Json encodings =
        parameters.value("/capabilities/general/positionEncodings"_json_pointer, Json::array());
    workspace_.encoding = contains(encodings, Json("utf-8")) ? Encoding::utf8 : Encoding::utf16;
    isInitialized_ = true;
    Json can = {{"positionEncoding", workspace_.encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
                {"textDocumentSync", {{"openClose", true}, {"change", 1}, {"save", true}}},
                {"semanticTokensProvider", {{"legend", semanticLegend()}, {"full", true}}}};
    for (const auto& [name, feature] : features)
      if (!feature.first.is_null())
        can[(name == "formatting" ? "documentFormatting" : name) + "Provider"] = feature.first;
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
      Document document{path, changes.at(changes.size() - 1).at("text"), countOf(about.at("version")),
                        kindOf(path)};
      setUnsavedText(path, document.text);
      workspace_.documents[uri] = std::move(document);
    }
    if (kindOf(path) == FileKind::module)
      workspace_.registry = Registry(moduleSearchPath(workspace_.modules));
    changed_ = uri;
    check_.reset();
    check_.emplace(workspace_, shaders_ && (opens || saves));
  }

  // The diagnostics of a check, by URI.
  void publish(Json found) {
    for (const std::string& uri : std::exchange(published_, {}))
      found.emplace(uri, Json::array());  // it has none any more
    // Those of open files last: they are complete when an editor has these.
    for (const bool isOpen : {false, true})
      for (const auto& [uri, diagnostics] : found.items())
        if (const auto open = workspace_.documents.find(uri);
            (open != workspace_.documents.end()) == isOpen) {
          Json parameters = {{"uri", uri}, {"diagnostics", diagnostics}};
          if (isOpen)
            parameters["version"] = open->second.version;
          if (!diagnostics.empty())
            published_.insert(uri);
          send({{"method", "textDocument/publishDiagnostics"}, {"params", std::move(parameters)}});
        }
  }

  void send(Json message) {
    message["jsonrpc"] = "2.0";
    hasEnded_ = !writeMessage(out_, message) || hasEnded_;
  }

  const int in_;
  std::FILE* const out_;
  std::string come_, changed_;       // bytes of messages; the URI of the document that changed last
  std::set<std::string> published_;  // URIs with mistakes
  bool shaders_, isInitialized_ = false, isShutDown_ = false, hasEnded_ = false;
  Workspace workspace_;
  std::optional<Check> check_;
};

}  // namespace
}  // namespace lsp

int runLsp(const LspArguments& arguments) {
  return lsp::Server(arguments).run();
}

}  // namespace lacuna
