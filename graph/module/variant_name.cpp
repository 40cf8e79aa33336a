#include "graph/module/variant_name.h"

namespace lacuna {

std::string variantConstantIn(std::string_view word) {
  const size_t digits = word.find_first_of("0123456789");
  const bool valid = digits != std::string_view::npos && digits > 0 &&
                     word.find_first_not_of("0123456789", digits) == std::string_view::npos &&
                     word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == digits;
  return valid ? std::string(word.substr(0, digits)) : std::string();
}

}  // namespace lacuna
