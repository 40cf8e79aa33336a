#pragma once
// Indices with types of their own: a node's index can't be used as a value's, or as a number. Each table only
// takes its own kind, so mistakes don't compile.

#include <cassert>
#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

namespace lacuna {

// The place of an `Of` in its table. A default-constructed id means 'none': it is false and sorts first.
template <class Of>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(size_t index) : index_(static_cast<int>(index)) {}

  constexpr explicit operator bool() const { return index_ >= 0; }
  constexpr size_t index() const { return static_cast<size_t>(index_); }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr std::strong_ordering operator<=>(Id a, Id b) { return a.index_ <=> b.index_; }

 private:
  int index_ = -1;
};

// All ids of a table, for loops.
template <class Key>
struct IdRange {
  struct Iterator {
    size_t at;
    Key operator*() const { return Key(at); }
    void operator++() { ++at; }
    bool operator==(const Iterator&) const = default;
  };

  size_t count;
  Iterator begin() const { return {0}; }
  Iterator end() const { return {count}; }
};

// A vector that ids alone index: Table<NodeId, Node>; a Table<NodeId, bool> has a bool for each node.
template <class Key, class T>
class Table : private std::vector<T> {
  using List = std::vector<T>;

 public:
  using typename List::const_iterator;
  using typename List::iterator;
  using typename List::value_type;

  using List::back;
  using List::begin;
  using List::emplace_back;
  using List::empty;
  using List::end;
  using List::erase;
  using List::front;
  using List::insert;
  using List::List;
  using List::push_back;
  using List::rbegin;
  using List::rend;
  using List::resize;
  using List::size;

  decltype(auto) operator[](Key id) {
    assert(id.index() < size());
    return List::operator[](id.index());
  }
  decltype(auto) operator[](Key id) const {
    assert(id.index() < size());
    return List::operator[](id.index());
  }

  bool operator==(const Table&) const = default;

  IdRange<Key> ids() const { return {size()}; }
  Key next() const { return Key(size()); }  // of the element that is added next
  Key add(T element) {
    push_back(std::move(element));
    return Key(size() - 1);
  }
};

}  // namespace lacuna
