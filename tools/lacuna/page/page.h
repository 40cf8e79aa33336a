#pragma once
// Pages for browsers, in one file that loads nothing: style and script are in it, and the data that they
// show.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "graph/files/part_file.h"

namespace lacuna {

// Made by CMake of tools/lacuna/page.
struct PageKind {
  const char* head;
  const char* script;
};
extern const PageKind picturePage, reportPage, benchPage, watchPage;

// Bytes that a page's script reads back.
std::string base64(std::string_view bytes);

// A page that shows `about`, in memory.
std::string pageText(const PageKind& kind, const nlohmann::ordered_json& about);

// Appears complete or not at all.
class PageWriter {
 public:
  PageWriter(std::string file, const PageKind& kind);  // throws FileError
  void add(std::string_view html) { stream_ << html; }
  // `about`: what the script shows. The page's bytes. Throws FileError.
  uint64_t end(const nlohmann::ordered_json& about);

 private:
  std::string file_;
  const PageKind& kind_;
  PartFile part_;
  std::ofstream stream_;
};

}  // namespace lacuna
