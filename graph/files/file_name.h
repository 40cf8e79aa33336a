#pragma once
// Names of the files of frames.

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "graph/files/frame_set.h"

namespace lacuna {

// A file's mistake: its name, what was found and what was expected.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr int largestFrameNumber = 999'999'999;

// A file name of a frame: %d and %04d (any width up to %09d) take its number, so do two to nine #, #### being
// %04d; %% is a percent sign, %# a #. Anything else after a percent sign, and more #, throw FileError. As C's
// printf has it, %04d counts a minus sign as a digit, %.4d doesn't: -002 and -0002.
std::string framePath(const std::string& pattern, int64_t frame);
bool namesFrames(const std::string& pattern);    // if false, every frame has the same name
bool isPattern(const std::string& text);         // framePath() takes it
std::string patternOf(const std::string& name);  // the name of this file alone, whatever characters it has
// Whether a minus sign behind it belongs to the number: not behind a letter or digit, as in shot-0001.
bool mayPrecedeSign(std::string_view before);
// A text that may come from inside a file, such as a layer's name, as a part of a file's name that stays in
// its folder: / and \, control characters, names of dots alone and reserved ones become _ or begin with it.
std::string namePartOf(const std::string& text);
// A file by its name in a folder; "": the current one.
std::string fileBelow(const std::string& folder, const std::string& path);
struct NumberedFiles {
  FrameSet numbers;      // of existing files, and of links that lead to nothing
  FrameSet broken;       // of these links
  std::string tooLarge;  // a name with a number beyond largestFrameNumber; "" if there is none
  std::string pattern;   // the one asked for; with %.4d for %04d and #### if negative numbers are written so
};
// The numbered files of a pattern, whose name or folder has the number, below `folder` ("" is the current
// one). There are none if `unlisted` gives a reason. Behind a letter or digit a minus sign is one only if
// frame 0 exists or no others do: else shot-0001 is frame 1 of shot-%04d.
NumberedFiles numberedFiles(const std::string& folder, const std::string& pattern);
std::string tooLargeMistake(const std::string& name);  // the message for NumberedFiles::tooLarge
// Why the folder of the numbers can't be read, for example because it can be entered but not listed; a
// missing folder is empty.
std::optional<std::string> unlisted(const std::string& folder, const std::string& pattern);
// Files of frames in a few words: "in/0003.png, in/0005.png to in/0009.png and 12 more".
std::string listFrames(const FrameSet& frames, const std::function<std::string(int frame)>& nameOf);

// "; there is s/f_%04d.exr", if the name has a frame's number as other programs write it ($F4, @@@@, <f>,
// [0001-0004], 0001-0004, a single #, {frame}), or in another width, and numbered files are there; else "".
std::string numberedLike(const std::string& folder, const std::string& name);

// "i-png:01 has no files for 2 of 5 frames: a_3.png, a_4.png".
std::string lacksFiles(const std::string& who, const FrameSet& lacking, size_t frames,
                       const std::function<std::string(int)>& nameOf);
constexpr const char* helpsMissing =
    "--missing skip leaves such frames out, --missing hold shows the last one again";

}  // namespace lacuna
