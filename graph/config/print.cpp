#include <fmt/format.h>

#include "graph/config/config.h"
#include "graph/config/text.h"

namespace lacuna {
namespace {

std::string print(const Word& word, bool mustQuote = false) {
  const bool plain = !word.text.empty() && word.text.find_first_of(": \t\r\"\\#") == std::string::npos;
  return word.quoted || mustQuote || !plain ? quote(word.text) : word.text;
}

std::string print(const ConnectorRef& ref) {
  return fmt::format("{}:{}", ref.owner.name(), ref.connector.text);
}

std::string print(const ParamLine& line) {
  std::string out = line.frame ? fmt::format("keyframe:{}:", *line.frame) : "param:";
  out += fmt::format("{}:{}", line.owner.name(), line.name.text);
  for (size_t i = 0; i < line.values.size(); ++i) {
    // A last value that reads like an interpolation is quoted, so that it stays a value.
    const std::string& text = line.values[i].text;
    const bool ambiguous = line.frame && i > 0 && i + 1 == line.values.size() &&
                           line.interpolation == Interpolation::automatic &&
                           (text == "linear" || text == "step");
    out += ":" + print(line.values[i], ambiguous);
  }
  if (line.interpolation != Interpolation::automatic)
    out += line.interpolation == Interpolation::linear ? ":linear" : ":step";
  return out + "\n";
}

}  // namespace

std::string print(const Config& config) {
  const Config defaults;
  std::string out = "lacuna:1\n";
  if (config.frames)
    out += fmt::format("frames:{}\n", *config.frames);
  if (config.framesPerSecond != defaults.framesPerSecond)
    out += fmt::format("fps:{}\n", config.framesPerSecond);
  if (config.writesLast)
    out += "write:last\n";
  if (config.warmUp)
    out += config.warmUp->frames ? fmt::format("warmup:{}\n", *config.warmUp->frames) : "warmup:all\n";
  for (const ModuleLine& line : config.modules) {
    out += "module:" + line.owner.name();
    out += line.position ? fmt::format(":{}:{}\n", (*line.position)[0], (*line.position)[1]) : "\n";
  }
  for (const ConnectLine& line : config.connections) {
    const char* keyword = line.feedback ? "feedback" : "connect";
    out += fmt::format("{}:{}:{}\n", keyword, print(line.from), print(line.to));
  }
  for (const ParamLine& line : config.params)
    out += print(line);
  for (const ParamLine& line : config.keyframes)
    out += print(line);
  return out;
}

}  // namespace lacuna
