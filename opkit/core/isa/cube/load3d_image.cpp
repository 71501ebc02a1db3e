#include "opkit/core/isa/cube/load3d_image.h"

#include <algorithm>
#include <cstring>

#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

// Output pixels along one side; 0 = the filter does not fit.
uint32_t pixels(int32_t size, int32_t before, int32_t after, int32_t filter, int32_t dilation,
                int32_t stride) {
  const int32_t room = size + before + after - (dilation * (filter - 1) + 1);
  return room < 0 || stride == 0 ? 0 : static_cast<uint32_t>(room / stride + 1);
}

// SetLoadDataRepeat: all windows count as one large matrix.
void repeat_windows(const opk_load_v1& l, Image& g) {
  const uint32_t times = std::max(l.repeat, 1u);
  g.window_m = g.rows = l.m_extension;
  g.window_units = g.units;
  if (times == 1) return;
  if (l.descending) {
    g.skip_units = l.src_stride - std::min(g.units, l.src_stride);
    g.units *= times;
  } else {
    g.skip_m = l.src_stride * kSide - std::min(g.rows, l.src_stride * kSide);
    g.rows *= times;
  }
}

// Pixels of the image, from the first to the last, that the units of one place in the filter read.
class PixelsOfTap {
 public:
  // end: behind the last row of the virtual matrix.
  PixelsOfTap(const opk_load_v1& l, const Image& g, uint32_t end)
      : l_(l),
        first_line_(l.m_start / g.wo),
        last_line_((end - 1) / g.wo),
        first_column_(l.m_start % g.wo),
        last_column_(first_line_ == last_line_ ? (end - 1) % g.wo : g.wo - 1) {}

  // The first and last row, the first pixel of the first and the last pixel of the last; there are
  // none where first() > last().
  void look(uint32_t h, uint32_t w) {
    const auto above = static_cast<int32_t>(h * l_.dilation_h) - l_.pad[2];
    const auto left = static_cast<int32_t>(w * l_.dilation_w) - l_.pad[0];
    const int32_t top = static_cast<int32_t>(first_line_ * l_.stride_h) + above;
    const bool whole_first = first_line_ != last_line_ && top < 0;
    const auto column = static_cast<int32_t>(first_column_ * l_.stride_w) + left;
    row0_ = std::max(top, 0);
    row1_ = std::min(static_cast<int32_t>(last_line_ * l_.stride_h) + above, l_.l1_h - 1);
    column0_ = std::clamp(whole_first ? 0 : column, 0, l_.l1_w - 1);
    column1_ = std::min(static_cast<int32_t>(last_column_ * l_.stride_w) + left, l_.l1_w - 1);
  }
  bool nothing() const { return row0_ > row1_ || column1_ < 0; }
  uint64_t first() const { return pixel(row0_, column0_); }
  uint64_t last() const { return pixel(row1_, column1_); }

 private:
  uint64_t pixel(int32_t row, int32_t column) const {
    return static_cast<uint64_t>(row) * l_.l1_w + static_cast<uint32_t>(column);
  }

  const opk_load_v1& l_;
  uint32_t first_line_, last_line_, first_column_, last_column_;
  int32_t row0_ = 0, row1_ = 0, column0_ = 0, column1_ = 0;
};

}  // namespace

Image image_of(const opk_load_v1& l) {
  Image g{};
  const uint32_t bits = std::max(dtype_bits(l.src.dtype), 1u);
  g.size = (bits + 7) / 8;
  g.c0 = kUnitBytes * 8 / bits;
  g.wo = pixels(l.l1_w, l.pad[0], l.pad[1], l.filter_w, l.dilation_w, l.stride_w);
  g.ho = pixels(l.l1_h, l.pad[2], l.pad[3], l.filter_h, l.dilation_h, l.stride_h);
  g.k_units = ceil_div(l.channel_size, g.c0) * l.filter_h * l.filter_w;
  g.unit0 = l.k_start / g.c0;
  g.units = ceil_div(l.k_extension, g.c0);
  g.turned = l.dst.memory == OPK_MEM_L0B || l.transpose;
  repeat_windows(l, g);
  return g;
}

Touched touched(const opk_load_v1& l, const Image& g) {
  const uint32_t taps = uint32_t{l.filter_h} * l.filter_w;
  Touched t{};
  t.plane0 = g.unit0 / taps;
  t.planes = unit_of_image(g, g.units - 1) / taps - t.plane0 + 1;
  t.first = uint64_t{1} << 32;
  t.last = 0;
  const uint32_t end = std::min(row_of_image(l, g, g.rows - 1) + 1, g.ho * g.wo);
  if (end <= l.m_start) return t;
  PixelsOfTap pixels(l, g, end);
  for (uint32_t j = 0; j < g.units; ++j) {
    const uint32_t unit = unit_of_image(g, j), tap = unit % taps;
    pixels.look(tap / l.filter_w, tap % l.filter_w);
    if (pixels.nothing()) continue;
    const uint64_t plane = uint64_t{unit / taps} * l.l1_h * l.l1_w;
    t.first = std::min(t.first, pixels.first());
    t.last = std::max(t.last, pixels.last());
    t.end = std::max(t.end, (plane + pixels.last() + 1) * kUnitBytes);
  }
  return t;
}

ImageWindows window_of(const opk_load_v1& l, const Image& g, const uint8_t* l1) {
  ImageWindows w;
  w.l1 = l1;
  w.image = static_cast<const uint8_t*>(l.src.address);
  w.boundary = l.dst_fractal_gap;
  w.width = l.l1_w;
  w.height = l.l1_h;
  w.stride_w = l.stride_w;
  w.stride_h = l.stride_h;
  w.dilation_w = l.dilation_w;
  w.dilation_h = l.dilation_h;
  w.filter_w = l.filter_w;
  w.filter_h = l.filter_h;
  w.pad_left = l.pad[0];
  w.pad_top = l.pad[2];
  w.wo = g.wo;
  w.pixels = g.ho * g.wo;
  w.m_start = l.m_start;
  w.rows = g.rows;
  w.unit0 = g.unit0;
  w.units = g.units;
  w.window_m = g.window_m;
  w.skip_m = g.skip_m;
  w.window_units = g.window_units;
  w.skip_units = g.skip_units;
  uint64_t pad_value = l.pad_value;
  if (l.src.dtype == OPK_INT4) pad_value = (pad_value & 15) * 17;
  for (uint32_t i = 0; i < kUnitBytes; i += g.size) std::memcpy(w.padding + i, &pad_value, g.size);
  return w;
}

}  // namespace opkit::core
