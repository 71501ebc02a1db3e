// Semantics: the vendor's page "LoadData_3D". The source is an image NC1HWC0 in L1. Row m of the
// virtual matrix is an output pixel; column k runs over C1, filter rows, filter columns and C0.
// Rows of the window behind the last pixel become zero.
#include "opkit/core/isa/cube/load3d.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/turn.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

constexpr uint32_t kUnit = 32;             // bytes of C0 elements
constexpr uint32_t kLeastBoundary = 1024;  // bytes
constexpr const char* kName = "LoadData(3D)";

uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

struct Image {
  uint32_t size, c0;      // bytes per element (4 bits: of two), elements per unit
  uint32_t wo, ho;        // output pixels
  uint32_t k_units;       // units in a row of the virtual matrix
  uint32_t unit0, units;  // cover the windows together
  uint32_t rows;          // counts the rows of the windows together
  bool turned;            // rows of the result are columns of the window
  // Row i and unit j of the windows are those of the virtual matrix i + i / window_m * skip_m and
  // j + j / window_units * skip_units behind the start.
  uint32_t window_m, skip_m, window_units, skip_units;
};

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
uint32_t row_of_image(const opk_load_v1& l, const Image& g, uint32_t i) {
  return l.m_start + i + i / g.window_m * g.skip_m;
}
uint32_t unit_of_image(const Image& g, uint32_t j) {
  return g.unit0 + j + j / g.window_units * g.skip_units;
}

Image image_of(const opk_load_v1& l) {
  Image g{};
  const uint32_t bits = std::max(dtype_bits(l.src.dtype), 1u);
  g.size = (bits + 7) / 8;
  g.c0 = kUnit * 8 / bits;
  g.wo = pixels(l.l1_w, l.pad[0], l.pad[1], l.filter_w, l.dilation_w, l.stride_w);
  g.ho = pixels(l.l1_h, l.pad[2], l.pad[3], l.filter_h, l.dilation_h, l.stride_h);
  g.k_units = ceil_div(l.channel_size, g.c0) * l.filter_h * l.filter_w;
  g.unit0 = l.k_start / g.c0;
  g.units = ceil_div(l.k_extension, g.c0);
  g.turned = l.dst.memory == OPK_MEM_L0B || l.transpose;
  repeat_windows(l, g);
  return g;
}

bool refuse(Core& core, std::string text, const char* action, const void* pc) {
  text.insert(0, std::string(kName) + ": ");  // taken away whole: see fault_at
  return refuse_cube(core, "EK1704", std::move(text), action, pc);
}

bool check_types(Core& core, const opk_load_v1& l, const Image& g, const void* pc) {
  if (l.src.memory != OPK_MEM_L1 || (l.dst.memory != OPK_MEM_L0A && l.dst.memory != OPK_MEM_L0B)) {
    return refuse_cube(core, "EK1703",
                       std::string(kName) + ": there is no way from " + memory_name(l.src.memory) +
                           " to " + memory_name(l.dst.memory),
                       "load from L1 into L0A or L0B", pc);
  }
  if (g.size > 4 || (g.size == 1 && g.turned)) {
    return refuse_cube(core, "EK1702",
                       std::string(kName) + ": " + dtype_name(l.src.dtype) +
                           (g.turned ? " cannot be transposed" : " cannot be loaded"),
                       "use LoadDataWithTranspose, which turns 8-bit squares", pc);
  }
  return true;
}

bool check_repeat(Core& core, const opk_load_v1& l, const Image& g, const void* pc) {
  if (l.repeat <= 1) return true;
  const bool whole = l.descending ? l.k_extension % g.c0 == 0 : l.m_extension % kSide == 0;
  const uint32_t needed = l.descending ? g.window_units : l.m_extension / kSide;
  if (whole && l.src_stride >= needed) return true;
  return refuse(core,
                std::string("windows along ") + (l.descending ? "K" : "M") + " of " +
                    std::to_string(l.descending ? l.k_extension : l.m_extension) +
                    " that follow each other after " + std::to_string(l.src_stride) +
                    (l.descending ? " x 32 bytes" : " x 16 rows"),
                "make a window whole fractals, and repeatStride at least as long as it", pc);
}

