#pragma once
// Pictures that are alike, through one graph: each is a frame, so several are in flight.

#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/shell/progress.h"

namespace lacuna {

struct PictureRun {
  RunArguments run;                                    // with the graph
  std::string source, sink;                            // "i-file:in", "o-file:out"
  std::vector<std::string> inputs = {}, outputs = {};  // a file of each picture
  std::vector<nlohmann::ordered_json*> reports = {};   // for --json, of each picture

  void add(const std::string& input, const std::string& output, nlohmann::ordered_json& report);
};

// Reports the number of finished pictures, on the terminal and at the end. Any thread.
class PictureCount {
 public:
  PictureCount(const RunArguments& run, size_t total);

  void show(const std::string& name);  // of one that is running, or has ended
  void end(bool isFailed);
  size_t ended() const;
  // The exit code after a signal, which is reported; 0 if there was none.
  int interrupted() const;
  void report() const;

 private:
  const RunArguments& run_;
  const size_t total_;
  Progress progress_;
  const double start_ = commandSeconds();
  mutable std::mutex mutex_;  // over both below
  size_t ended_ = 0, failed_ = 0;
};

// The exit code: exitUsage if nothing has run. Nothing begins after a signal.
int runPictures(const PictureRun& pictures, std::vector<Device>& devices, PictureCount& count);

// `lacuna run` of a folder, or of a pattern such as 'in/*.jpg', in a graph of one source and one sink.
bool namesPictures(const RunArguments& arguments);
int runFolder(const RunArguments& arguments, nlohmann::ordered_json& out);

}  // namespace lacuna
