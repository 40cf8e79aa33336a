#include "graph/door/errors.h"

#include <new>
#include <system_error>

#include "graph/load/files.h"
#include "graph/record/bundle.h"
#include "graph/record/call_error.h"
#include "graph/shader/generate/body_mistake.h"
#include "graph/vk/device.h"

namespace lacuna {
namespace {

std::string printedText(const std::vector<Message>& messages) {
  std::string text;
  for (const Message& message : messages)
    text += message.printed;
  if (!text.empty())
    text.pop_back();  // the last line's end
  return text;
}

std::vector<Message> messagesOf(const std::string& error) {
  Diagnostics diagnostics;
  diagnostics.error({}, error);
  return diagnostics.messages();
}

}  // namespace

Error::Error(ErrorKind kind, std::vector<Message> messages)
    : std::runtime_error(printedText(messages)),
      kind_(kind),
      messages_(std::make_shared<const std::vector<Message>>(std::move(messages))) {}

Error::Error(ErrorKind kind, const std::string& text) : Error(kind, messagesOf(text)) {}

Error::~Error() = default;

namespace door {

void rethrowAsError() {
  try {
    throw;
  } catch (const CallbackError& error) {
    std::rethrow_exception(error.original);
  } catch (const InputError& error) {
    throw Error(ErrorKind::input, error.diagnostics.messages());
  } catch (const NativeFileError& error) {
    throw Error(ErrorKind::file, error.diagnostics.messages());
  } catch (const BundleError& error) {
    throw Error(ErrorKind::input, error.what());
  } catch (const FileError& error) {
    throw Error(ErrorKind::file, error.what());
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::file, error.what());
  } catch (const ShaderSourceError& error) {
    Diagnostics diagnostics;
    MistakeReporter(diagnostics).report(error.mistakes, error.made);
    throw Error(ErrorKind::graph, diagnostics.messages());
  } catch (const ShaderError& error) {
    throw Error(ErrorKind::other, error.what());
  } catch (const CallError& error) {
    throw Error(ErrorKind::call, error.what());
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
