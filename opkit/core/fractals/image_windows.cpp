#include "opkit/core/fractals/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/fractals/image_windows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/fractals/image_windows.h"
#include "opkit/core/lanes/half_inl.h"

#include <algorithm>

#ifndef OPKIT_CORE_FRACTALS_IMAGE_WINDOWS_ONCE_
#define OPKIT_CORE_FRACTALS_IMAGE_WINDOWS_ONCE_
namespace opkit::core {

constexpr uint32_t kRowsOfBlock = 16;
alignas(kUnitBytes) inline constexpr uint8_t kZeros[kUnitBytes] = {};

// Where a unit of the virtual matrix reads: the plane, and the place in the filter.
struct Tap {
  uint32_t plane, h, w;

  Tap(const ImageWindows& window, uint32_t unit)
      : plane(unit / window.filter_w / window.filter_h),
        h(unit / window.filter_w % window.filter_h),
        w(unit % window.filter_w) {}
  void next(const ImageWindows& window) {
    if (++w < window.filter_w) return;
    w = 0;
    if (++h < window.filter_h) return;
    h = 0;
    ++plane;
  }
};

// Rows of a block: line and column of the image that the filter's first place sees, and the bytes
// from the image's start to that pixel of plane 0, which may lie outside.
struct RowsOfBlock {
  alignas(64) int64_t h[kRowsOfBlock], w[kRowsOfBlock], offset[kRowsOfBlock];
  uint32_t used;  // rows that are output pixels
  int64_t lowest_w, highest_w;
  bool adjacent;  // each row sees the pixel behind that of the row before

  RowsOfBlock(const ImageWindows& window, uint32_t block) {
    const uint32_t row = window.row_of_matrix(block * kRowsOfBlock);
    used = std::min({kRowsOfBlock, window.rows - block * kRowsOfBlock,
                     window.pixels - std::min(row, window.pixels)});
    uint32_t line = row / window.wo, column = row % window.wo;
    for (uint32_t r = 0; r < kRowsOfBlock; ++r) {
      h[r] = int64_t{line} * window.stride_h - window.pad_top;
      w[r] = int64_t{column} * window.stride_w - window.pad_left;
      offset[r] = (h[r] * window.width + w[r]) * kUnitBytes;
      if (++column < window.wo) continue;
      column = 0;
      ++line;
    }
    adjacent = window.stride_w == 1 && w[kRowsOfBlock - 1] - w[0] == kRowsOfBlock - 1;
    lowest_w = *std::min_element(w, w + kRowsOfBlock);
    highest_w = *std::max_element(w, w + kRowsOfBlock);
  }
  // Tells whether all 16 rows see pixels of the image, so far down and right in the filter.
  bool lie_inside(const ImageWindows& window, int64_t down, int64_t right) const {
    return used == kRowsOfBlock && window.boundary == 0 && h[0] + down >= 0 &&
           h[kRowsOfBlock - 1] + down < window.height && lowest_w + right >= 0 &&
           highest_w + right < window.width;
  }
};

}  // namespace opkit::core
#endif  // OPKIT_CORE_FRACTALS_IMAGE_WINDOWS_ONCE_

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class At>
HWY_INLINE void CopyUnits(const At& at, uint8_t* out) {
  const hn::CappedTag<uint8_t, kUnitBytes> d;
  HWY_UNROLL(16)
  for (uint32_t r = 0; r < kRowsOfBlock; ++r, out += kUnitBytes) {
    const uint8_t* from = at(r);
    for (uint32_t i = 0; i < kUnitBytes; i += hn::MaxLanes(d))
      hn::StoreU(hn::LoadU(d, from + i), d, out + i);
  }
}

// True: a half is NaN.
template <class At>
HWY_INLINE bool SplitUnits(const At& at, float* out) {
  constexpr uint32_t kEight = 8;
  const hn::CappedTag<float, kEight> d;
  auto nan = hn::IsNaN(hn::Zero(d));
  HWY_UNROLL(16)
  for (uint32_t r = 0; r < kRowsOfBlock; ++r, out += kEight) {
    const auto* from = reinterpret_cast<const uint16_t*>(at(r));
    for (uint32_t i = 0; i < kEight; i += hn::MaxLanes(d)) {
      const auto low = LoadHalf(d, from + i), high = LoadHalf(d, from + kEight + i);
      nan = hn::Or(nan, hn::Or(hn::IsNaN(low), hn::IsNaN(high)));
      hn::StoreU(low, d, out + i);
      hn::StoreU(high, d, out + kRowsOfBlock * kEight + i);
    }
  }
  return !hn::AllFalse(d, nan);
}

// The places of rows that all lie in the image, one behind the other or not, and of rows that need
// not lie there.
struct AdjacentRows {
  const uint8_t* from;
  HWY_INLINE const uint8_t* operator()(uint32_t r) const { return from + r * kUnitBytes; }
};
struct InsideRows {
  const uint8_t* from;
  const int64_t* offset;
  HWY_INLINE const uint8_t* operator()(uint32_t r) const { return from + offset[r]; }
};
struct AnyRows {
  HWY_ALIGN int64_t at[kRowsOfBlock];
  HWY_INLINE const uint8_t* operator()(uint32_t r) const {
    return reinterpret_cast<const uint8_t*>(at[r]);
  }
};

