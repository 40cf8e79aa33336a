// DNG 1.4, chapter 7: opcodes 7 and 8 of OpcodeList2, MapTable and MapPolynomial. Files of 8 bits, compressed
// with loss, store roots of light, and say so by them.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "modules/codecs/raw_unpack/unpack.h"

namespace lacuna::raw {
namespace {

constexpr uint32_t mapTable = 7, mapPolynomial = 8, mostDegree = 8, mostEntries = 65536;

// Numbers of a list, most significant byte first; zeros behind its end.
class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}

  bool isAtEnd() const { return at_ >= bytes_.size(); }
  uint64_t whole(size_t count) {
    uint64_t number = 0;
    for (size_t i = 0; i < count; ++i, ++at_)
      number = number << 8U | (at_ < bytes_.size() ? static_cast<uint8_t>(bytes_[at_]) : 0U);
    return number;
  }
  uint32_t next() { return static_cast<uint32_t>(whole(4)); }
  double real() {
    const uint64_t bits = whole(8);
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof number);
    return std::isfinite(number) ? number : 0.0;
  }
  Reader part(size_t count) {
    const size_t first = std::min(at_, bytes_.size());
    at_ = first + std::min(count, bytes_.size() - first);
    return Reader(bytes_.substr(first, at_ - first));
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

// Planes that it doesn't know, or parts of the picture, are left out: such opcodes correct lenses.
Mapping mappingOf(uint32_t opcode, Reader from, uint32_t width, uint32_t height) {
  const uint32_t top = from.next(), left = from.next(), bottom = from.next(), right = from.next();
  Mapping mapping;
  mapping.firstPlane = from.next();
  mapping.planes = from.next();
  const bool isEvery = from.next() == 1 && from.next() == 1;
  const uint32_t count = from.next();
  if (opcode == mapPolynomial && count <= mostDegree)
    for (uint32_t i = 0; i <= count; ++i)
      mapping.coefficients.push_back(from.real());
  else if (opcode == mapTable && count <= mostEntries)
    for (uint32_t i = 0; i < count; ++i)
      mapping.table.push_back(static_cast<double>(from.whole(2)) / 65535.0);
  if (top > 0 || left > 0 || bottom < height || right < width || !isEvery)
    mapping.planes = 0;
  return mapping;
}

}  // namespace

double Mapping::operator()(double x) const {
  double result = 0.0;
  for (size_t i = coefficients.size(); i > 0; --i)
    result = result * x + coefficients[i - 1];
  if (!table.empty())
    result =
        table[static_cast<size_t>(std::min(std::lround(65535.0 * x), static_cast<long>(table.size() - 1)))];
  return std::clamp(result, 0.0, 1.0);
}

std::vector<Mapping> mappingsOf(const ExifWriter& tags, uint32_t width, uint32_t height) {
  std::vector<Mapping> mappings;
  Reader list(tags.rawBytes(opcodeList2));
  const uint32_t count = list.next();
  for (uint32_t i = 0; i < count && !list.isAtEnd(); ++i) {
    const uint32_t opcode = list.next();
    list.whole(8);  // version and flags
    const uint32_t size = list.next();
    const Mapping mapping = mappingOf(opcode, list.part(size), width, height);
    if (mapping.planes > 0 && mapping.coefficients.size() + mapping.table.size() > 0)
      mappings.push_back(mapping);
  }
  return mappings;
}

}  // namespace lacuna::raw
