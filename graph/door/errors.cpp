#include "graph/door/errors.h"

#include <new>
#include <system_error>

#include "graph/door/callbacks.h"
#include "graph/load/files.h"
#include "graph/shader/generate/body_mistake.h"
#include "graph/vk/device.h"

namespace lacuna {
namespace {

std::string printedText(const std::vector<Message>& messages) {
  std::string text;
  for (const Message& message : messages) {
    text += message.printed;
  }
  if (!text.empty()) {
    text.pop_back();  // the last line's end
  }
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, std::vector<Message> messages)
    : std::runtime_error(printedText(messages)),
      kind_(kind),
      messages_(std::make_shared<const std::vector<Message>>(std::move(messages))) {}

Error::Error(ErrorKind kind, const std::string& text)
    : Error(kind, {door::messageOf(Severity::error, text)}) {}

Error::~Error() = default;

namespace door {

std::vector<Message> messagesOf(const Diagnostics& diagnostics) {
  std::vector<Message> messages;
  std::vector<std::string> printed = diagnostics.renderEach();
  for (const Diagnostic& each : diagnostics.sorted()) {
    Message message;
    message.severity = each.isWarning ? Severity::warning : Severity::error;
    message.file = each.where.file < 0 ? "" : diagnostics.fileName(each.where.file);
    message.line = each.where.line;
    message.column = each.where.line > 0 ? each.where.column : 0;
    message.text = each.message;
    message.hint = each.hint;
    message.printed = std::move(printed[messages.size()]);
    messages.push_back(std::move(message));
  }
  return messages;
}

Message messageOf(Severity severity, const std::string& text) {
  Diagnostics one;
  severity == Severity::error ? one.error({}, text) : one.warn({}, text);
  return messagesOf(one).front();
}

void rethrowAsError() {
  try {
    throw;
  } catch (const CallbackError& error) {
    std::rethrow_exception(error.original);
  } catch (const InputError& error) {
    throw Error(ErrorKind::input, messagesOf(error.diagnostics));
  } catch (const NativeFileError& error) {
    throw Error(ErrorKind::file, messagesOf(error.diagnostics));
  } catch (const FileError& error) {
    throw Error(ErrorKind::file, error.what());
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::file, error.what());
  } catch (const ShaderSourceError& error) {
    Diagnostics diagnostics;
    MistakeReporter(diagnostics).report(error.mistakes, error.made);
    throw Error(ErrorKind::graph, messagesOf(diagnostics));
  } catch (const ShaderError& error) {
    throw Error(ErrorKind::other, error.what());
  } catch (const vk::DeviceError& error) {
    throw Error(ErrorKind::device, error.what());
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::other, error.what());
  }
}

}  // namespace door
}  // namespace lacuna
