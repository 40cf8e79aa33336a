#pragma once
// Transcripts: files of commands and what they print, whose form README.md states. Each case is a test.
// LACUNA_UPDATE_EXPECTED=1 writes codes and output again: read the difference before keeping it.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lacuna::test {

using Lines = std::vector<std::string>;

Lines linesOf(const std::string& text);
void replaceAll(std::string& text, const std::string& from, const std::string& to);

struct Transcript;

class TranscriptTest : public testing::Test {
 public:
  // What comes before the first case, then the case.
  void TestBody() override;

 protected:
  struct Answer {
    int code = 0;
    Lines output{};
  };
  virtual Answer run(const std::string& command) = 0;
  // `head`: of a line `+ HEAD`; `lines`: the indented ones below it.
  virtual void writeFile(const std::string& head, const std::string& lines) = 0;
  // What a line `needs PROGRAM` asks for: otherwise the case is skipped.
  virtual bool has(const std::string& program) const { return program.empty(); }
  // A line of output that is new, as it is written.
  virtual std::string patternOf(const std::string& line) const { return line; }

 private:
  friend bool registerTranscripts(const std::string&, const std::function<TranscriptTest*()>&);
  Lines updated(Lines expected, const Lines& output) const;

  std::shared_ptr<Transcript> transcript_;
  std::string name_;
};

// The transcripts of a folder, *.txt: wrong-files.txt holds the tests WrongFiles.*.
bool registerTranscripts(const std::string& folder, const std::function<TranscriptTest*()>& make);

}  // namespace lacuna::test
