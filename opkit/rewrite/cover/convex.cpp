#include "opkit/rewrite/cover/convex.h"

#include <algorithm>

namespace opkit::cover {

Convexity::Convexity(size_t nodes, const std::vector<std::pair<size_t, size_t>>& edges)
    : readers_(nodes) {
  for (const auto& [from, to] : edges) readers_[from].push_back(to);
}

size_t Convexity::between(const std::vector<size_t>& set) const {
  const size_t first = set.front(), last = set.back();
  const auto inside = [&](size_t node) { return std::binary_search(set.begin(), set.end(), node); };
  // Tells which node outside was entered from the set, directly or by way of others.
  std::vector<size_t> entered(last - first + 1, readers_.size());
  for (size_t node = first; node <= last; ++node) {
    const bool own = inside(node);
    const size_t by = entered[node - first];
    if (own && by != readers_.size()) return by;
    if (!own && by == readers_.size()) continue;
    for (const size_t reader : readers_[node]) {
      if (reader > last || (own && inside(reader))) continue;
      if (own && !inside(reader)) entered[reader - first] = reader;
      if (!own) entered[reader - first] = by;
    }
  }
  return readers_.size();
}

}  // namespace opkit::cover
