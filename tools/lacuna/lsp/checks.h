#pragma once
// `lacuna check` of the open graphs and modules, in a process of its own: questions don't wait for it, and
// native code that crashes or hangs doesn't end the server.

#include <sys/types.h>

#include <functional>
#include <set>
#include <string>

#include "tools/lacuna/lsp/query.h"

namespace lacuna::lsp {

class Checks : NoCopy {
 public:
  using Publish = std::function<void(Json parameters)>;  // of publishDiagnostics
  Checks(const Workspace& workspace, Publish publish) : workspace_(workspace), publish_(std::move(publish)) {}
  ~Checks() { stop(); }

  // Begins anew. With `shaders` bodies are compiled after that. `changed`: the URI of the document that is
  // why.
  void start(const std::string& changed, bool shaders);
  int pipe() const { return pipe_; }  // -1: nothing runs
  void read();                        // publishes what has come

 private:
  void stop();
  void publish(Json found);

  const Workspace& workspace_;
  Publish publish_;
  std::set<std::string> published_;  // URIs with mistakes
  std::string changed_;
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string come_;
};

}  // namespace lacuna::lsp
