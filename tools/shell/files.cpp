#include "tools/shell/files.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "graph/files/part_file.h"
#include "modules/codecs/codec.h"

namespace lacuna {

void checkNamedOutput(const NamedOutput& output, const std::string& file,
                      const std::vector<std::string>& inputs) {
  const std::string written = fmt::format("{} {}: ", output.option, file);
  if (io::extensionOf(file) != output.extension)
    throw FileError(
        fmt::format("{}{}; expected a name that ends in {}", written, output.what, output.extension));
  if (const auto reason = unwritable(file))
    throw FileError(fmt::format("{} {}", output.option, *reason));
  const auto id = fileIdOf(file);
  for (const std::string& input : inputs)
    if (id && fileIdOf(input) == id)
      throw FileError(
          fmt::format("{}would be written over the input {}; choose another name", written, input));
}

FileText readStandardInput() {
  std::string text(maxTextBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  if (text.size() > maxTextBytes)
    return {{}, fmt::format("it is larger than {} MiB", maxTextBytes >> 20U)};
  return {std::move(text), {}};
}

std::string readBytes(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  if (!(bytes << stream.rdbuf()))
    throw FileError(fmt::format("{}: can't be read", file));
  return std::move(bytes).str();
}

void writeTextFile(const std::string& path, const std::string& text) {
  PartFile part(path);
  errno = 0;
  std::ofstream file(part.name(), std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw FileError(
        fmt::format("{}: can't be written: {}", path, errno != 0 ? std::strerror(errno) : "writing failed"));
  }
  part.place();
}

TemporaryFolder::TemporaryFolder()
    : path_((std::filesystem::temp_directory_path() / "lacuna-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr)
    throw FileError(fmt::format("{}: can't be made: {}", path_, std::strerror(errno)));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace lacuna
