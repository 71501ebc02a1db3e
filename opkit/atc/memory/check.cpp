#include "opkit/atc/memory/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace opkit::memory_plan {
namespace {

Error wrong(std::string what) {
  return Error("OPK-MEMORY-001", std::move(what), "report this with the model");
}

// Walks through time with the buffers that live, by the place where they begin: as long as no two
// share bytes, one that is born can share some with its neighbours alone.
class Living {
 public:
  Living(const Buffers& buffers, const Offsets& offsets) : buffers_(buffers), offsets_(offsets) {}

  Status run() {
    std::vector<size_t> births, deaths;
    for (size_t b = 0; b < buffers_.size(); ++b) {
      if (buffers_[b].size == 0 || buffers_[b].lower >= buffers_[b].upper) continue;
      births.push_back(b);
      deaths.push_back(b);
    }
    std::stable_sort(births.begin(), births.end(),
                     [&](size_t a, size_t b) { return buffers_[a].lower < buffers_[b].lower; });
    std::stable_sort(deaths.begin(), deaths.end(),
                     [&](size_t a, size_t b) { return buffers_[a].upper < buffers_[b].upper; });
    auto death = deaths.begin();
    for (const size_t b : births) {
      for (; buffers_[*death].upper <= buffers_[b].lower; ++death) living_.erase(offsets_[*death]);
      OPKIT_CHECK(bear(b));
    }
    return {};
  }

 private:
  Status bear(size_t b) {
    const auto [place, fresh] = living_.emplace(offsets_[b], b);
    if (!fresh) return shared(place->second, b);
    if (place != living_.begin()) {
      const size_t before = std::prev(place)->second;
      if (offsets_[before] + buffers_[before].size > offsets_[b]) return shared(before, b);
    }
    const auto behind = std::next(place);
    if (behind != living_.end() && offsets_[b] + buffers_[b].size > behind->first)
      return shared(behind->second, b);
    return {};
  }

  Error shared(size_t a, size_t b) const {
    return wrong(fmt::format("buffers {} and {} share bytes at {} and live at the same time",
                             buffers_[std::min(a, b)].id, buffers_[std::max(a, b)].id,
                             std::max(offsets_[a], offsets_[b])));
  }

  const Buffers& buffers_;
  const Offsets& offsets_;
  std::map<uint64_t, size_t> living_;
};

}  // namespace

Status check(const Buffers& buffers, const Offsets& offsets, uint64_t total, uint64_t alignment) {
  if (offsets.size() != buffers.size())
    return wrong(fmt::format("{} buffers have {} offsets", buffers.size(), offsets.size()));
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& buffer = buffers[i];
    if (offsets[i] % alignment != 0)
      return wrong(fmt::format("buffer {} starts at {}, which is no multiple of {}", buffer.id,
                               offsets[i], alignment));
    if (offsets[i] > total || total - offsets[i] < buffer.size)
      return wrong(fmt::format("buffer {} of {} bytes at {} ends behind the block of {} bytes",
                               buffer.id, buffer.size, offsets[i], total));
  }
  return Living(buffers, offsets).run();
}

}  // namespace opkit::memory_plan
