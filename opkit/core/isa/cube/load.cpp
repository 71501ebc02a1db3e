// LoadData in its two-dimensional form and LoadDataWithTranspose: whole fractals of 512 bytes.
// Semantics: the vendor's pages "LoadData_2D" and "LoadDataWithTranspose".
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "opkit/core/fractals/dots.h"
#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/fractal_batch.h"
#include "opkit/core/fractals/tiles.h"
#include "opkit/core/fractals/turn.h"
#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/cube/load3d.h"
#include "opkit/core/isa/cube/refusals.h"
#include "opkit/core/isa/cube/sparse.h"
#include "opkit/core/isa/cube/turn_square.h"
#include "opkit/core/isa/gm_store.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/isa/unchecked.h"

namespace opkit::core {
namespace {

const char* name_of(const opk_load_v1& l) {
  if (l.op == OPK_L_SPARSE) return "LoadDataWithSparse";
  return l.op == OPK_L_TRANSPOSE ? "LoadDataWithTranspose" : "LoadData";
}

// Fractals in the square that LoadDataWithTranspose turns: 64x64 b4, 32x32 b8, 16x16 b16 and b32.
uint32_t square_fractals(uint32_t bits) { return bits == 4 ? 4 : bits == 16 ? 1 : 2; }

uint32_t unit_of(const opk_load_v1& l) {
  return l.op == OPK_L_TRANSPOSE ? square_fractals(dtype_bits(l.src.dtype)) : 1;
}

// First fractals of iteration r.
int64_t source_of(const opk_load_v1& l, uint32_t r) {
  const int64_t step = int64_t{l.src_stride} * r;
  return (l.start_index + (l.descending ? -step : step)) * unit_of(l);
}
int64_t target_of(const opk_load_v1& l, uint32_t r, uint32_t j) {
  return int64_t{r} * (1 + int64_t{l.dst_gap}) + int64_t{j} * (1 + int64_t{l.dst_fractal_gap});
}

// Counts bytes from the first to behind the last fractal of the destination.
uint64_t written_bytes(const opk_load_v1& l) {
  return static_cast<uint64_t>((target_of(l, l.repeat - 1, unit_of(l) - 1) + 1) * kFractal);
}

uint32_t load_alignment(const opk_operand& o) {
  return o.memory == OPK_MEM_L0A || o.memory == OPK_MEM_L0B ? 512 : 32;
}

bool check_path(Core& core, const opk_load_v1& l, const void* pc) {
  const uint32_t from = l.src.memory, to = l.dst.memory;
  const bool into_l0 = to == OPK_MEM_L0A || to == OPK_MEM_L0B;
  const bool known = (from == OPK_MEM_L1 && into_l0) ||
                     (from == OPK_MEM_GM && l.op == OPK_L_2D && (into_l0 || to == OPK_MEM_L1));
  if (known) return true;
  return refuse_cube(core, "EK1703",
                     std::string(name_of(l)) + ": there is no way from " + memory_name(from) +
                         " to " + memory_name(to),
                     "load from L1 (or, without a transposition, GM) into L0A or L0B", pc);
}

bool check_transpose(Core& core, const opk_load_v1& l, const void* pc) {
  const uint32_t bits = dtype_bits(l.src.dtype);
  const bool local = l.src.memory == OPK_MEM_L1;
  if (l.op != OPK_L_2D || !l.transpose || (bits == 16 && local)) return true;
  return refuse_cube(core, "EK1702",
                     std::string("LoadData: ifTranspose with ") + dtype_name(l.src.dtype) +
                         " from " + memory_name(l.src.memory) +
                         "; it exists for 16-bit types from L1",
                     "use LoadDataWithTranspose", pc);
}

bool check(Core& core, const opk_load_v1& l, const void* pc) {
  if (!check_path(core, l, pc) || !check_transpose(core, l, pc)) return false;
  const int64_t last = source_of(l, l.repeat - 1);
  if (last < 0) {
    return refuse_cube(core, "EK1701",
                       std::string(name_of(l)) + ": the last of " + std::to_string(l.repeat) +
                           " descending steps reads fractal " + std::to_string(last),
                       "start at a higher index or take fewer steps", pc);
  }
  const int64_t highest = std::max(last, source_of(l, 0)) + unit_of(l);
  return check_operand(core, l.src, static_cast<uint64_t>(highest * kFractal),
                       load_alignment(l.src), false, {name_of(l), "source", pc}) &&
         check_operand(core, l.dst, written_bytes(l), load_alignment(l.dst), true,
                       {name_of(l), "destination", pc});
}

Access fractals(const opk_operand& o, int64_t first, uint32_t per_step, int64_t fractal_pitch,
                uint32_t steps, int64_t step_pitch, bool write) {
  Access access;
  access.memory = static_cast<opk_memory>(o.memory);
  access.address = static_cast<const uint8_t*>(o.address) + first * kFractal;
  access.block_bytes = kFractal;
  access.blocks = per_step;
  access.block_pitch = fractal_pitch * kFractal;
  access.repeats = steps;
  access.repeat_pitch = step_pitch * kFractal;
  access.write = write;
  access.dtype = o.dtype;
  access.buffer = o.buffer;
  return access;
}

// A step of zero reads the same fractal again and again.
Access source_access(const opk_load_v1& l) {
  const int64_t step = int64_t{l.src_stride} * unit_of(l);
  return fractals(l.src, source_of(l, 0), unit_of(l), 1, step == 0 ? 1 : l.repeat,
                  l.descending ? -step : step, false);
}

bool admit(Core& core, const opk_load_v1& l, const void* pc) {
  Footprint f;
  f.name = name_of(l);
  f.kind = InstructionKind::kLoad;
  f.pipe = l.src.memory == OPK_MEM_GM ? OPK_PIPE_MTE2 : OPK_PIPE_MTE1;
  f.instruction = &l;
  f.pc = pc;
  f.make([&] { return source_access(l); });
  f.make([&] {
    return fractals(l.dst, 0, unit_of(l), 1 + int64_t{l.dst_fractal_gap}, l.repeat,
                    1 + int64_t{l.dst_gap}, true);
  });
  return core.observer->admit(core, f);
}

bool is_turned(const opk_load_v1& l) { return l.op == OPK_L_TRANSPOSE || l.transpose; }

L0Mirror* mirror_of(Core& core, const opk_load_v1& l) {
  return l.dst.memory == OPK_MEM_L0A   ? &core.put_off.l0a()
         : l.dst.memory == OPK_MEM_L0B ? &core.put_off.l0b()
                                       : nullptr;
}

// Returns the form in which Mmad will want these fractals; kNone: their bytes.
L0Mirror::Form form_of(const Core& core, const opk_load_v1& l) {
  using Form = L0Mirror::Form;
  if (!core.puts_off) return Form::kNone;
  const bool right = l.dst.memory == OPK_MEM_L0B, turned = is_turned(l);
  const uint32_t dtype = l.src.dtype;
  if (dtype == OPK_FLOAT16 && right) return Form::kHalvesTurned;
  if (dtype == OPK_FLOAT16 && !turned && l.src.memory == OPK_MEM_GM) return Form::kHalves;
  if (dtype == OPK_FLOAT32 && right) return Form::kWordsTurned;
  if (dtype == OPK_BFLOAT16 && right && (has_tiles() || has_dots())) return Form::kWordsTurned;
  if (dtype == OPK_INT8 && right && !turned && has_tiles()) return Form::kWordsTurned;
  return turned || l.src.memory != OPK_MEM_L1 ? Form::kNone : Form::kInL1;
}

Turning turning_of(const opk_load_v1& l, L0Mirror::Form form) {
  using Form = L0Mirror::Form;
  if (form == Form::kHalves) return Turning::kHalvesSplit;
  if (form == Form::kHalvesTurned) return is_turned(l) ? Turning::kHalves : Turning::kHalvesTurned;
  if (!is_turned(l)) return Turning::kWords;
  return l.src.dtype == OPK_FLOAT32 ? Turning::kJoin : Turning::kPairs;
}

void write_fractal(const opk_load_v1& l, const uint8_t* in, uint32_t j, uint8_t* out) {
  if (is_turned(l))
    turn_square(dtype_bits(l.src.dtype), in, j, out);
  else
    copy_fractal(in, out);
}

// Where the fractals of a load come from, in its order: L1, or rows in GM that L1 stands for.
class Origin {
 public:
  Origin(Core& core, const opk_load_v1& l, bool may_walk)
      : unit_(unit_of(l)), step_(int64_t{l.src_stride} * unit_) {
    at_ = static_cast<const uint8_t*>(l.src.address) + source_of(l, 0) * kFractal;
    if (l.descending) step_ = -step_;
    if (l.src.memory != OPK_MEM_L1) return;
    const int64_t last = source_of(l, l.repeat - 1), first = std::min(last, source_of(l, 0));
    const auto* begin = static_cast<const uint8_t*>(l.src.address) + first * kFractal;
    const auto bytes =
        static_cast<uint64_t>((std::max(last, source_of(l, 0)) - first + unit_) * kFractal);
    if (may_walk && !l.descending)
      walk_ = core.put_off.panels().walk(begin, bytes, at_, l.repeat * unit_);
    if (!walk_) core.put_off.about_to_read(OPK_MEM_L1, begin, bytes);
  }
  bool is_in_gm() const { return walk_.has_value(); }
  const uint8_t* rows() const { return walk_ ? walk_->rows() : at_; }
  uint64_t row_pitch() const { return walk_ ? walk_->row_pitch() : 32; }
  // Returns the second fractal of a square of words.
  const uint8_t* right() const {
    if (!walk_) return at_ + kFractal;
    FractalWalk next = *walk_;
    next.advance(1);
    return next.rows();
  }
  // Returns how many of `most` iterations from here on lie equally far apart, and how far in bytes.
  FractalWalk::Stretch stretch(uint32_t most) const {
    if (!walk_) return {most, step_ * kFractal};
    return walk_->stretch(static_cast<uint32_t>(step_), most, unit_);
  }
  void next(uint32_t iterations) {
    if (walk_) return walk_->advance(static_cast<uint32_t>(step_) * iterations);
    at_ += step_ * kFractal * iterations;
  }

