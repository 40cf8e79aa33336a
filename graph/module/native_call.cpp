#include "graph/module/native_call.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <exception>

#include "graph/parallel.h"

namespace lacuna {
namespace {

double numberOf(const ParameterValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value))
    return static_cast<double>(*whole);
  const auto* flag = std::get_if<bool>(&value);
  return flag == nullptr ? std::get<double>(value) : *flag ? 1.0 : 0.0;
}

void replaceEach(std::string& text, const std::string& word, const std::string& by) {
  for (size_t at = word.empty() ? std::string::npos : text.find(word); at != std::string::npos;
       at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

// The text with the user's names for files.
std::string shown(const CallContext& context, std::string text) {
  const std::string& user = context.shownPath.empty() ? context.path : context.shownPath;
  replaceEach(text, context.opened, user);
  if (user != context.path)
    replaceEach(text, context.path, user);
  return context.origin == nullptr ? text : shown(*context.origin, std::move(text));
}

// A copy: a call may end without having run.
thread_local std::array<char, 128> running{};

void mark(const std::string& instance) {
  const size_t end = instance.copy(running.data(), running.size() - 1);
  running.at(end) = '\0';
}

}  // namespace

const char* runningNative() {
  return running.data();
}

NativeCall::NativeCall(CallContext context, PassRows rows)
    : context_(std::move(context)), rows_(std::move(rows)) {
  addParameters();
  call_.size = sizeof call_;
  call_.parameter_count = static_cast<uint32_t>(pointers_.size());
  call_.parameters = pointers_.data();
  call_.instance = context_.instance.c_str();
  call_.module_folder = context_.moduleFolder.c_str();
  call_.graph_folder = context_.graphFolder.c_str();
  call_.path = context_.path.empty() ? nullptr : context_.path.c_str();
  call_.frame = context_.frame;
  call_.report = report;
  call_.host = this;
  call_.reads = reads;
  call_.whole_width = context_.whole.width;
  call_.whole_height = context_.whole.height;
  call_.rows = rows_ ? NativeCall::rows : nullptr;
  call_.opened = context_.opened.empty() ? nullptr : context_.opened.c_str();
  if (!context_.node.empty()) {
    call_.node = context_.node.c_str();
    call_.first_x = context_.first.x;
    call_.first_y = context_.first.y;
    call_.parallel = parallel;
  }
  if (context_.origin != nullptr) {
    origin_ = std::make_unique<NativeCall>(*context_.origin);
    call_.origin = &origin_->call_;
    call_.origin_output = context_.originOutput.c_str();
  }
  mark(context_.instance);
}

void NativeCall::addParameters() {
  for (const CallParameter& given : context_.parameters) {
    const auto* word = std::get_if<std::string>(&given.values.front());
    numbers_.emplace_back();
    for (const ParameterValue& value : given.values)
      if (word == nullptr)
        numbers_.back().push_back(numberOf(value));
    parameters_.push_back({sizeof(lacuna_parameter), static_cast<uint32_t>(given.values.size()),
                           given.description->name.c_str(),
                           word == nullptr ? numbers_.back().data() : nullptr,
                           word == nullptr ? nullptr : word->c_str(), given.isSet ? 1U : 0U});
  }
  for (const lacuna_parameter& parameter : parameters_)
    pointers_.push_back(&parameter);
}

int NativeCall::rows(void* host, uint32_t end) {
  return static_cast<NativeCall*>(host)->rows_(end) ? 0 : 1;
}

int NativeCall::parallel(void* host, uint32_t count, int (*work)(void* data, uint32_t index), void* data) {
  const auto* self = static_cast<const NativeCall*>(host);
  std::atomic<int> result = 0;
  inParallel(count, [&](size_t i) {
    if (result == 0) {
      mark(self->context_.instance);
      if (const int own = work(data, static_cast<uint32_t>(i)); own != 0)
        result = own;
    }
  });
  return result;
}

void NativeCall::report(void* host, int severity, const char* parameter, const char* text) {
  auto* self = static_cast<NativeCall*>(host);
  const std::scoped_lock lock(self->mutex_);
  const bool isNote = severity == lacuna_note;
  auto& list = severity == lacuna_warning || isNote ? self->warnings_ : self->errors_;
  list.push_back({text == nullptr || *text == '\0'
                      ? fmt::format("{}: an error without a message", self->context_.instance)
                      : shown(self->context_, text),
                  parameter == nullptr ? "" : parameter, isNote});
}

void NativeCall::reads(void* host, const char* file) {
  auto* self = static_cast<NativeCall*>(host);
  const std::scoped_lock lock(self->mutex_);
  self->filesRead_.emplace_back(file == nullptr ? "" : file);
}

void NativeCall::finish(const std::string& code, const char* name, int result) {
  mark({});
  if (result != 0 && errors_.empty()) {
    errors_.push_back({fmt::format("{}: {}() of {} failed with {}, without a message", context_.instance,
                                   name, code, result),
                       {}});
  }
}

void NativeCall::caught(const std::string& code, const char* name) {
  mark({});
  std::string what = "something that is not a std::exception";
  try {
    throw;
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
  }
  errors_.push_back({fmt::format("{}: {}() of {} threw an exception, which no entry point may: {}",
                                 context_.instance, name, code, what),
                     {}});
}

std::string NativeCall::errorText() const {
  std::string text;
  for (const NativeReport& error : errors_)
    text += (text.empty() ? "" : "\n") + error.text;
  return text;
}

}  // namespace lacuna
