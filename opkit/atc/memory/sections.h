// Time cut where a buffer begins or ends: between two cuts the same buffers are in use.
#ifndef OPKIT_ATC_MEMORY_SECTIONS_H_
#define OPKIT_ATC_MEMORY_SECTIONS_H_

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

struct Sections {
  // Buffer b is in use in the sections lower[b], ..., upper[b] - 1.
  std::vector<size_t> lower, upper;
  std::vector<uint64_t> in_use;  // counts bytes for each section

  // Returns the bytes in use at the fullest time of a buffer's life.
  uint64_t fullest(size_t buffer) const;
};

Sections sections_of(const Buffers& buffers);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_SECTIONS_H_
