#include "opkit/core/modes/checked/shadow.h"

namespace opkit::core::checked {

bool Segment::same_history(const Segment& o) const {
  if (written != o.written || reader_count != o.reader_count || !writer.same_origin(o.writer))
    return false;
  if (written == Written::kUnset && (origin != o.origin || bits != o.bits)) return false;
  for (int i = 0; i < reader_count; ++i) {
    if (!readers[i].same_origin(o.readers[i])) return false;
  }
  return true;
}

void Segment::add_reader(const Party& reader) {
  for (int i = 0; i < reader_count; ++i) {
    if (readers[i].core == reader.core && readers[i].pipe == reader.pipe) {
      readers[i] = reader;
      return;
    }
  }
  if (reader_count == kReaders) {
    std::copy(readers + 1, readers + kReaders, readers);
    --reader_count;
  }
  readers[reader_count++] = reader;
}

void ShadowMap::reset(uint64_t bytes, Written written) {
  bytes_ = bytes;
  initial_ = written;
  pages_.resize((bytes + kPageBytes - 1) / kPageBytes);
  for (Page& page : pages_) page.clear();
}

ShadowMap::Known ShadowMap::at(uint64_t at) const {
  const Page& page = pages_[at / kPageBytes];
  const uint64_t base = at / kPageBytes * kPageBytes;
  const uint64_t stop = std::min(base + kPageBytes, bytes_);
  if (page.empty()) return {initial_, stop - at, {}};
  const auto next =
      std::upper_bound(page.begin(), page.end(), at - base,
                       [](uint64_t value, const Segment& s) { return value < s.begin; });
  const Segment& segment = *(next - 1);
  const uint64_t end = next == page.end() ? stop : std::min(stop, base + next->begin);
  return {segment.written, end - at, segment.writer, segment.bits, segment.origin};
}

ShadowMap::Page& ShadowMap::page_at(uint64_t base) {
  Page& page = pages_[base / kPageBytes];
  if (page.empty()) {
    page.emplace_back();
    page.back().written = initial_;
  }
  return page;
}

size_t ShadowMap::find(const Page& page, uint32_t at) {
  const auto next =
      std::upper_bound(page.begin(), page.end(), at,
                       [](uint32_t value, const Segment& s) { return value < s.begin; });
  return static_cast<size_t>(next - page.begin()) - 1;
}

bool ShadowMap::has_twin(const Page& page, size_t i) {
  return (i > 0 && page[i].same_history(page[i - 1])) ||
         (i + 1 < page.size() && page[i].same_history(page[i + 1]));
}

// Index of the segment that begins at `at`, made by splitting when there is none.
size_t ShadowMap::split(Page& page, uint32_t at) {
  const size_t index = find(page, at);
  if (page[index].begin == at) return index;
  Segment tail = page[index];
  tail.begin = at;
  page.insert(page.begin() + static_cast<std::ptrdiff_t>(index) + 1, tail);
  return index + 1;
}

// Joins equal neighbours among the segments [first, last) and those next to them.
void ShadowMap::merge(Page& page, size_t first, size_t last) {
  size_t keep = first > 0 ? first - 1 : 0;
  const size_t stop = std::min(last + 1, page.size());
  for (size_t i = keep + 1; i < stop; ++i) {
    if (page[keep].same_history(page[i])) continue;
    if (++keep != i) page[keep] = page[i];
  }
  if (++keep < stop)
    page.erase(page.begin() + static_cast<std::ptrdiff_t>(keep),
               page.begin() + static_cast<std::ptrdiff_t>(stop));
}

}  // namespace opkit::core::checked