// by: bytes from the filter's first place to this one.
HWY_INLINE void FindRows(const ImageWindows& w, const RowsOfBlock& rows, int64_t down,
                         int64_t right, int64_t by, AnyRows& found) {
  const hn::CappedTag<int64_t, 8> d;
  const auto low_h = hn::Set(d, -1 - down), high_h = hn::Set(d, w.height - down);
  const auto low_w = hn::Set(d, -1 - right), high_w = hn::Set(d, w.width - right);
  const auto image = hn::Set(d, reinterpret_cast<intptr_t>(w.image) + by);
  const auto beside = hn::Set(d, reinterpret_cast<intptr_t>(w.padding));
  for (uint32_t r = 0; r < kRowsOfBlock; r += hn::MaxLanes(d)) {
    const auto h = hn::Load(d, rows.h + r), x = hn::Load(d, rows.w + r);
    const auto inside = hn::And(hn::And(hn::Gt(h, low_h), hn::Lt(h, high_h)),
                                hn::And(hn::Gt(x, low_w), hn::Lt(x, high_w)));
    const auto at = hn::Add(image, hn::Load(d, rows.offset + r));
    hn::Store(hn::IfThenElse(inside, at, beside), d, found.at + r);
  }
}

// Finds rows of an image that goes on at the start of L1 behind the boundary.
HWY_INLINE void FindRowsRound(const ImageWindows& w, const RowsOfBlock& rows, int64_t down,
                              int64_t right, int64_t by, AnyRows& found) {
  for (uint32_t r = 0; r < kRowsOfBlock; ++r) {
    const int64_t h = rows.h[r] + down, x = rows.w[r] + right;
    const bool inside = h >= 0 && h < w.height && x >= 0 && x < w.width;
    const auto offset = static_cast<uint64_t>(w.image - w.l1 + rows.offset[r] + by);
    found.at[r] = reinterpret_cast<intptr_t>(inside ? w.l1 + offset % w.boundary : w.padding);
  }
}

// Calls put(i, at) for the units of a block; at(r) is where the unit of row r lies.
template <class Put>
HWY_INLINE void ForUnits(const ImageWindows& w, uint32_t block, uint32_t first, uint32_t count,
                         Put& put) {
  const RowsOfBlock rows(w, block);
  const int64_t plane = int64_t{w.height} * w.width * kUnitBytes;
  AnyRows found;
  Tap tap(w, w.unit_of_matrix(first));
  for (uint32_t i = 0; i < count; ++i, tap.next(w)) {
    if (w.skip_units != 0) tap = Tap(w, w.unit_of_matrix(first + i));
    const int64_t down = int64_t{tap.h} * w.dilation_h, right = int64_t{tap.w} * w.dilation_w;
    const int64_t by = tap.plane * plane + (down * w.width + right) * kUnitBytes;
    if (rows.lie_inside(w, down, right)) {
      const uint8_t* from = w.image + by;
      rows.adjacent ? put(i, AdjacentRows{from + rows.offset[0]})
                    : put(i, InsideRows{from, rows.offset});
      continue;
    }
    if (w.boundary != 0)
      FindRowsRound(w, rows, down, right, by, found);
    else
      FindRows(w, rows, down, right, by, found);
    for (uint32_t r = rows.used; r < kRowsOfBlock; ++r)
      found.at[r] = reinterpret_cast<intptr_t>(kZeros);
    put(i, found);
  }
}

struct Copier {
  uint8_t* out;
  template <class At>
  HWY_INLINE void operator()(uint32_t i, const At& at) {
    CopyUnits(at, out + size_t{i} * kRowsOfBlock * kUnitBytes);
  }
};

void GatherUnits(const ImageWindows& w, uint32_t block, uint32_t first, uint32_t count,
                 uint8_t* out) {
  Copier copier{out};
  ForUnits(w, block, first, count, copier);
}

struct Splitter {
  float* out;
  size_t pitch;
  uint32_t nan = 0;
  template <class At>
  HWY_INLINE void operator()(uint32_t i, const At& at) {
    nan |= uint32_t{SplitUnits(at, out + i * pitch)} << i;
  }
};

uint32_t GatherHalves(const ImageWindows& w, uint32_t block, uint32_t first, uint32_t count,
                      float* out, size_t out_pitch) {
  Splitter splitter{out, out_pitch};
  ForUnits(w, block, first, count, splitter);
  return splitter.nan;
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(GatherUnits);
HWY_EXPORT(GatherHalves);

void gather_units(const ImageWindows& w, uint32_t block, uint32_t first, uint32_t count,
                  uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(GatherUnits)(w, block, first, count, out);
}

uint32_t gather_halves(const ImageWindows& w, uint32_t block, uint32_t first, uint32_t count,
                       float* out, size_t out_pitch) {
  return HWY_DYNAMIC_DISPATCH(GatherHalves)(w, block, first, count, out, out_pitch);
}

}  // namespace opkit::core
#endif
