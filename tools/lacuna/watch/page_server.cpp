#include "tools/lacuna/watch/page_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "graph/files/file_name.h"
#include "tools/lacuna/page/page.h"
#include "tools/lacuna/run/connector_values.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t largestRequest = 65536;
constexpr size_t threads = 24;  // an open page holds one for its events

std::string newToken() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw FileError("no random numbers for the page's address");
  std::string token;
  for (const unsigned char byte : bytes)
    token += fmt::format("{:02x}", byte);
  return token;
}

Json jsonOf(const LiveState& state, const std::string& graph) {
  Json pictures = Json::array();
  for (const auto& [name, picture] : state.pictures)
    pictures.push_back({{"name", name}, {"version", picture->version}});
  const ImageType type = state.pictures.empty() ? ImageType() : state.pictures.back().second->type;
  return {{"graph", graph},
          {"version", state.version},
          {"isRight", state.isRight},
          {"messages", state.messages},
          {"seconds", state.seconds},
          {"ran", state.ran},
          {"preview", state.preview},
          {"frame", state.frame},
          {"modules", state.modules},
          {"pictures", pictures},
          {"width", type.width},
          {"height", type.height},
          {"left", 0},
          {"top", 0},
          {"frames", Json::array()},
          {"reference", ""},
          {"results", Json::array()}};
}

}  // namespace

struct PageServer::Impl {
  httplib::Server server;
  std::string graph, token = newToken();
  int port = 0;
  PageRequests requests;
  std::jthread thread;

  std::mutex mutex;
  std::condition_variable changed;
  LiveState state;
  bool isEnding = false;

  LiveState now() {
    const std::scoped_lock lock(mutex);
    return state;
  }

  // Pages of other hosts' names that lead here, of other origins, and whoever doesn't know the token.
  bool mayAsk(const httplib::Request& request) const {
    const std::set<std::string> hosts = {fmt::format("127.0.0.1:{}", port),
                                         fmt::format("localhost:{}", port)};
    const std::string origin = request.get_header_value("Origin");
    return hosts.contains(request.get_header_value("Host")) &&
           (origin.empty() || (origin.starts_with("http://") && hosts.contains(origin.substr(7)))) &&
           request.get_param_value("token") == token;
  }

  void refuse(httplib::Response& response, int status, const std::string& text) const {
    response.status = status;
    response.set_content(text + "\n", "text/plain");
  }

  void picture(const httplib::Request& request, httplib::Response& response) {
    const LiveState shown = now();
    for (const auto& [name, picture] : shown.pictures) {
      if (name != request.get_param_value("name"))
        continue;
      const std::string width = request.get_param_value("width");
      const auto wanted =
          std::min<size_t>(static_cast<size_t>(std::strtoul(width.c_str(), nullptr, 10)), 65535);
      response.set_content(pngOf(picture->view(), picture->type, static_cast<int>(wanted)), "image/png");
      return;
    }
    refuse(response, 404, "no such output");
  }

  void events(httplib::Response& response) {
    auto shown = std::make_shared<uint64_t>(0);
    response.set_chunked_content_provider("text/event-stream", [this, shown](size_t,
                                                                             httplib::DataSink& sink) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, std::chrono::seconds(5), [&] { return isEnding || state.version != *shown; });
      if (isEnding) {
        sink.done();
        return true;
      }
      const bool isNew = state.version != *shown;
      *shown = state.version;
      const std::string text =
          isNew
              ? "data: " + jsonOf(state, graph).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n\n"
              : ": \n\n";
      lock.unlock();
      return sink.write(text.data(), text.size());
    });
  }

  void post(const httplib::Request& request, httplib::Response& response,
            const std::function<void(const Json&)>& work) {
    const Json words = Json::parse(request.body, nullptr, false);
    try {
      work(words.is_discarded() ? Json::object() : words);
      response.set_content("{}", "application/json");
    } catch (const std::exception& error) {
      refuse(response, 400, error.what());
    }
  }

  void listen() {
    server.set_payload_max_length(largestRequest);
    server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (mayAsk(request))
        return httplib::Server::HandlerResponse::Unhandled;
      refuse(response, 403, "the address that `lacuna watch` printed has a token, which is missing here");
      return httplib::Server::HandlerResponse::Handled;
    });
    server.Get("/", [this](const httplib::Request&, httplib::Response& response) {
      response.set_header("Cache-Control", "no-store");
      response.set_header("Referrer-Policy", "no-referrer");
      response.set_content(pageText(watchPage, jsonOf(now(), graph)), "text/html; charset=utf-8");
    });
    server.Get("/picture", [this](const httplib::Request& a, httplib::Response& b) { picture(a, b); });
    server.Get("/events", [this](const httplib::Request&, httplib::Response& response) { events(response); });
    server.Post("/set", [this](const httplib::Request& a, httplib::Response& b) {
      post(a, b, [&](const Json& words) { requests.set(words.at("parameter"), words.at("value")); });
    });
    server.Post("/frame", [this](const httplib::Request& a, httplib::Response& b) {
      post(a, b, [&](const Json& words) { requests.frame(words.at("frame")); });
    });
    server.Post("/forget", [this](const httplib::Request& a, httplib::Response& b) {
      post(a, b, [&](const Json&) { requests.forget(); });
    });
    server.Post("/save", [this](const httplib::Request& a, httplib::Response& b) {
      post(a, b, [&](const Json&) {
        if (const std::string mistake = requests.save(); !mistake.empty())
          throw FileError(mistake);
      });
    });
    thread = std::jthread([this] { server.listen_after_bind(); });
  }
};

PageServer::PageServer(int port, std::string graph, PageRequests requests) : impl_(std::make_unique<Impl>()) {
  impl_->graph = std::move(graph);
  impl_->requests = std::move(requests);
  if (port == 0)
    impl_->port = impl_->server.bind_to_any_port("127.0.0.1");
  else if (impl_->server.bind_to_port("127.0.0.1", port))
    impl_->port = port;
  if (impl_->port <= 0)
    throw FileError(fmt::format("--serve {}: this port is taken; 0 takes a free one", port));
  impl_->listen();
}

PageServer::~PageServer() {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->isEnding = true;
  }
  impl_->changed.notify_all();
  impl_->server.stop();
}

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", impl_->port, impl_->token);
}

void PageServer::publish(const LiveState& state) {
  {
    const std::scoped_lock lock(impl_->mutex);
    if (state.version < impl_->state.version)
      return;
    impl_->state = state;
  }
  impl_->changed.notify_all();
}

}  // namespace lacuna
