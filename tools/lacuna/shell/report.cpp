#include "tools/lacuna/shell/report.h"

#include <fmt/format.h>

#include <system_error>

#include "graph/files/file_name.h"
#include "graph/shader/generate/body_mistake.h"
#include "graph/vk/device.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {

int exitCodeOf(const std::exception& error) {
  if (dynamic_cast<const vk::DeviceError*>(&error) != nullptr) {
    return exitNoDevice;
  }
  if (dynamic_cast<const FileError*>(&error) != nullptr ||
      dynamic_cast<const std::system_error*>(&error) != nullptr) {
    return exitFiles;
  }
  return dynamic_cast<const ShaderSourceError*>(&error) != nullptr ? exitUsage : exitFailed;
}

int reported(bool json, const std::function<int(nlohmann::ordered_json& out)>& work) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (!json) {
    return work(out);
  }
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  collectMessages(&messages);
  int code = exitOk;
  try {
    code = work(out);
  } catch (const std::exception& error) {
    printException(error);
    code = exitCodeOf(error);
  }
  collectMessages(nullptr);
  out["messages"] = std::move(messages);
  out["exitCode"] = code;
  // What is no text, in a file's name, must not end the program here.
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return code;
}

}  // namespace lacuna
