#pragma once
// The page of `watch --serve`: a server for this machine's browsers alone, on the loopback, whose requests
// need a token.

#include <functional>
#include <memory>
#include <string>

#include "graph/lists.h"
#include "tools/lacuna/watch/live_graph.h"

namespace lacuna {

// What a page asks for. Called on the server's threads; each returns at once.
struct PageRequests {
  std::function<void(const std::string& parameter, const std::string& value)> set;
  std::function<void(int frame)> frame;
  std::function<void()> forget;       // what is tried
  std::function<std::string()> save;  // writes what is tried into the file; the mistake, or ""
};

class PageServer : NoCopy {
 public:
  // `port` 0: any. Throws FileError where it can't be had.
  PageServer(int port, std::string graph, PageRequests requests);
  ~PageServer();

  std::string address() const;           // with the token
  void publish(const LiveState& state);  // unless a newer one is shown

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lacuna
