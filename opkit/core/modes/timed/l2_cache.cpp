#include "opkit/core/modes/timed/l2_cache.h"

namespace opkit::core::timed {

L2Cache::Line* L2Cache::find_page(uint64_t page) {
  auto& lines = pages_[page];
  if (!lines) lines = std::make_unique<Line[]>(kPageLines);
  return lines.get();
}

}  // namespace opkit::core::timed
