#pragma once
// The guides that `lacuna help TOPIC` prints: Markdown files that come with the program, or chapters of them.

#include <string>
#include <vector>

namespace lacuna {

std::vector<std::string> guideTopics();

std::string guideText(const std::string& topic);  // empty if there is no such topic; throws FileError

}  // namespace lacuna
