#pragma once
// Names of the files of frames, and whether they can be written.

#include <optional>
#include <stdexcept>
#include <string>

namespace lacuna {

// What is wrong with a file: its name, what was found and what was expected.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Why the file can't be written (folder missing, no permission, is a folder); nothing is touched.
std::optional<std::string> unwritable(const std::string& path);

// A file name of a frame: %d and %04d (any width up to %09d) take its number, %% is a percent sign. Anything
// else after a percent sign throws FileError.
std::string framePath(const std::string& pattern, int frame);
bool namesFrames(const std::string& pattern);  // false: every frame has the same name

}  // namespace lacuna
