#pragma once
// Turns the words behind `lacuna denoise` into stills and sequences.

#include <map>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "graph/files/file_name.h"
#include "modules/codecs/image_file.h"
#include "modules/codecs/image_info.h"

namespace lacuna {

// A plane of a picture in a file of its own.
struct GuideFile {
  std::string file;           // as DenoiseInput::pattern()
  std::string layer;          // that holds it; "": as its channels are named
  ImageInfo::Plane plane;     // of that file
  std::string codec = "exr";  // or pfm, npy: a file of nothing else

  // The output of the module that reads it, and how that reads.
  std::string output() const { return codec == "exr" ? plane.name : "output"; }
  ReadOptions options() const;
};

struct DenoiseInput {
  std::string file;               // of a still; else with %04d for the frame
  std::vector<int> numbers = {};  // of the files, ascending; empty for a still
  ImageInfo info = {};            // of the first file
  bool isSummed = false;          // frames of one sample a pixel, which become one picture
  std::string layer = {};         // of several view layers, or of those of --layers, the one to denoise
  std::vector<DenoiseInput> others = {};         // layers of the same files that are denoised after it
  std::map<std::string, GuideFile> guides = {};  // by plane
  std::string below = {};                        // folders that are kept below an output folder: "2026/may"

  bool isSequence() const { return !numbers.empty(); }
  std::string fileOf(int number) const;
  std::string pattern() const;  // for a graph: of a still without a number
  // From the first to the last number, without those of `files` that were not named. A frame without a file
  // in this list is missing.
  FrameSet frames(const NumberedFiles& files) const;
};

struct InputMessages {
  Diagnostics problems;  // mistakes in the words, and warnings of files of folders that were skipped
  Diagnostics damaged;   // files that can't be read; a sequence only if none of its files can
};

// A word is - for standard input, a file, a name with %04d or ####, a folder (its images), or a glob pattern
// that the shell left alone: their files, in the order of the words, each file once. Nothing is read.
std::vector<DenoiseInput> namedInputs(const std::vector<std::string>& words, InputMessages& messages);

// The same, and what the files hold. OpenEXR files with motion whose names differ in their last number alone
// become a sequence; all others are stills. `names`: layers of colour, or "all" for those of view layers;
// with `eachLayer` each is an input, else they are `others` of the first one. With `sums` files without ray
// histograms become one, too, which is summed. `read`: `layers` and `page`.
// `guides`: files of the one input's planes, by plane; other files with a plane's name belong to the picture
// that has the rest of the name. If null, each file is a picture.
std::vector<DenoiseInput> findInputs(const std::vector<std::string>& words, bool sums,
                                     const std::vector<std::string>& names, bool eachLayer,
                                     const ReadOptions& read,
                                     const std::map<std::string, std::string>* guides,
                                     InputMessages& messages);

// A step of findInputs(): files whose names differ in a number become a sequence. Numbers of a sequence have
// all the same padding: shot_8 to shot_11, or shot_0008 to shot_10000. A sequence takes the place of its
// first file. Adds what is wrong to `messages`.
std::vector<DenoiseInput> joinSequences(std::vector<DenoiseInput> inputs, bool sums, InputMessages& messages);

struct FoundFile {
  std::string file;
  std::string below = {};  // "a/b": the folders in which ** found it, below those that were named
};

struct FoundFiles {
  std::vector<FoundFile> files;      // whose names end as those of images do
  std::vector<std::string> others;   // files whose names don't
  std::vector<std::string> folders;  // that were not searched
  std::vector<std::string> links;    // to folders, which ** doesn't follow
  std::vector<std::string> unread;   // folders that can't be listed, and why: a line each
};

inline bool isGlob(const std::string& word) {
  return word.find_first_of("*?[") != std::string::npos;
}

// In the order of their names. Hidden ones are left out.
FoundFiles imagesIn(const std::string& folder);
// The names alone: of files, then of folders, which end in a slash.
std::vector<std::string> filesAndFolders(const std::string& folder);
bool hasImageExtension(const std::string& file);

// A pattern that the shell left alone: *, ? and [...] within a name, ** for any number of folders, but not
// behind links; ~/ for the user's folder. If no file has an image's extension, all are `files`.
FoundFiles imagesMatching(const std::string& pattern);

// The planes that may have files of their own.
const std::vector<std::string>& guidePlanes();
// Of a PFM or NumPy file that is this plane.
Channels guideChannels(const std::string& plane);

// Takes the files out of `inputs` that are a picture's plane, by their names, and adds them to that picture:
// albedo.0001.exr belongs to beauty.0001.exr. They are as large and lie in the same folder.
void takeGuideFiles(std::vector<DenoiseInput>& inputs, InputMessages& messages);

// Adds the files that options name, such as --albedo, to the one input. `files`: by plane.
void addGuideFiles(std::vector<DenoiseInput>& inputs, const std::map<std::string, std::string>& files,
                   Diagnostics& problems);

// "guided by albedo.%04d.exr and normal.%04d.exr".
std::string guidesText(const DenoiseInput& input);

}  // namespace lacuna
