#include "graph/config/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna {
namespace {

constexpr size_t maxShownBytes = 200;  // of a source line
constexpr size_t mostFound = 1000;     // number of kept errors and warnings
constexpr size_t longestLine = 4096;   // length of a message, in bytes
constexpr size_t longestText = size_t{1} << 16;

auto sortKey(const Diagnostic& d) {
  return std::tie(d.where.file, d.where.line, d.where.column, d.message, d.hint, d.where.length, d.isWarning);
}

// The part of `line` around the error, and a caret line below it. Carets stand under characters, not bytes.
std::string sourceExcerpt(std::string_view line, const Location& where) {
  const std::string shown = printable(line);
  size_t column = std::min(static_cast<size_t>(where.column - 1), shown.size());
  size_t first = column > maxShownBytes / 2 && shown.size() > maxShownBytes ? column - maxShownBytes / 2 : 0;
  while (first > 0 && isContinuationByte(shown[first]))
    --first;
  size_t last = std::min(shown.size(), first + maxShownBytes);
  while (last < shown.size() && isContinuationByte(shown[last]))
    ++last;
  std::string padding;
  for (size_t i = first; i < column; ++i)
    if (!isContinuationByte(shown[i]))
      padding += shown[i] == '\t' ? '\t' : ' ';
  size_t underlined = 0;
  const size_t end = std::min(last, column + static_cast<size_t>(std::max(where.length, 1)));
  for (size_t i = column; i < end; ++i)
    underlined += isContinuationByte(shown[i]) ? 0 : 1;
  const std::string marks(std::max<size_t>(underlined, 1) - 1, '~');
  return fmt::format("  {}\n  {}^{}\n", shown.substr(first, last - first), padding, marks);
}

// A file may hold a word of any length.
std::string shortened(std::string text) {
  if (text.size() <= longestLine)
    return text;
  std::string lines;
  for (const std::string_view line : splitLines(text)) {
    size_t end = std::min(line.size(), longestLine);
    while (end > 0 && end < line.size() && isContinuationByte(line[end]))
      --end;
    lines += std::string(lines.empty() ? "" : "\n") + std::string(line.substr(0, end)) +
             (end < line.size() ? "..." : "");
    if (lines.size() > longestText)
      return lines + "\n...";
  }
  return lines;
}

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> beforeLast(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

int Diagnostics::addFile(std::string name, std::string text) {
  files_.push_back({std::move(name), std::move(text)});
  return static_cast<int>(files_.size()) - 1;
}

int Diagnostics::addOption(std::string option) {
  files_.push_back({std::move(option), {}, true});
  return static_cast<int>(files_.size()) - 1;
}

std::vector<std::string> Diagnostics::fileNames() const {
  return namesIn(files_, [](const File& file) { return !file.isOption; });
}

std::string Diagnostics::place(const Location& where) const {
  if (where.file < 0 || static_cast<size_t>(where.file) >= files_.size())
    return {};
  const File& file = files_[static_cast<size_t>(where.file)];
  return file.isOption || where.line <= 0 ? file.name : fmt::format("{}:{}", file.name, where.line);
}

const std::string& Diagnostics::fileName(int file) const {
  return files_.at(static_cast<size_t>(file)).name;
}

const std::string& Diagnostics::fileText(int file) const {
  return files_.at(static_cast<size_t>(file)).text;
}

Location Diagnostics::adopt(const Diagnostics& other, Location where) {
  if (where.file >= 0) {
    const File& file = other.files_.at(static_cast<size_t>(where.file));
    const auto known = std::ranges::find_if(
        files_, [&](const File& own) { return own.name == file.name && own.text == file.text; });
    where.file =
        known == files_.end() ? addFile(file.name, file.text) : static_cast<int>(known - files_.begin());
  }
  return where;
}

void Diagnostics::error(Location where, std::string message, std::string hint) {
  hasErrors_ = true;
  add({where, std::move(message), std::move(hint)});
}

void Diagnostics::warn(Location where, std::string message, std::string hint) {
  add({where, std::move(message), std::move(hint), true});
}

void Diagnostics::add(Diagnostic found) {
  if (found_.size() == mostFound) {
    isFull_ = true;
    return;
  }
  found.message = shortened(std::move(found.message));
  found.hint = shortened(std::move(found.hint));
  found_.push_back(std::move(found));
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = found_;
  std::ranges::stable_sort(result,
                           [](const Diagnostic& a, const Diagnostic& b) { return sortKey(a) < sortKey(b); });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) { return sortKey(a) == sortKey(b); };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  if (isFull_)
    result.push_back({{}, fmt::format("only the first {} errors are shown", mostFound), {}, !hasErrors_});
  return result;
}

std::string Diagnostics::render() const {
  std::string out;
  for (const Message& message : messages())
    out += message.printed;
  return out;
}

std::vector<Message> Diagnostics::messages() const {
  std::vector<Message> all;
  Lines lines(files_.size());
  for (const Diagnostic& each : sorted()) {
    all.push_back({each.isWarning ? Severity::warning : Severity::error, place({each.where.file}),
                   each.where.line, each.where.line > 0 ? each.where.column : 0, each.message, each.hint,
                   render(each, lines)});
  }
  return all;
}

std::string Diagnostics::render(const Diagnostic& d, Lines& lines) const {
  const bool registered = d.where.file >= 0 && static_cast<size_t>(d.where.file) < files_.size();
  const bool isOption = registered && files_[static_cast<size_t>(d.where.file)].isOption;
  const bool known = registered && !isOption;
  std::string out;
  if (!known) {
    out += "lacuna: ";
  } else {
    out += printable(files_[static_cast<size_t>(d.where.file)].name) + ":";
    out += d.where.line > 0 ? fmt::format("{}:", d.where.line) : "";
    out += d.where.line > 0 && d.where.column > 0 ? fmt::format("{}:", d.where.column) : "";
    out += " ";
  }
  const size_t headEnd = std::min(d.message.find('\n'), d.message.size());
  out += fmt::format("{}: {}{}\n", d.isWarning ? "warning" : "error",
                     printable(std::string_view(d.message).substr(0, headEnd)),
                     isOption ? printable(fmt::format(" (from {})", place(d.where))) : "");
  if (known && d.where.line > 0 && d.where.column > 0) {
    auto& split = lines[static_cast<size_t>(d.where.file)];
    if (split.empty())
      split = splitLines(files_[static_cast<size_t>(d.where.file)].text);
    if (static_cast<size_t>(d.where.line) <= split.size())
      out += sourceExcerpt(split[static_cast<size_t>(d.where.line) - 1], d.where);
  }
  for (const std::string_view line : splitLines(std::string_view(d.message).substr(headEnd)))
    out += line.empty() ? std::string{} : printable(line) + "\n";
  if (!d.hint.empty())
    out += fmt::format("  hint: {}\n", printable(d.hint));
  return out;
}

std::string didYouMean(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t longestWord = 128;  // names are short; a line of garbage is not worth comparing
  constexpr size_t shortestStart = 3;
  if (word.size() > longestWord)
    return {};
  const std::string lowered = lowerCase(word);
  const std::string* nearest = nullptr;
  std::vector<const std::string*> longer;  // which begin with the word
  size_t least = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longestWord || candidate.empty())
      continue;
    const size_t distance = editDistance(lowered, lowerCase(candidate));
    const size_t allowed = std::max(word.size(), candidate.size()) / 3;
    if (candidate != word && distance <= allowed && (nearest == nullptr || distance < least)) {
      nearest = &candidate;
      least = distance;
    }
    if (candidate.size() > word.size() && word.size() >= shortestStart &&
        lowerCase(candidate).starts_with(lowered))
      longer.push_back(&candidate);
  }
  if (nearest == nullptr && longer.size() == 1)
    nearest = longer.front();
  return nearest == nullptr ? std::string{} : fmt::format("did you mean '{}'?", *nearest);
}

std::string suggest(std::string_view word, const std::vector<std::string>& names, std::string_view listed) {
  std::string near = didYouMean(word, names);
  return !near.empty() || names.empty() ? near : fmt::format("{} {}", listed, joinNames(names));
}

std::string suggestInstance(std::string_view word, const std::vector<std::string>& names) {
  const auto isPart = [&](const std::string& name) {
    const size_t colon = name.find(':');
    return word == name.substr(0, colon) || word == name.substr(colon + 1);
  };
  if (std::ranges::count_if(names, isPart) == 1)
    return fmt::format("did you mean '{}'?", *std::ranges::find_if(names, isPart));
  return suggest(word, names, "it has");
}

}  // namespace lacuna
