#pragma once
// Parsers and readers, each as a function that takes a file of any bytes: it ends in a message or in a result
// that is sound. `tools/fuzz` looks for inputs where it doesn't, test_fuzz repeats those it found.

#include <span>
#include <string>
#include <string_view>

#include "graph/config/diagnostics.h"

namespace lacuna::fuzz {

struct Target {
  const char* name;
  void (*run)(std::string_view input);
};

extern const std::span<const Target> textTargets, imageTargets, shaderTargets, dataTargets;

// Null if there is no such target.
const Target* targetNamed(std::string_view name);
// What there is.
std::string targetNames();

// Thrown if an input breaks a promise of the code under test.
struct Broken {
  std::string promise;
};

inline void expect(bool holds, const std::string& promise) {
  if (!holds)
    throw Broken{promise};
}

// Messages that a terminal can show, at places that exist. `text`: of the first file.
void expectSound(const Diagnostics& diagnostics, const std::string& text);

// Files for readers that take a name are in memory, since each input is one: a folder of this process, which
// is removed at its end.
const std::string& scratchFolder();

// Writes a file in it, and returns its path. `name` may lie in folders, which are made.
std::string scratchFile(const std::string& name, std::string_view content);

}  // namespace lacuna::fuzz
