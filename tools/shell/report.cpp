#include "tools/shell/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <new>
#include <system_error>

#include "graph/config/json_text.h"
#include "graph/door/errors.h"
#include "graph/files/file_name.h"
#include "graph/shader/generate/body_mistake.h"
#include "graph/vk/device.h"
#include "tools/shell/arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {

namespace {

int exitCodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::call:
    case ErrorKind::graph:
      return exitUsage;
    case ErrorKind::noDevice:
      return exitNoDevice;
    case ErrorKind::input:
    case ErrorKind::file:
      return exitFiles;
    case ErrorKind::device:  // there is a device, but this graph was too large for it
    case ErrorKind::other:
      break;
  }
  return exitFailed;
}

}  // namespace

int exitCodeOf(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) {
    return exitCodeOf(known->kind());
  }
  if (dynamic_cast<const vk::DeviceError*>(&error) != nullptr) {
    return exitNoDevice;
  }
  if (dynamic_cast<const FileError*>(&error) != nullptr ||
      dynamic_cast<const std::system_error*>(&error) != nullptr) {
    return exitFiles;
  }
  return dynamic_cast<const ShaderSourceError*>(&error) != nullptr ? exitUsage : exitFailed;
}

int printException(const std::exception& error) {
  try {
    door::rethrowAsError();
  } catch (const Error& translated) {
    for (const Message& message : translated.messages()) {
      printMessage(message);
    }
  } catch (const std::bad_alloc&) {
    printError("not enough memory");
  } catch (const std::exception&) {
    printError(error.what());
  }
  return exitCodeOf(error);
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
    code = printException(error);
  }
  collectMessages(nullptr);
  out["messages"] = std::move(messages);
  out["exitCode"] = code;
  fmt::print("{}\n", jsonText(out, 2));
  return code;
}

}  // namespace lacuna
