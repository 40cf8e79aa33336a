#include "graph/module/native_planes.h"

namespace lacuna {

void NativePlanes::add(const std::string& name, const lacuna_type& type, std::span<std::byte> bytes) {
  types_.push_back(type);
  planes_.push_back({sizeof(lacuna_plane), name.c_str(), &types_.back(),
                     bytes.empty() ? nullptr : bytes.data(), bytes.size()});
  list_.push_back(&planes_.back());
}

}  // namespace lacuna
