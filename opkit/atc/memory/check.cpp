#include "opkit/atc/memory/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::memory_plan {
namespace {

Error wrong(std::string what) {
  return Error("OPK-MEMORY-001", std::move(what), "report this with the model");
}

bool share_bytes(const Buffer& a, uint64_t at_a, const Buffer& b, uint64_t at_b) {
  return a.size > 0 && b.size > 0 && at_a < at_b + b.size && at_b < at_a + a.size;
}

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
    for (size_t j = 0; j < i; ++j) {
      const bool apart = buffer.upper <= buffers[j].lower || buffers[j].upper <= buffer.lower;
      if (!apart && share_bytes(buffer, offsets[i], buffers[j], offsets[j]))
        return wrong(fmt::format("buffers {} and {} share bytes at {} and live at the same time",
                                 buffers[j].id, buffer.id, std::max(offsets[i], offsets[j])));
    }
  }
  return {};
}

}  // namespace opkit::memory_plan