 private:
  uint32_t unit_;
  int64_t step_;  // fractals from iteration to iteration
  const uint8_t* at_;
  std::optional<FractalWalk> walk_;
};

// Fractals whose floats do not have all of their bits: their bytes are written. `first`: where the
// first of the batch goes; the others follow `step` fractals apart.
void write_marked(const opk_load_v1& l, L0Mirror& mirror, const FractalBatch& batch, uint8_t* first,
                  uint32_t step, uint32_t marked) {
  for (; marked != 0; marked &= marked - 1) {
    const auto i = static_cast<uint32_t>(__builtin_ctz(marked));
    alignas(64) uint8_t fractal[kFractal];
    for (uint32_t r = 0; r < 16; ++r) std::memcpy(fractal + r * 32, batch.row(i, r), 32);
    uint8_t* out = first + int64_t{i} * step * kFractal;
    mirror.written(out, kFractal);
    write_fractal(l, fractal, 0, out);
  }
}

// Iterations that may be done side by side. Both fractals of a square could be overwritten by later
// squares.
uint32_t most_at_once(const opk_load_v1& l) {
  const bool meet = unit_of(l) == 2 && (1 + l.dst_fractal_gap) % (1 + l.dst_gap) == 0 &&
                    (1 + l.dst_fractal_gap) / (1 + l.dst_gap) < l.repeat;
  return meet ? 1 : FractalBatch::kMost;
}

// Mmad packs these while it multiplies.
bool stays_rows(const FractalBatch& batch) {
  return (batch.turning == Turning::kJoin && batch.right == 32) ||
         batch.turning == Turning::kHalves;
}

// Brings fractals into the form in which Mmad wants them.
void fill_mirror(const opk_load_v1& l, Origin& origin, L0Mirror& mirror, L0Mirror::Form form) {
  auto* dst = static_cast<uint8_t*>(l.dst.address);
  const uint32_t unit = unit_of(l), most = most_at_once(l), step = 1 + l.dst_gap;
  FractalBatch batch;
  batch.turning = turning_of(l, form);
  batch.row_pitch = origin.row_pitch();
  batch.out_pitch = size_t{step} * L0Mirror::kSlotFloats;
  for (uint32_t r = 0; r < l.repeat; r += batch.count, origin.next(batch.count)) {
    const FractalWalk::Stretch stretch = origin.stretch(std::min(l.repeat - r, most));
    batch.count = stretch.count;
    batch.pitch = stretch.pitch;
    if (unit == 2) batch.right = origin.right() - origin.rows();
    for (uint32_t j = 0; j < unit; ++j) {
      uint8_t* out = dst + target_of(l, r, j) * kFractal;
      batch.rows = origin.rows() + j * 8 * batch.row_pitch;
      if (origin.is_in_gm() && stays_rows(batch)) {
        mirror.put_rows(out, batch.count, step, form, batch.rows, batch.pitch, batch.row_pitch);
        continue;
      }
      batch.out = mirror.put(out, batch.count, step, form);
      write_marked(l, mirror, batch, out, step, turn_fractals(batch));
    }
  }
}

// Notes where the fractals lie in L1, in place of a copy.
void note_sources(const opk_load_v1& l, const Origin& origin, L0Mirror& mirror) {
  auto* dst = static_cast<uint8_t*>(l.dst.address);
  mirror.put_sources(dst, l.repeat, 1 + l.dst_gap, origin.rows(), origin.stretch(l.repeat).pitch);
}

void write_fractals(const opk_load_v1& l, Origin& origin, L0Mirror* mirror) {
  auto* dst = static_cast<uint8_t*>(l.dst.address);
  for (uint32_t r = 0; r < l.repeat; ++r, origin.next(1)) {
    for (uint32_t j = 0; j < unit_of(l); ++j) {
      uint8_t* out = dst + target_of(l, r, j) * kFractal;
      if (mirror) mirror->written(out, kFractal);
      write_fractal(l, origin.rows(), j, out);
    }
  }
}

void apply(Core& core, const opk_load_v1& l) {
  L0Mirror* mirror = mirror_of(core, l);
  const L0Mirror::Form form = mirror ? form_of(core, l) : L0Mirror::Form::kNone;
  const bool turns = form != L0Mirror::Form::kNone && form != L0Mirror::Form::kInL1;
  Origin origin(core, l, turns);
  if (turns)
    fill_mirror(l, origin, *mirror, form);
  else if (form == L0Mirror::Form::kInL1)
    note_sources(l, origin, *mirror);
  else
    write_fractals(l, origin, mirror);
  if (mirror) core.put_off.tell_ahead();
}

}  // namespace

void exec_load(opk_core* base, const opk_load_v1* l) {
  Core& core = Core::of(base);
  const void* pc = core.place(__builtin_return_address(0));
  if (!arch_has_load(core, *l, name_of(*l), pc)) return;
  if (l->op == OPK_L_3D) return load_image(core, *l, pc);
  if (l->op == OPK_L_SPARSE) return load_sparse_index(core, *l, pc);
  if (l->repeat == 0) return;
  if (!check(core, *l, pc)) return;
  if (core.observer && !admit(core, *l, pc)) return;
  run_load(core, *l);
}

void run_load(Core& core, const opk_load_v1& l) {
  if (l.op == OPK_L_3D) return run_image_load(core, l);
  if (l.src.memory == OPK_MEM_GM) {
    core.put_off.settle();
    if (core.sees_additions()) meet_additions(core, source_access(l));
  }
  if (l.dst.memory == OPK_MEM_L1)
    core.put_off.about_to_write(OPK_MEM_L1, l.dst.address, written_bytes(l), false);
  apply(core, l);
}

}  // namespace opkit::core