bool check_boundary(Core& core, const opk_load_v1& l, const void* pc) {
  const uint32_t boundary = l.dst_fractal_gap;
  if (boundary == 0) return true;
  const auto start = static_cast<const uint8_t*>(l.src.address) - core.memory[OPK_MEM_L1];
  if (boundary >= kLeastBoundary && boundary <= core.memory_size[OPK_MEM_L1] && start < boundary &&
      boundary % kUnit == 0)
    return true;
  return refuse(core,
                "the boundary is " + std::to_string(boundary) + " bytes and the image starts at " +
                    std::to_string(start),
                "set 0, or a multiple of 32 from 1024 on that lies behind the start", pc);
}

// Checks the channels: behind whole C0 a few may stand: a half, a quarter or an eighth of C0.
bool check_channels(Core& core, const opk_load_v1& l, const Image& g, const void* pc) {
  const uint32_t rest = l.channel_size % g.c0, least = g.c0 == 64 ? 8 : 4;
  if (rest == 0 || (rest >= least && g.c0 % rest == 0)) return true;
  return refuse(core,
                "channelSize " + std::to_string(l.channel_size) + " does not exist for " +
                    dtype_name(l.src.dtype),
                "round it up to whole C0, or to half of one and the like", pc);
}

bool check_window(Core& core, const opk_load_v1& l, const Image& g, const void* pc) {
  if (!g.wo || !g.ho) {
    return refuse(core, "the filter does not fit into the padded image, or a stride is 0",
                  "check l1H, l1W, padList, filter, dilation and stride", pc);
  }
  if (l.k_start % g.c0 != 0)
    return refuse(
        core,
        "kStartPt " + std::to_string(l.k_start) + " is not a multiple of " + std::to_string(g.c0),
        "start at a whole C0", pc);
  const uint32_t unit_end = unit_of_image(g, g.units - 1) + 1;
  if (unit_end > g.k_units) {
    return refuse(core,
                  "the window ends at column " + std::to_string(unit_end * g.c0) +
                      " of a matrix of " + std::to_string(g.k_units * g.c0) + " columns",
                  "check kStartPt, kExtension, channelSize and the filter", pc);
  }
  const uint32_t rows = ceil_div(g.ho * g.wo, kSide) * kSide;
  const uint32_t row_end = row_of_image(l, g, g.rows - 1) + 1;
  if (row_end <= rows) return true;
  return refuse(core,
                "the window ends at row " + std::to_string(row_end) + " of a matrix of " +
                    std::to_string(g.ho * g.wo) + " rows",
                "check mStartPt, mExtension and the size of the image", pc);
}

// Rows and columns of the result in fractals.
struct Result {
  uint32_t fractals;
  uint64_t bytes() const { return uint64_t{fractals} * kFractal; }
};
Result result_of(const Image& g) {
  const uint32_t m = g.rows, k = g.units * g.c0;
  return g.turned ? Result{ceil_div(k, kSide) * ceil_div(m, g.c0)}
                  : Result{ceil_div(m, kSide) * g.units};
}

// Planes of the image that the window touches, and the pixels from the first to the last one that
// it reads in a plane; first > last: only padding.
struct Touched {
  uint32_t plane0, planes;
  uint64_t first, last;
  uint64_t end = 0;  // bytes from the image's start to behind the last one that is read

  bool nothing() const { return first > last; }
};

// The first and last row, the first pixel of the first and the last pixel of the last, that a unit
// reads; first > last: none.
struct UnitRows {
  int32_t row0, row1, column0, column1;

