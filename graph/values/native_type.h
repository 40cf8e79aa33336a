#pragma once
// Types of values on both sides of the ABI of native modules.

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/module/abi.h"
#include "graph/values/image_type.h"

namespace lacuna {

lacuna_type toAbi(const ValueType& type);
// nullopt for an unknown number, or for what is neither an image nor an array nor planes.
std::optional<ValueType> fromAbi(const lacuna_type& type);
// The reason why fromAbi() does not take a type: "..., 1000 elements, which is neither an image nor an
// array", or "7 elements in the shape (2, 3)".
std::string describeWrong(const lacuna_type& type);

// Planes as entry points of native modules see them.
class NativePlanes {
 public:
  // `name` must outlive this; data NULL if `bytes` is empty.
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
