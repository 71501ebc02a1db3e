// Compare, CompareScalar, Select. (Pages "Compare", "CompareScalar", "Select", "GetCmpMask".)
#include <cstring>

#include "opkit/core/isa/vector/lanes.h"
#include "opkit/core/rows/rows_bits.h"

namespace opkit::core {
namespace {

// flags bit 0: the bits are the core's compare register instead of a tensor.
bool uses_register(const VectorCall& call) { return call.v.flags & 1; }

const char* compare_name(uint8_t mode) {
  static constexpr const char* kNames[] = {"LT", "GT", "EQ", "LE", "GE", "NE"};
  return mode < 6 ? kNames[mode] : "an unknown CMPMODE";
}

CompareRow compare_row(const VectorCall& call) {
  const opk_operand& a = call.operand(1);
  const CompareRow row = find_compare_row(a.dtype, call.v.mode);
  if (row) return row;
  if (a.dtype == OPK_INT32) {
    refuse(call, "EK1211", std::string("int32_t has no ") + compare_name(call.v.mode),
           "use EQ, or Cast to float first");
  } else if (call.v.mode > 5) {
    refuse(call, "EK1211", std::string("there is ") + compare_name(call.v.mode),
           "use LT, GT, EQ, LE, GE or NE");
  } else {
    refuse_dtypes(call);
  }
  return nullptr;
}

// All iterations are whole; the mask plays no part when bits go to a tensor.
bool whole_lanes(const VectorCall& call, uint32_t per_repeat, Lanes& lanes) {
  const opk_vector_v1& v = call.v;
  if (v.form == OPK_LANES_COUNT) {
    if (v.count % per_repeat != 0) {
      refuse(call, "EK1207",
             "the count " + std::to_string(v.count) + " is not a multiple of " +
                 std::to_string(per_repeat) + " elements (256 bytes)",
             "round the count up; the buffers have to be that large");
      return false;
    }
    lanes.repeats = v.count / per_repeat;
  } else {
    lanes.repeats = uses_register(call) ? 1 : v.repeat;
  }
  lanes.per_repeat = per_repeat;
  lanes.mask = lanes.last = Mask::first(per_repeat);
  return true;
}

void keep_bits(const VectorCall& call, const uint8_t* bits, uint32_t per_repeat) {
  uint64_t fresh[2] = {0, 0};
  std::memcpy(fresh, bits, per_repeat / 8);
  const uint64_t* mask = call.core.mask;
  for (int w = 0; w < 2; ++w)
    call.core.cmp_mask[w] = (call.core.cmp_mask[w] & ~mask[w]) | (fresh[w] & mask[w]);
}

bool admit_compare(const VectorCall& call, const Side* side, const Lanes& lanes,
                   uint64_t bit_bytes) {
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  if (bit_bytes) footprint.add(run_of(call, 0, bit_bytes, true));
  for (unsigned i = 1; i < call.v.operand_count; ++i)
    add_accesses(footprint, call, i, side[i], lanes, false);
  return call.core.observer->admit(call.core, footprint);
}

struct Selection {
  Lanes lanes;
  Side side[4];  // describe the operands; [1] is the bits
  const uint8_t* bits = nullptr;
  uint64_t bit_bytes = 0;
  bool again = false;  // every iteration uses the first bits
};

bool check_selection(const VectorCall& call, Selection& s, uint32_t per_repeat) {
  const opk_vector_v1& v = call.v;
  if (v.mode > 2) {
    refuse(call, "EK1211", "SELMODE " + std::to_string(v.mode) + " does not exist",
           "use VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE or VSEL_TENSOR_TENSOR_MODE");
    return false;
  }
  for (unsigned i = 0; i < v.operand_count; ++i) {
    if (i == 1) continue;
    s.side[i] = side_of(call, i, per_repeat);
    if (!check_extent(call, i, s.side[i].extent(s.lanes), kBlockBytes)) return false;
  }
  s.again = v.mode == 0;
  if (uses_register(call)) {
    s.bits = reinterpret_cast<const uint8_t*>(call.core.cmp_mask);
    s.again = true;
    return true;
  }
  s.bits = call.address(1);
  const uint32_t rest = (s.lanes.last.end() + 7) / 8;
  s.bit_bytes = s.again ? (s.lanes.repeats > 1 ? per_repeat / 8 : rest)
                        : uint64_t{s.lanes.repeats - 1} * per_repeat / 8 + rest;
  return check_extent(call, 1, s.bit_bytes, kBlockBytes);
}

bool admit_selection(const VectorCall& call, const Selection& s) {
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  for (unsigned i = 0; i < call.v.operand_count; ++i) {
    if (i != 1) add_accesses(footprint, call, i, s.side[i], s.lanes, i == 0);
  }
  if (s.bit_bytes) footprint.add(run_of(call, 1, s.bit_bytes, false));
  return call.core.observer->admit(call.core, footprint);
}

void select_repeat(const VectorCall& call, const Selection& s, SelectRow row, uint32_t r) {
  alignas(64) uint8_t room[3][kRepeatBytes];
  const Mask& mask = s.lanes.of(r);
  const uint32_t n = mask.end();
  const uint8_t* a = gather_repeat(s.side[2], r, n, room[1]);
  const uint8_t* b = call.v.operand_count > 3 ? gather_repeat(s.side[3], r, n, room[2]) : nullptr;
  const uint8_t* bits = s.bits + (s.again ? 0 : uint64_t{r} * s.lanes.per_repeat / 8);
  const Side& to = s.side[0];
  if (to.dense(n) && mask.is_prefix()) return row(to.at(r), a, b, call.v.scalar[0], bits, n);
  row(room[0], a, b, call.v.scalar[0], bits, n);
  scatter_repeat(to, r, mask, room[0]);
}

}  // namespace

void run_compare(const VectorCall& call) {
  const CompareRow row = compare_row(call);
  if (!row) return;
  const bool to_register = uses_register(call);
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(1);
  Lanes lanes;
  if (!whole_lanes(call, per_repeat, lanes) || lanes.repeats == 0) return;
  const uint64_t bit_bytes = to_register ? 0 : uint64_t{lanes.repeats} * per_repeat / 8;
  Side side[3];
  for (unsigned i = 1; i < call.v.operand_count; ++i) {
    side[i] = side_of(call, i, per_repeat);
    if (!check_extent(call, i, side[i].extent(lanes), kBlockBytes)) return;
  }
  if (!to_register && !check_extent(call, 0, bit_bytes, kBlockBytes)) return;
  if (!admit_compare(call, side, lanes, bit_bytes)) return;
  const bool tensors = call.v.operand_count > 2;
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    alignas(64) uint8_t room[2][kRepeatBytes];
    uint8_t bits[16];
    const uint8_t* a = gather_repeat(side[1], r, per_repeat, room[0]);
    const uint8_t* b = tensors ? gather_repeat(side[2], r, per_repeat, room[1]) : nullptr;
    uint8_t* out = to_register ? bits : call.address(0) + uint64_t{r} * per_repeat / 8;
    row(out, a, b, call.v.scalar[0], per_repeat);
    if (to_register) keep_bits(call, bits, per_repeat);
  }
}

void run_select(const VectorCall& call) {
  const uint32_t dtype = call.operand(0).dtype;
  if (dtype != OPK_FLOAT16 && dtype != OPK_FLOAT32) return refuse_dtypes(call);
  const SelectRow row = find_select_row(call.bits(0) / 8);
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(0);
  Selection s;
  if (!lanes_of(call, per_repeat, s.lanes) || s.lanes.repeats == 0) return;
  if (!check_selection(call, s, per_repeat) || !admit_selection(call, s)) return;
  if (call.v.form == OPK_LANES_COUNT && !s.again) {
    return row(call.address(0), call.address(2),
               call.v.operand_count > 3 ? call.address(3) : nullptr, call.v.scalar[0], s.bits,
               call.v.count);
  }
  for (uint32_t r = 0; r < s.lanes.repeats; ++r) select_repeat(call, s, row, r);
}

}  // namespace opkit::core
