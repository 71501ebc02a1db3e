#include "opkit/core/replay/cube_calls.h"

#include <cstring>

namespace opkit::core {
namespace {

template <typename T>
uint64_t room(const std::vector<T>& all) {
  return all.capacity() * sizeof(T);
}

template <typename T>
bool same_bytes(const std::vector<T>& x, const std::vector<T>& y) {
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}

}  // namespace

uint64_t CubeCalls::bytes() const {
  return room(copies) + room(loads) + room(products) + room(stores) + room(blocks);
}

void CubeCalls::shrink_to_fit() {
  copies.shrink_to_fit();
  loads.shrink_to_fit();
  products.shrink_to_fit();
  stores.shrink_to_fit();
  blocks.shrink_to_fit();
}

bool CubeCalls::operator==(const CubeCalls& o) const {
  return same_bytes(copies, o.copies) && same_bytes(loads, o.loads) &&
         same_bytes(products, o.products) && same_bytes(stores, o.stores) &&
         same_bytes(blocks, o.blocks);
}

}  // namespace opkit::core
