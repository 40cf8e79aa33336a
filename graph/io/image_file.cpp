#include "graph/io/image_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "graph/io/codec.h"

namespace lacuna {
namespace {

using io::Codec;

constexpr std::array<const Codec*, 4> codecs = {&io::pngCodec, &io::jpegCodec, &io::pfmCodec, &io::exrCodec};

const Codec& findCodec(std::string_view name) {
  for (const Codec* codec : codecs)
    if (name == codec->name)
      return *codec;
  throw FileError(fmt::format("there is no codec '{}'; there are png, jpeg, pfm and exr", name));
}

struct Signature {
  std::string_view bytes;
  const char* label;
  const char* codec;  // empty: recognised for the message alone
};

using namespace std::string_view_literals;
constexpr Signature signatures[] = {
    {"\x89PNG\r\n\x1a\n"sv, "PNG", "png"},
    {"\xff\xd8\xff"sv, "JPEG", "jpeg"},
    {"\x76\x2f\x31\x01"sv, "OpenEXR", "exr"},
    {"PF"sv, "PFM", "pfm"},
    {"Pf"sv, "PFM", "pfm"},
    {"GIF8"sv, "GIF", ""},
    {"BM"sv, "BMP", ""},
    {"RIFF"sv, "RIFF (WebP?)", ""},
    {"II*\0"sv, "TIFF or raw photograph", ""},
    {"MM\0*"sv, "TIFF or raw photograph", ""},
    {"#?"sv, "Radiance HDR", ""},
    {"P5"sv, "PGM", ""},
    {"P6"sv, "PPM", ""},
};

const char* labelOf(std::string_view codec) {
  for (const Signature& signature : signatures)
    if (codec == signature.codec)
      return signature.label;
  return "";
}

const Signature* signatureOf(const std::string& path) {
  const io::File file = io::openToRead(path);
  std::array<char, 8> head{};
  const size_t count = std::fread(head.data(), 1, head.size(), file.get());
  const std::string_view start(head.data(), count);
  for (const Signature& signature : signatures)
    if (start.substr(0, signature.bytes.size()) == signature.bytes)
      return &signature;
  return nullptr;
}

void checkSignature(const Codec& codec, const std::string& path) {
  const Signature* found = signatureOf(path);
  if (found && std::string_view(found->codec) == codec.name)
    return;
  throw FileError(fmt::format("{}: expected {}, but {}", path, labelOf(codec.name),
                              found ? fmt::format("this is a {} file", found->label)
                                    : "its first bytes are those of no known image file"));
}

// The file being written: gone unless it was put in its place.
class PartFile {
 public:
  explicit PartFile(const std::string& path)
      : path_(path), part_(fmt::format("{}.part-{}", path, getpid())) {}
  ~PartFile() {
    if (!placed_)
      unlink(part_.c_str());
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return part_; }
  void place() {
    if (std::rename(part_.c_str(), path_.c_str()) != 0)
      throw FileError(fmt::format("{}: can't be written: {}", path_, std::strerror(errno)));
    placed_ = true;
  }

 private:
  std::string path_, part_;
  bool placed_ = false;
};

}  // namespace

std::string codecOfFile(const std::string& path) {
  const Signature* found = signatureOf(path);
  if (!found)
    throw FileError(fmt::format("{}: its first bytes are those of no known image file", path));
  if (*found->codec == '\0')
    throw FileError(
        fmt::format("{}: this is a {} file; expected PNG, JPEG, PFM or OpenEXR", path, found->label));
  return found->codec;
}

std::map<std::string, ValueType> probeImage(const std::string& codec, const std::string& path,
                                            const std::vector<std::string>& wanted) {
  const Codec& reader = findCodec(codec);
  checkSignature(reader, path);
  return reader.probe(path, wanted);
}

void readImage(const std::string& codec, const std::string& path, std::span<const PlaneTarget> targets) {
  const Codec& reader = findCodec(codec);
  checkSignature(reader, path);
  reader.read(path, targets);
}

void readImage(const std::string& codec, const std::string& path, const std::string& plane,
               const ValueType& expected, std::span<std::byte> destination) {
  const PlaneTarget target{plane, expected, destination};
  readImage(codec, path, std::span(&target, 1));
}

void writeImage(const std::string& codec, const std::string& path, const std::vector<NamedImage>& planes,
                const WriteOptions& options) {
  const Codec& writer = findCodec(codec);
  if (const std::optional<std::string> reason = unwritable(path))
    throw FileError(*reason);
  PartFile part(path);
  writer.write(path, part.name(), planes, options);
  part.place();
}

}  // namespace lacuna
