#pragma once
// Planes as entry points of native modules see them.

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "graph/module/native_type.h"

namespace lacuna {

class NativePlanes {
 public:
  // `name` must outlive this; data NULL where `bytes` is empty.
  void add(const std::string& name, const lacuna_type& type, std::span<std::byte> bytes = {});

  const lacuna_plane* const* list() const { return list_.data(); }
  uint32_t count() const { return static_cast<uint32_t>(list_.size()); }
  const lacuna_plane& operator[](size_t i) const { return planes_[i]; }

 private:
  std::deque<lacuna_type> types_;  // deques: pointers to elements stay
  std::deque<lacuna_plane> planes_;
  std::vector<const lacuna_plane*> list_;
};

}  // namespace lacuna
