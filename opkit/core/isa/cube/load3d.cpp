// Semantics: the vendor's page "LoadData_3D". The source is an image NC1HWC0 in L1; window.h says
// what its windows are.
#include "opkit/core/isa/cube/load3d.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/image_windows.h"
#include "opkit/core/fractals/turn.h"
#include "opkit/core/isa/cube/load3d_image.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

constexpr uint32_t kUnit = kUnitBytes;
constexpr uint32_t kLeastBoundary = 1024;  // bytes
constexpr const char* kName = "LoadData(3D)";

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

// t: becomes what the load reads.
bool check(Core& core, const opk_load_v1& l, const Image& g, Touched& t, const void* pc) {
  if (!check_types(core, l, g, pc) || !check_repeat(core, l, g, pc) ||
      !check_channels(core, l, g, pc) || !check_window(core, l, g, pc) ||
      !check_boundary(core, l, pc)) {
    return false;
  }
  // An image that goes round the boundary is not one run behind its start.
  t = touched(l, g);
  const uint64_t needed = l.dst_fractal_gap ? 0 : t.end;
  return check_operand(core, l.src, needed, kUnit, false, {kName, "source", pc}) &&
         check_operand(core, l.dst, result_bytes(g), kFractal, true, {kName, "destination", pc});
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

bool admit(Core& core, const opk_load_v1& l, const Image& g, const Touched& t, const void* pc) {
  Footprint f;
  f.name = kName;
  f.kind = InstructionKind::kLoad;
  f.pipe = OPK_PIPE_MTE1;
  f.instruction = &l;
  f.pc = pc;
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
  access.block_bytes = static_cast<uint32_t>(result_bytes(g));
  access.write = true;
  access.dtype = l.dst.dtype;
  access.buffer = l.dst.buffer;
  f.add(access);
  return core.observer->admit(core, f);
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

void put_columns(const opk_load_v1& l, const Image& g, const ImageWindows& window) {
  constexpr uint32_t kAtOnce = 8;  // units
  auto* dst = static_cast<uint8_t*>(l.dst.address);
  // Rows of the last fractals that no unit fills.
  if (g.units * g.c0 % kSide != 0) std::memset(dst, 0, result_bytes(g));
  alignas(64) uint8_t units[kAtOnce * kFractal];
  for (uint32_t block = 0; block < window.blocks(); ++block) {
    for (uint32_t first = 0; first < g.units; first += kAtOnce) {
      const uint32_t count = std::min(kAtOnce, g.units - first);
      gather_units(window, block, first, count, units);
      for (uint32_t i = 0; i < count; ++i)
        put_turned(l, g, block, first + i, units + i * kFractal, dst);
    }
  }
}

// Halves for L0A as the floats that Mmad multiplies. The bytes of fractals with NaN are written:
// their floats do not have all bits of them.
void put_halves(Core& core, const opk_load_v1& l, const ImageWindows& window) {
  constexpr uint32_t kAtOnce = 32;  // fractals
  L0Mirror& mirror = core.put_off.l0a();
  auto* dst = static_cast<uint8_t*>(l.dst.address);
  for (uint32_t block = 0; block < window.blocks(); ++block) {
    for (uint32_t first = 0; first < window.units; first += kAtOnce) {
      const uint32_t count = std::min(kAtOnce, window.units - first);
      uint8_t* out = dst + (size_t{block} * window.units + first) * kFractal;
      float* rows = mirror.put(out, count, 1, L0Mirror::Form::kHalves);
      uint32_t marked = gather_halves(window, block, first, count, rows, L0Mirror::kSlotFloats);
      for (; marked != 0; marked &= marked - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(marked));
        mirror.written(out + i * kFractal, kFractal);
        gather_units(window, block, first + i, 1, out + i * kFractal);
      }
    }
  }
  core.put_off.tell_ahead();
}

void apply(Core& core, const opk_load_v1& l, const Image& g) {
  const ImageWindows window = window_of(l, g, core.memory[OPK_MEM_L1]);
  if (g.turned) return put_columns(l, g, window);
  if (core.puts_off && l.src.dtype == OPK_FLOAT16) return put_halves(core, l, window);
  auto* dst = static_cast<uint8_t*>(l.dst.address);
  for (uint32_t block = 0; block < window.blocks(); ++block)
    gather_units(window, block, 0, window.units, dst + size_t{block} * window.units * kFractal);
}

void perform(Core& core, const opk_load_v1& l, const Image& g, const Touched& t) {
  if (l.dst_fractal_gap)
    core.put_off.about_to_read(OPK_MEM_L1, core.memory[OPK_MEM_L1], l.dst_fractal_gap);
  else
    core.put_off.about_to_read(OPK_MEM_L1, l.src.address, t.end);
  core.put_off.about_to_write(l.dst.memory, l.dst.address, result_bytes(g), false);
  apply(core, l, g);
}

}  // namespace

void load_image(Core& core, const opk_load_v1& l, const void* pc) {
  if (!l.l1_h || !l.l1_w || !l.channel_size || !l.k_extension || !l.m_extension || !l.filter_h ||
      !l.filter_w) {
    return;
  }
  const Image g = image_of(l);
  Touched t{};
  if (!check(core, l, g, t, pc)) return;
  if (core.observer && !admit(core, l, g, t, pc)) return;
  perform(core, l, g, t);
}

void run_image_load(Core& core, const opk_load_v1& l) {
  const Image g = image_of(l);
  perform(core, l, g, touched(l, g));
}

}  // namespace opkit::core
