// Element-wise instructions: one row function per operation and types, called once for a
// contiguous instruction and once per iteration otherwise.
#include <algorithm>
#include <cstring>

#include "opkit/core/isa/vector/lanes.h"
#include "opkit/core/isa/vector/strip.h"
#include "opkit/core/rows/cast_modes.h"

namespace opkit::core {
namespace {

bool converts(uint16_t op) {
  return op == OPK_V_CAST || (op >= OPK_V_ADD_RELU_CAST && op <= OPK_V_ADD_DEQ_RELU);
}

void set_context(const VectorCall& call, RowContext& c) {
  c.scalar[0] = call.v.scalar[0];
  c.scalar[1] = call.v.scalar[1];
  c.mode = call.v.mode;
  c.flags = call.v.flags;
  const bool looks = converts(call.v.op);
  c.wrap_integers = looks && (call.core.ctrl >> kWrapIntegersBit & 1);
  c.saturate_halves = looks && call.saturates();
  c.deq_scale = looks ? call.core.deq_scale : 1.0f;
}

const char* mode_name(uint8_t mode) {
  static constexpr const char* kNames[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                           "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
  return mode < 7 ? kNames[mode] : "an unknown round mode";
}

[[gnu::cold, gnu::noinline]] void refuse_mode(const VectorCall& call, const Row& row) {
  std::string allowed = "use";
  const size_t none = allowed.size();
  for (uint8_t m = 0; m < 7; ++m) {
    if (row.round_modes >> m & 1)
      allowed += (allowed.size() == none ? " " : ", ") + std::string(mode_name(m));
  }
  refuse(call, "EK1203",
         std::string(dtype_name(call.operand(1).dtype)) + " to " +
             dtype_name(call.operand(0).dtype) + " has no " + mode_name(call.v.mode),
         std::move(allowed));
}

// Returns the scalar of an integer type, with its sign.
int64_t scalar_of(const VectorCall& call) {
  const uint64_t bits = call.v.scalar[0];
  switch (call.operand(0).dtype) {
    case OPK_INT16: return static_cast<int16_t>(bits);
    case OPK_INT32: return static_cast<int32_t>(bits);
    default: return static_cast<int64_t>(bits);
  }
}

[[gnu::cold, gnu::noinline]] void refuse_scalar(const VectorCall& call, const Row& row) {
  refuse(call, "EK1218",
         "the scalar " + std::to_string(scalar_of(call)) + " is not from 0 to " +
             std::to_string(row.most_scalar),
         "shift by at most the bits of the type");
}

// Returns the row of the instruction, or nullptr when it was refused.
const Row* row_of(const VectorCall& call) {
  const opk_vector_v1& v = call.v;
  const unsigned from = v.operand_count > 1 ? 1 : 0;
  const Row& row = find_row(v.op, v.operand[0].dtype, v.operand[from].dtype);
  const bool fits = row.fn && row.sources + 1 == v.operand_count &&
                    (row.sources < 2 || v.operand[2].dtype == v.operand[1].dtype);
  if (!fits) [[unlikely]]
    return refuse_dtypes(call), nullptr;
  if (v.op == OPK_V_CAST && !(row.round_modes >> v.mode & 1)) [[unlikely]]
    return refuse_mode(call, row), nullptr;
  if (row.most_scalar && v.scalar[0] > row.most_scalar) [[unlikely]]
    return refuse_scalar(call, row), nullptr;
  return &row;
}

// Where the elements of a source are: in the local memory, or still in GM (see PutOff).
const uint8_t* source_of(const VectorCall& call, unsigned i) {
  return call.core.put_off.source(call.address(i), (uint64_t{call.v.count} * call.bits(i) + 7) / 8);
}

// Returns the chip's own instruction for an operation with the Relu behind it.
uint16_t with_relu(uint16_t op) {
  switch (op) {
    case OPK_V_ADD: return OPK_V_ADD_RELU;
    case OPK_V_SUB: return OPK_V_SUB_RELU;
    case OPK_V_FUSED_MUL_ADD: return OPK_V_FUSED_MUL_ADD_RELU;
    default: return OPK_V_COUNT_;
  }
}

// A Relu in place behind one of them turns it into the pair: one pass instead of two, the same
// bits.
bool join_relu(const VectorCall& call, const uint8_t* dst, const uint8_t* a) {
  if (call.v.op != OPK_V_RELU || a != dst) return false;
  RowStep* last = call.core.put_off.last_step(dst, call.v.count);
  if (!last || last->dst_bytes * 8 != call.bits(0)) return false;
  const uint16_t pair = with_relu(last->op);
  if (pair == OPK_V_COUNT_) return false;
  const Row& row = find_row(pair, call.operand(0).dtype, call.operand(0).dtype);
  if (!row.fn || last->src_bytes != last->dst_bytes) return false;
  last->fn = row.fn;
  last->op = pair;
  return true;
}

// Now when somebody looks at data or the elements are not whole bytes; else as a step of the core's
// chain.
void compute(const VectorCall& call, const Row& row, uint8_t* dst, const uint8_t* a,
             const uint8_t* b) {
  Core& core = call.core;
  const uint64_t n = call.v.count;
  const uint32_t src_bits = row.sources > 0 ? call.bits(1) : call.bits(0);
  const bool saturates = row.saturates && call.saturates();
  if (!core.puts_off || call.bits(0) < 8 || src_bits < 8) {
    row.fn(dst, a, b, context_of(call), n);
    if (saturates) saturate_row(call.operand(0).dtype, dst, n);
    return;
  }
  if (join_relu(call, dst, a)) return;
  RowStep& step = core.put_off.next_step(dst, n * (call.bits(0) / 8), row.reads_dst);
  step.fn = row.fn;
  step.dst = dst;
  step.a = a;
  step.b = b;
  step.dst_bytes = call.bits(0) / 8;
  step.src_bytes = src_bits / 8;
  set_context(call, step.context);
  step.saturate = saturates ? call.operand(0).dtype : -1;
  step.op = call.v.op;
  step.reads_dst = row.reads_dst;
  step.fold_row = step.fold_pitch = 0;
  core.put_off.compute_next(n);
}

[[gnu::noinline]] bool admit_count(const VectorCall& call, const Row& row) {
  const uint64_t n = call.v.count;
  Footprint footprint = footprint_of(call);
  for (unsigned i = 0; i < call.v.operand_count; ++i)
    footprint.make([&] { return run_of(call, i, (n * call.bits(i) + 7) / 8, i == 0); });
  if (row.reads_dst) footprint.make([&] { return run_of(call, 0, n * call.bits(0) / 8, false); });
  return call.core.observer->admit(call.core, footprint);
}

// The count form: everything is one contiguous row.
void run_count(const VectorCall& call, const Row& row) {
  const opk_vector_v1& v = call.v;
  for (unsigned i = 0; i < v.operand_count; ++i) {
    if (!check_extent(call, i, (uint64_t{v.count} * call.bits(i) + 7) / 8, kBlockBytes)) return;
  }
  if (call.core.observer && !admit_count(call, row)) return;
  uint8_t* dst = call.address(0);
  const uint8_t* a = row.sources > 0 ? source_of(call, 1) : dst;
  const uint8_t* b = row.sources > 1 ? source_of(call, 2) : a;
  compute(call, row, dst, a, b);
}

struct Job {
  const VectorCall& call;
  const Row& row;
  RowContext context;
  Lanes lanes;
  Side side[3];
  bool saturates;

  void run(uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t n) const {
    run_as(row.fn, dst, a, b, n);
  }
  void run_as(RowFn fn, uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t n) const {
    fn(dst, row.sources > 0 ? a : dst, row.sources > 1 ? b : row.sources > 0 ? a : dst, context, n);
    if (saturates) saturate_row(call.operand(0).dtype, dst, n);
  }
  // All blocks of the second source are one.
  bool folds() const {
    return row.sources == 2 && row.folded && side[2].block_step == 0 && side[2].repeat_step == 0;
  }
};

bool meets(const Side& dst, const Side& src, uint64_t n) {
  if (src.base == dst.base) return src.bits != dst.bits;
  return src.base < dst.base + dst.bytes(n) && dst.base < src.base + src.bytes(n);
}

// All iterations are full and follow each other without gaps: one row does it.
bool is_one_row(const Job& job) {
  const Lanes& lanes = job.lanes;
  if (lanes.mask.end() != lanes.per_repeat || !lanes.mask.is_prefix() || !lanes.last.is_prefix())
    return false;
  const uint64_t n = uint64_t{lanes.repeats} * lanes.per_repeat;
  for (unsigned i = 0; i < job.call.v.operand_count; ++i) {
    const Side& side = job.side[i];
    if (side.block_step != kBlockBytes) return false;
    if (lanes.repeats > 1 && side.repeat_step != side.bytes(lanes.per_repeat)) return false;
    if (i > 0 && lanes.repeats > 1 && meets(job.side[0], side, n)) return false;
  }
  return true;
}

void run_repeat(const Job& job, uint32_t r) {
  alignas(64) uint8_t room[3][kRepeatBytes];
  const Mask& mask = job.lanes.of(r);
  const uint32_t n = mask.end();
  const Side& to = job.side[0];
  const uint8_t* a = job.row.sources > 0 ? gather_repeat(job.side[1], r, n, room[1]) : nullptr;
  const uint8_t* b = job.row.sources > 1 ? gather_repeat(job.side[2], r, n, room[2]) : nullptr;
  if (to.dense(n) && mask.is_prefix() && to.bits >= 8) return job.run(to.at(r), a, b, n);
  if (job.row.reads_dst || to.bits < 8) {
    const uint8_t* old = gather_repeat(to, r, n, room[0]);
    if (old != room[0]) std::memcpy(room[0], old, to.bytes(n));
  }
  job.run(room[0], a, b, n);
  scatter_repeat(to, r, mask, room[0]);
}

SideBlocks blocks_of(const Job& job, unsigned i) {
  return {job.side[i], job.lanes.mask.end() / job.side[i].per_block};
}

// Tells whether neither the order of iterations nor that of their blocks matters.
bool has_no_order(const Job& job) {
  const Side& to = job.side[0];
  const SideBlocks dst = blocks_of(job, 0);
  const uint32_t repeats = job.lanes.repeats;
  if (!dst.apart(repeats)) return false;
  for (unsigned i = 1; i < job.call.v.operand_count; ++i) {
    const Side& from = job.side[i];
    const bool in_place = from.base == to.base && from.bits == to.bits &&
                          from.block_step == to.block_step && from.repeat_step == to.repeat_step;
    if (in_place) continue;
    if (from.base < to.base + dst.extent(repeats) &&
        to.base < from.base + blocks_of(job, i).extent(repeats))
      return false;
  }
  return true;
}

// All iterations take whole blocks.
bool is_of_blocks(const Job& job) {
  const Lanes& lanes = job.lanes;
  if (lanes.mask.none() || !lanes.mask.is_prefix() || lanes.mask.end() != lanes.last.end() ||
      !lanes.last.is_prefix())
    return false;
  for (unsigned i = 0; i < job.call.v.operand_count; ++i) {
    if (job.side[i].bits < 8 || lanes.mask.end() % job.side[i].per_block != 0) return false;
  }
  return has_no_order(job);
}

// Runs some iterations at once, brought together and put back block by block.
void run_blocks(const Job& job) {
  constexpr uint32_t kAtOnce = 8;
  alignas(64) uint8_t room[3][kAtOnce * kRepeatBytes];
  const SideBlocks to = blocks_of(job, 0);
  const uint32_t n = job.lanes.mask.end();
  const bool folds = job.folds();
  for (uint32_t r = 0; r < job.lanes.repeats; r += kAtOnce) {
    const uint32_t repeats = std::min(kAtOnce, job.lanes.repeats - r);
    const auto source = [&](unsigned i) {
      return job.row.sources < i ? nullptr : blocks_of(job, i).gather(r, repeats, room[i]);
    };
    const uint8_t *a = source(1), *b = folds ? job.side[2].base : source(2);
    uint8_t* dst = to.dense() ? job.side[0].at(r) : room[0];
    if (job.row.reads_dst) to.gather(r, repeats, room[0]);
    job.run_as(folds ? job.row.folded : job.row.fn, dst, a, b, uint64_t{repeats} * n);
    if (!to.dense()) to.scatter(r, repeats, room[0]);
  }
}

bool check_block_stride(const VectorCall& call, const Side& dst, const Lanes& lanes) {
  if (dst.block_step != 0 || lanes.mask.end() <= dst.per_block) [[likely]]
    return true;
  refuse(call, "EK1206", "the destination's block stride is 0, which is undefined",
         "set dstBlkStride to 1, or to the distance of its blocks");
  return false;
}

bool admit(const Job& job) {
  const VectorCall& call = job.call;
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  for (unsigned i = 0; i < call.v.operand_count; ++i)
    add_accesses(footprint, call, i, job.side[i], job.lanes, i == 0);
  if (job.row.reads_dst) add_accesses(footprint, call, 0, job.side[0], job.lanes, false);
  return call.core.observer->admit(call.core, footprint);
}

// Elements per iteration follow the wider type: 256 bytes of it.
uint32_t elements_per_repeat(const VectorCall& call) {
  uint32_t widest = 0;
  for (unsigned i = 0; i < call.v.operand_count; ++i)
    widest = call.bits(i) > widest ? call.bits(i) : widest;
  return 8 * kRepeatBytes / widest;
}

void run_repeats(const VectorCall& call, const Row& row) {
  Job job{call, row, context_of(call), {}, {}, row.saturates && call.saturates()};
  const uint32_t per_repeat = elements_per_repeat(call);
  if (!lanes_of(call, per_repeat, job.lanes) || job.lanes.repeats == 0) return;
  for (unsigned i = 0; i < call.v.operand_count; ++i) {
    job.side[i] = side_of(call, i, per_repeat);
    if (!check_extent(call, i, job.side[i].extent(job.lanes), kBlockBytes)) return;
  }
  if (!check_block_stride(call, job.side[0], job.lanes)) return;
  if (!admit(job)) return;
  if (is_one_row(job)) {
    const uint64_t n = uint64_t{job.lanes.repeats - 1} * per_repeat + job.lanes.last.end();
    return job.run(job.side[0].base, job.side[1].base, job.side[2].base, n);
  }
  if (is_of_blocks(job)) return run_blocks(job);
  for (uint32_t r = 0; r < job.lanes.repeats; ++r) run_repeat(job, r);
}

// The usual shape, when nobody observes. False: it has another one.
bool run_strip(const VectorCall& call, const Row& row) {
  if (call.core.observer) return false;
  RowStrip& strip = call.core.put_off.next_strip();
  if (!strip_of(call, row, strip)) return false;
  set_context(call, strip.step.context);
  return call.core.put_off.compute_next_strip(), true;
}

}  // namespace

RowContext context_of(const VectorCall& call) {
  RowContext c;
  set_context(call, c);
  return c;
}

void run_elementwise(const VectorCall& call) {
  const Row* row = row_of(call);
  if (!row) return;
  if (call.v.form == OPK_LANES_COUNT) {
    if (call.bits(0) < 8 || (call.v.operand_count > 1 && call.bits(1) < 8))
      call.core.put_off.settle();
    if (call.v.count) run_count(call, *row);
    return;
  }
  if (run_strip(call, *row)) return;
  call.core.put_off.settle();
  run_repeats(call, *row);
}

}  // namespace opkit::core
