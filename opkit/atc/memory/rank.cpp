#include "opkit/atc/memory/rank.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace opkit::memory_plan {
namespace {

using Key = std::array<uint64_t, 3>;

// What orders are made of. An area that is too large for its type wraps: any order is correct.
struct Traits {
  uint64_t fullest, life, area, meets, end;
};

Traits traits_of(const Buffers& buffers, const Sections& sections, size_t b) {
  const Buffer& buffer = buffers[b];
  Traits traits{};
  traits.fullest = sections.fullest(b);
  traits.life = static_cast<uint64_t>(buffer.upper) - static_cast<uint64_t>(buffer.lower);
  traits.area = traits.life * buffer.size;
  traits.meets = static_cast<uint64_t>(std::count_if(
      buffers.begin(), buffers.end(), [&](const Buffer& other) { return buffer.meets(other); }));
  traits.end = static_cast<uint64_t>(buffer.upper);
  return traits;
}

Key key_of(const Traits& of, size_t order) {
  switch (order) {
    case 0: return {of.fullest, of.life, of.area};
    case 1: return {of.life, of.area, of.fullest};
    case 2: return {of.area, of.fullest, of.life};
    case 3: return {of.fullest, of.meets, of.area};
    case 4: return {of.end, of.fullest, of.area};
    default: return {of.fullest, of.area, of.life};
  }
}

}  // namespace

std::vector<size_t> ranks_of(const Buffers& buffers, const Sections& sections, size_t order) {
  std::vector<Key> keys;
  for (size_t b = 0; b < buffers.size(); ++b)
    keys.push_back(key_of(traits_of(buffers, sections, b), order));
  std::vector<size_t> sorted(buffers.size());
  std::iota(sorted.begin(), sorted.end(), size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](size_t a, size_t b) { return keys[a] > keys[b]; });
  std::vector<size_t> ranks(buffers.size());
  for (size_t r = 0; r < sorted.size(); ++r) ranks[sorted[r]] = r;
  return ranks;
}

}  // namespace opkit::memory_plan
