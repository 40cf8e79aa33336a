#pragma once
// The result of a run: frames, files, seconds, and failures.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/lacuna.h"

namespace lacuna {

// "out.png written in 0.4 s" for one frame; "6 frames in 3.2 s, 1.9 a second: 12 files" for more, and a line
// of frames that were left out. "" if nothing was done.
std::string runSummary(const Graph& graph, const RunResult& end, double seconds);

// For --json: "frames" that are written, "warmUpFrames", "seconds", "files", and "leftOut", the numbers of
// frames that could not be read.
nlohmann::ordered_json runJson(const Graph& graph, const RunResult& end, const FrameSet& written,
                               double seconds);

}  // namespace lacuna