  bool nothing() const { return row0 > row1 || column1 < 0; }
};
UnitRows rows_of_unit(const opk_load_v1& l, const Image& g, uint32_t unit, uint32_t end) {
  const auto kw = static_cast<int32_t>(unit % l.filter_w);
  const auto kh = static_cast<int32_t>(unit / l.filter_w % l.filter_h);
  const uint32_t first_line = l.m_start / g.wo, last_line = (end - 1) / g.wo;
  const int32_t above = kh * l.dilation_h - l.pad[2];
  const auto line = [&](uint32_t y) { return static_cast<int32_t>(y * l.stride_h) + above; };
  const auto column = [&](uint32_t x) {
    return static_cast<int32_t>(x * l.stride_w) + kw * l.dilation_w - l.pad[0];
  };
  const bool whole_first = first_line != last_line && line(first_line) < 0;
  const uint32_t last_pixel = first_line == last_line ? (end - 1) % g.wo : g.wo - 1;
  return {std::max(line(first_line), 0), std::min(line(last_line), l.l1_h - 1),
          std::clamp(whole_first ? 0 : column(l.m_start % g.wo), 0, l.l1_w - 1),
          std::min(column(last_pixel), l.l1_w - 1)};
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
  for (uint32_t j = 0; j < g.units; ++j) {
    const uint32_t unit = unit_of_image(g, j);
    const UnitRows rows = rows_of_unit(l, g, unit, end);
    if (rows.nothing()) continue;
    const auto pixel = [&](int32_t row, int32_t column) {
      return static_cast<uint64_t>(row) * l.l1_w + static_cast<uint32_t>(column);
    };
    const uint64_t plane = uint64_t{unit / taps} * l.l1_h * l.l1_w;
    const uint64_t last = pixel(rows.row1, rows.column1);
    t.first = std::min(t.first, pixel(rows.row0, rows.column0));
    t.last = std::max(t.last, last);
    t.end = std::max(t.end, (plane + last + 1) * kUnit);
  }
  return t;
}

bool check(Core& core, const opk_load_v1& l, const Image& g, const void* pc) {
  if (!check_types(core, l, g, pc) || !check_repeat(core, l, g, pc) ||
      !check_channels(core, l, g, pc) || !check_window(core, l, g, pc) ||
      !check_boundary(core, l, pc)) {
    return false;
  }
  // An image that goes round the boundary is not one run behind its start.
  const uint64_t needed = l.dst_fractal_gap ? 0 : touched(l, g).end;
  return check_operand(core, l.src, needed, kUnit, false, {kName, "source", pc}) &&
         check_operand(core, l.dst, result_of(g).bytes(), kFractal, true,
                       {kName, "destination", pc});
}

// Whatever of the memory lies before the boundary may be read.
Access round_the_boundary(const Core& core, const opk_load_v1& l) {
  Access access;
  access.memory = OPK_MEM_L1;
  access.address = core.memory[OPK_MEM_L1];
  access.block_bytes = l.dst_fractal_gap;
  access.partial = true;
  access.dtype = l.src.dtype;
  access.buffer = l.src.buffer;
  return access;
}

bool admit(Core& core, const opk_load_v1& l, const Image& g, const void* pc) {
  Footprint f;
  f.name = kName;
  f.kind = InstructionKind::kLoad;
  f.pipe = OPK_PIPE_MTE1;
  f.instruction = &l;
  f.pc = pc;
  const Touched t = touched(l, g);
  const uint64_t plane = uint64_t{l.l1_h} * l.l1_w * kUnit;
  Access access;
  access.dtype = l.src.dtype;
  if (!t.nothing()) {
    access.memory = OPK_MEM_L1;
    access.address =
        static_cast<const uint8_t*>(l.src.address) + t.plane0 * plane + t.first * kUnit;
    access.block_bytes = static_cast<uint32_t>((t.last - t.first + 1) * kUnit);
    access.repeats = t.planes;
    access.repeat_pitch = static_cast<int64_t>(plane);
    access.buffer = l.src.buffer;
    if (l.dst_fractal_gap) access = round_the_boundary(core, l);
    f.add(access);
  }
  access = {};
  access.memory = static_cast<opk_memory>(l.dst.memory);
  access.address = static_cast<const uint8_t*>(l.dst.address);
  access.block_bytes = static_cast<uint32_t>(result_of(g).bytes());
  access.write = true;
  access.dtype = l.dst.dtype;
  access.buffer = l.dst.buffer;
  f.add(access);
  return core.observer->admit(core, f);
}

