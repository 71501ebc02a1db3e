#include "opkit/atc/memory/sections.h"

#include <algorithm>

namespace opkit::memory_plan {
namespace {

std::vector<int64_t> cuts_of(const Buffers& buffers) {
  std::vector<int64_t> cuts;
  for (const Buffer& buffer : buffers) {
    cuts.push_back(buffer.lower);
    cuts.push_back(buffer.upper);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

}  // namespace

uint64_t Sections::fullest(size_t buffer) const {
  const auto begin = in_use.begin();
  const auto most = std::max_element(begin + static_cast<std::ptrdiff_t>(lower[buffer]),
                                     begin + static_cast<std::ptrdiff_t>(upper[buffer]));
  return *most;
}

Sections sections_of(const Buffers& buffers) {
  const std::vector<int64_t> cuts = cuts_of(buffers);
  const auto at = [&](int64_t time) {
    return static_cast<size_t>(std::lower_bound(cuts.begin(), cuts.end(), time) - cuts.begin());
  };
  Sections sections;
  sections.in_use.resize(cuts.size());
  for (const Buffer& buffer : buffers) {
    sections.lower.push_back(at(buffer.lower));
    sections.upper.push_back(at(buffer.upper));
    for (size_t s = sections.lower.back(); s < sections.upper.back(); ++s)
      sections.in_use[s] += buffer.size;
  }
  return sections;
}

}  // namespace opkit::memory_plan
