#pragma once
// The real program, run as a shell would, and files for it to read.

#include <csignal>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "graph/config/json_text.h"
#include "tests/io/support.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {

inline const std::string photoGraph = LACUNA_TEST_FOLDER "/../pipelines/photo.cfg";

struct Outcome {
  int code = -1;  // exit code; 1000 + signal where one killed it
  std::string out{}, err{};
  long peakKilobytes = 0;  // limit of memory; not below what this process already uses
};

struct Surroundings {
  std::string folder{};       // to run in; "": this process's
  std::string interruptAt{};  // `signal` as soon as this file exists; "": none
  int signal = SIGINT;
  int microseconds = 0;         // to wait until then
  bool ignoresSignals = false;  // SIGHUP, SIGINT and SIGTERM, as below nohup
};

// Compiled shaders and per-user modules are in a folder of this process.
Outcome runProgram(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});

// A line of a shell that knows the command `lacuna`, and `as-user COMMAND`, to which permissions apply even
// if root runs it.
Outcome runShell(const std::string& script, const std::string& folder);

// For a run that must exit with 0 and print JSON; throws if it prints none.
nlohmann::json jsonOf(const std::vector<std::string>& arguments);

// A PNG file of pixels that its name decides, opaque, 8 bit.
void writeRandomPng(const std::string& path, Extent extent);

// Names of everything in a folder and below, with sizes and times of change: equal if nothing was touched.
std::string listing(const std::string& folder);

// Names of files in a folder, without the records of outputs.
std::vector<std::string> namesIn(const std::string& folder);

}  // namespace lacuna::test
