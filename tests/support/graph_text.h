#pragma once

#include <string>

namespace lacuna::test {

// The text of a graph file, from the same text with chains in place of lines `module:` and `connect:`:
//
//   in.png eaw colour:02 out.png
//   i-memory:normal normal=eaw:01:noise array=o-npy:bins
//   accum back~accum
//   param:eaw:01:levels:2
//
// A word is a module, its instance (01 if none is given) and the output that goes to the next word's module
// (`output`); before `=` stands the input that it goes to (`input`), before `~` that of a feedback. A word
// with a dot is a file that the first word of a chain reads, or another one writes. `lacuna:1` may be left
// out.
std::string graphText(const std::string& text);

}  // namespace lacuna::test
