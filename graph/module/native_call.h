#pragma once
// One call into a module's native code: its arguments, and its reports.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/lists.h"
#include "graph/module/abi.h"
#include "graph/module/description.h"

namespace lacuna {

struct NativeReport {
  std::string text;
  std::string parameter;  // the wrong one, or empty
  bool isNote = false;    // among warnings
};

struct CallParameter {
  const ParameterDescription* description = nullptr;
  ParameterValues values;
  bool isSet = false;  // not a default
};

struct CallContext {
  std::string instance;      // "i-png:01", or a module's name
  std::string moduleFolder;  // where module.toml lies
  std::string graphFolder;
  std::string path;       // the file of the frame, or empty
  std::string shownPath;  // its name in messages; if empty, `path`
  std::string opened;     // lacuna_call's; empty: not open
  int64_t frame = 0;
  std::vector<CallParameter> parameters;
  std::shared_ptr<const CallContext> origin;  // the source of the main input, or null
  std::string originOutput;
  Extent whole = {};      // the picture's, if build() or compute() is called for a tile
  std::string node = {};  // of compute()
  PixelPlace first = {};  // of compute(): in the picture
};

// lacuna_call's rows(); if it returns false, the call must fail. Empty if the picture is whole.
using PassRows = std::function<bool(uint32_t end)>;

class NativeCall : NoCopy {
 public:
  explicit NativeCall(CallContext context, PassRows rows = {});

  // `function(call, arguments...)`, an entry point called `name` of the file `code`. False if it failed;
  // there is then at least one error, even if it threw or gave no message.
  template <typename Function, typename... Arguments>
  bool run(const std::string& code, const char* name, Function function, Arguments... arguments) {
    try {
      finish(code, name, function(&call_, arguments...));
    } catch (...) {
      caught(code, name);
    }
    return errors_.empty();
  }

  const std::vector<NativeReport>& errors() const { return errors_; }
  const std::vector<NativeReport>& warnings() const { return warnings_; }
  const std::vector<std::string>& filesRead() const { return filesRead_; }  // beside CallContext::path
  std::string errorText() const;                                            // all of them, a line each

 private:
  static void report(void* host, int severity, const char* parameter, const char* text);
  static void reads(void* host, const char* file);
  static int rows(void* host, uint32_t end);
  static int parallel(void* host, uint32_t count, int (*work)(void* data, uint32_t index), void* data);
  void finish(const std::string& code, const char* name, int result);
  void caught(const std::string& code, const char* name);  // within a catch block
  void addParameters();

  CallContext context_;
  PassRows rows_;
  std::vector<std::vector<double>> numbers_;  // a parameter each, as the next one
  std::vector<lacuna_parameter> parameters_;
  std::vector<const lacuna_parameter*> pointers_;
  lacuna_call call_{};
  std::unique_ptr<NativeCall> origin_;
  std::mutex mutex_;  // report() may come from any thread
  std::vector<NativeReport> errors_, warnings_;
  std::vector<std::string> filesRead_;
};

// The native code that runs on this thread, for a message if it crashes: "i-png:01", or "" if none runs. For
// signal handlers, too.
const char* runningNative();

}  // namespace lacuna