// Where the image goes on behind the boundary, if there is one.
const uint8_t* within_boundary(const Core& core, const opk_load_v1& l, const uint8_t* at) {
  if (l.dst_fractal_gap == 0) return at;
  const uint8_t* l1 = core.memory[OPK_MEM_L1];
  return l1 + static_cast<uint64_t>(at - l1) % l.dst_fractal_gap;
}

// Where a unit of the virtual matrix reads: the plane, and the place in the filter.
struct Tap {
  uint32_t plane, h, w;
};
Tap tap_of(const opk_load_v1& l, uint32_t unit) {
  const uint32_t line = unit / l.filter_w;
  return {line / l.filter_h, line % l.filter_h, unit % l.filter_w};
}

void repeat(const uint8_t* padding, uint32_t count, uint8_t* out) {
  for (uint32_t i = 0; i < count; ++i) std::memcpy(out + i * kUnit, padding, kUnit);
}

// `count` pixels of row h of a plane, stride_w apart from column w on, all of them in the image.
void gather_inside(const Core& core, const opk_load_v1& l, const uint8_t* plane, int32_t h,
                   int32_t w, uint32_t count, uint8_t* out) {
  const uint8_t* in = plane + (int64_t{h} * l.l1_w + w) * kUnit;
  const size_t step = size_t{l.stride_w} * kUnit;
  if (l.dst_fractal_gap != 0) {
    for (uint32_t i = 0; i < count; ++i)
      std::memcpy(out + i * kUnit, within_boundary(core, l, in + i * step), kUnit);
  } else if (l.stride_w == 1) {
    std::memcpy(out, in, size_t{count} * kUnit);
  } else {
    for (uint32_t i = 0; i < count; ++i) std::memcpy(out + i * kUnit, in + i * step, kUnit);
  }
}

// Returns how many of `count` pixels, stride_w apart from column w on, lie before column `end`.
uint32_t pixels_before(const opk_load_v1& l, int32_t w, uint32_t count, int32_t end) {
  if (w >= end) return 0;
  if (w + static_cast<int32_t>((count - 1) * l.stride_w) < end) return count;
  return ceil_div(static_cast<uint32_t>(end - w), l.stride_w);
}

void gather_line(const Core& core, const opk_load_v1& l, const uint8_t* plane, int32_t h, int32_t w,
                 uint32_t count, const uint8_t* padding, uint8_t* out) {
  if (h < 0 || h >= l.l1_h) return repeat(padding, count, out);
  const uint32_t first = pixels_before(l, w, count, 0), end = pixels_before(l, w, count, l.l1_w);
  repeat(padding, first, out);
  if (first < end) {
    gather_inside(core, l, plane, h, w + static_cast<int32_t>(first * l.stride_w), end - first,
                  out + first * kUnit);
  }
  repeat(padding, count - end, out + end * kUnit);
}

// `count` pixels of a unit from pixel `column` of line `line` on, 32 bytes each, one after the
// other.
void gather(const Core& core, const opk_load_v1& l, const Image& g, uint32_t line, uint32_t column,
            uint32_t count, const Tap& tap, const uint8_t* padding, uint8_t* out) {
  const uint8_t* plane =
      static_cast<const uint8_t*>(l.src.address) + uint64_t{tap.plane} * l.l1_h * l.l1_w * kUnit;
  const int32_t left = static_cast<int32_t>(tap.w * l.dilation_w) - l.pad[0];
  int32_t h = static_cast<int32_t>(line * l.stride_h + tap.h * l.dilation_h) - l.pad[2];
  while (count != 0) {
    const uint32_t some = std::min(count, g.wo - column);
    const int32_t w = static_cast<int32_t>(column * l.stride_w) + left;
    gather_line(core, l, plane, h, w, some, padding, out);
    out += some * kUnit;
    count -= some;
    column = 0;
    h += l.stride_h;
  }
}

