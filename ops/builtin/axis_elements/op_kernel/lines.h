// Lines of tensors along a dim, and which parts of them a tile sees.
#ifndef AXIS_ELEMENTS_LINES_H_
#define AXIS_ELEMENTS_LINES_H_

#include "axis_elements_tiling.h"
#include "layout.h"

// Neighbouring lines: across the outer dim, or across the inner dim of one outer index.
class Lines {
 public:
  // group: of the tensor's lines, t.lines in each.
  __aicore__ inline Lines(const AxisElementsTiling& t, uint64_t group) : t_(t) {
    const uint64_t groups = t.across != 0 ? 1 : (t.inner + t.lines - 1) / t.lines;
    outer_ = group / groups;
    first_ = group % groups * t.lines;
    if (t.across != 0) {
      first_ = group * t.lines;
      outer_ = 0;
    }
    const uint64_t all = t.across != 0 ? t.outer : t.inner;
    count_ = static_cast<uint32_t>(layout::Least(t.lines, all - first_));
  }

  __aicore__ inline uint32_t count() const { return count_; }

  // Locates an element of a line in a tensor with `size` elements along the dim.
  __aicore__ inline uint64_t At(uint64_t size, uint64_t element, uint32_t line = 0) const {
    if (t_.across != 0) return (first_ + line) * size + element;
    return (outer_ * size + element) * t_.inner + first_ + line;
  }
  // `count` elements of every line, in UB rows of `pitch` elements.
  template <typename T>
  __aicore__ inline layout::Rows<T> Rows(uint64_t size, uint32_t count, uint32_t pitch) const {
    if (t_.across != 0) return layout::Rows<T>(count_, count, size, pitch);
    return layout::Rows<T>(count, count_, t_.inner, pitch);
  }
  __aicore__ inline uint32_t Height(uint32_t count) const {
    return t_.across != 0 ? count_ : count;
  }

 private:
  const AxisElementsTiling& t_;
  uint64_t outer_, first_;
  uint32_t count_;
};

// Calls `call(group, part)` for every tile of this core; every group of lines has so many parts.
template <typename Call>
__aicore__ inline void EveryPart(const AxisElementsTiling& t, uint64_t parts, const Call& call) {
  const uint64_t groups = t.across != 0 ? (t.outer + t.lines - 1) / t.lines
                                        : t.outer * ((t.inner + t.lines - 1) / t.lines);
  const uint64_t first = AscendC::GetBlockIdx() * t.core_tiles;
  const uint64_t end = layout::Least(groups * parts, first + t.core_tiles);
  for (uint64_t at = first; at < end; ++at) call(at / parts, at % parts);
}

#endif  // AXIS_ELEMENTS_LINES_H_
