#include "graph/files/part_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "graph/files/file_name.h"

namespace lacuna {

PartFile::PartFile(const std::string& path) : path_(path), part_(fmt::format("{}.part-{}", path, getpid())) {}

PartFile::~PartFile() {
  if (!placed_)
    unlink(part_.c_str());
}

void PartFile::place() {
  if (std::rename(part_.c_str(), path_.c_str()) != 0)
    throw FileError(fmt::format("{}: can't be written: {}", path_, std::strerror(errno)));
  placed_ = true;
}

}  // namespace lacuna