// Elements of 16 pixels of a unit as columns of the result, which is a matrix in fractals of
// 16 x C0. block: of 16 pixels.
void put_turned(const opk_load_v1& l, const Image& g, uint32_t block, uint32_t unit,
                const uint8_t* in, uint8_t* out) {
  const uint32_t m_fractals = ceil_div(g.rows, g.c0);
  const uint32_t k_fractals = ceil_div(g.units * g.c0, kSide);
  // L0A keeps the fractals of a row block together, L0B those of one step of the Mmad's k.
  const auto fractal = [&](uint32_t m, uint32_t k) {
    const uint32_t i = l.dst.memory == OPK_MEM_L0B ? m / g.c0 * k_fractals + k / kSide
                                                   : k / kSide * m_fractals + m / g.c0;
    return out + uint64_t{i} * kFractal;
  };
  if (g.c0 == kSide) return turn_halves(in, fractal(block * kSide, unit * g.c0));
  for (uint32_t r = 0; r < kSide && block * kSide + r < m_fractals * g.c0; ++r) {
    const uint32_t m = block * kSide + r;
    for (uint32_t i = 0; i < g.c0; ++i) {
      const uint32_t k = unit * g.c0 + i;
      std::memcpy(fractal(m, k) + (k % kSide * g.c0 + m % g.c0) * g.size,
                  in + r * kUnit + i * g.size, g.size);
    }
  }
}

void apply(const Core& core, const opk_load_v1& l, const Image& g) {
  auto* dst = static_cast<uint8_t*>(l.dst.address);
  uint8_t padding[kUnit];
  uint64_t pad_value = l.pad_value;
  if (l.src.dtype == OPK_INT4) pad_value = (pad_value & 15) * 17;
  for (uint32_t i = 0; i < kUnit; i += g.size) std::memcpy(padding + i, &pad_value, g.size);
  // Rows of the last fractals that no unit fills.
  if (g.turned && g.units * g.c0 % kSide != 0) std::memset(dst, 0, result_of(g).bytes());
  alignas(64) uint8_t pixels[kFractal];
  for (uint32_t m = 0; m < g.rows; m += kSide) {
    // Repeated windows are whole blocks of 16 rows; behind the last pixel all is zero.
    const uint32_t row = row_of_image(l, g, m), all = g.ho * g.wo;
    const uint32_t count = std::min({kSide, g.rows - m, all - std::min(row, all)});
    const uint32_t line = row / g.wo, column = row % g.wo;
    for (uint32_t unit = 0; unit < g.units; ++unit) {
      uint8_t* out = g.turned ? pixels : dst + (uint64_t{m / kSide} * g.units + unit) * kFractal;
      gather(core, l, g, line, column, count, tap_of(l, unit_of_image(g, unit)), padding, out);
      std::memset(out + count * kUnit, 0, kFractal - count * kUnit);
      if (g.turned) put_turned(l, g, m / kSide, unit, pixels, dst);
    }
  }
}

}  // namespace

void load_image(Core& core, const opk_load_v1& l, const void* pc) {
  if (!l.l1_h || !l.l1_w || !l.channel_size || !l.k_extension || !l.m_extension || !l.filter_h ||
      !l.filter_w) {
    return;
  }
  const Image g = image_of(l);
  if (!check(core, l, g, pc)) return;
  if (core.observer && !admit(core, l, g, pc)) return;
  if (l.dst_fractal_gap)
    core.put_off.about_to_read(OPK_MEM_L1, core.memory[OPK_MEM_L1], l.dst_fractal_gap);
  else
    core.put_off.about_to_read(OPK_MEM_L1, l.src.address, touched(l, g).end);
  core.put_off.about_to_write(l.dst.memory, l.dst.address, result_of(g).bytes(), false);
  apply(core, l, g);
}

}  // namespace opkit::core
