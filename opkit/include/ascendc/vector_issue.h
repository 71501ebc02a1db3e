// How vector calls become instructions of the engine.
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_ISSUE_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_ISSUE_H_

#include "opkit/include/ascendc/block_begins.h"
#include "opkit/include/ascendc/limits.h"
#include "opkit/include/ascendc/vector_params.h"

namespace AscendC {
namespace detail {

template <typename T, typename... List>
constexpr bool one_of() {
  return (std::is_same<PrimT<T>, List>::value || ...);
}
template <typename T>
constexpr bool is_real() {
  return one_of<T, half, float>();
}
template <typename T>
constexpr bool is_number() {
  return one_of<T, half, float, int16_t, int32_t>();
}
// Elements of one iteration.
template <typename T>
constexpr uint32_t repeat_elements() {
  return 8 * ONE_REPEAT_BYTE_SIZE / bits_of<T>();
}

OPKIT_INLINE void issue(const opk_vector_v1& v) { core()->isa->vector(core(), &v); }

OPKIT_INLINE opk_vector_v1 vector_call(opk_vector_op op, uint8_t operands) {
  opk_vector_v1 v{};
  v.op = static_cast<uint16_t>(op);
  v.operand_count = operands;
  return v;
}

struct FaultText {
  char text[224];
};
[[gnu::cold, gnu::noinline]] inline FaultText count_text(const char* name, long long count) {
  FaultText t;
  __builtin_snprintf(t.text, sizeof t.text,
                     "%s: the count %lld is negative; leave the call out when nothing is left",
                     name, count);
  return t;
}
// In line, so that the report names the author's line.
OPKIT_INLINE void refuse_count(const char* name, long long count) {
  core()->isa->fault(core(), "EK1214", count_text(name, count).text);
}

constexpr const char* op_name(uint32_t op) {
  constexpr const char* names[] = {
#define X(id, name, ...) #name,
#include "opkit/abi/vector_ops.inc"
#undef X
  };
  return names[op];
}

// Continuous form: runs in counter mode, and leaves normal mode with a full mask.
template <typename Count>
OPKIT_INLINE void set_count(opk_vector_v1& v, Count count) {
  if (__builtin_expect(static_cast<int64_t>(count) < 0, 0))
    refuse_count(op_name(v.op), static_cast<long long>(count));
  v.form = OPK_LANES_COUNT;
  v.count = static_cast<uint32_t>(count);
  core()->mask_mode = 0;
  core()->mask[0] = core()->mask[1] = ~uint64_t{0};
}

// The first n elements.
OPKIT_INLINE void set_prefix_mask(uint64_t n) {
  core()->mask[0] = n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
  core()->mask[1] = n >= 128 ? ~uint64_t{0} : n > 64 ? (uint64_t{1} << (n - 64)) - 1 : 0;
}

// The mask argument goes through the mask register, where a later call with isSetMask = false finds
// it. In counter mode the register holds a number of elements.
template <typename T, bool isSetMask>
OPKIT_INLINE void set_repeats(opk_vector_v1& v, uint64_t mask, uint32_t repeats) {
  if (isSetMask) {
    if (core()->mask_mode) {
      core()->mask[0] = mask;
    } else {
      set_prefix_mask(mask > repeat_elements<T>() ? repeat_elements<T>() : mask);
    }
  }
  v.form = OPK_LANES_REGISTER;
  v.repeat = static_cast<uint16_t>(repeats > 0xffff ? 0xffff : repeats);
}
template <typename T, bool isSetMask>
OPKIT_INLINE void set_repeats(opk_vector_v1& v, const uint64_t mask[], uint32_t repeats) {
  if (isSetMask) {
    core()->mask[0] = mask[0];
    core()->mask[1] = repeat_elements<T>() > 64 ? mask[1] : 0;
  }
  v.form = OPK_LANES_REGISTER;
  v.repeat = static_cast<uint16_t>(repeats > 0xffff ? 0xffff : repeats);
}

// Marks the overload that takes a scalar in the primitive type of the tensor's elements.
struct ByPrimitive {};

// The wider of two element types decides how many elements an iteration has.
template <typename T, typename U>
using Wider = std::conditional_t<(bits_of<T>() >= bits_of<U>()), T, U>;

template <typename T, typename U, typename Count>
OPKIT_INLINE void unary(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<U>& src,
                        Count count, uint64_t scalar = 0, uint8_t mode = 0) {
  opk_vector_v1 v = vector_call(op, 2);
  put(v.operand[0], dst);
  put(v.operand[1], src);
  v.scalar[0] = scalar;
  v.mode = mode;
  set_count(v, count);
  issue(v);
}

template <bool isSetMask, typename T, typename U, typename Mask>
OPKIT_INLINE void unary(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<U>& src,
                        Mask mask, uint8_t repeats, const UnaryRepeatParams& p, uint64_t scalar = 0,
                        uint8_t mode = 0, uint8_t flags = 0) {
  opk_vector_v1 v = vector_call(op, 2);
  put(v.operand[0], dst, p.dstBlkStride, p.dstRepStride);
  put(v.operand[1], src, p.srcBlkStride, p.srcRepStride);
  v.scalar[0] = scalar;
  v.mode = mode;
  v.flags = flags;
  set_repeats<Wider<T, U>, isSetMask>(v, mask, repeats);
  issue(v);
}

template <typename T, typename U, typename Count>
OPKIT_INLINE void binary(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                         const LocalTensor<U>& src1, Count count) {
  opk_vector_v1 v = vector_call(op, 3);
  put(v.operand[0], dst);
  put(v.operand[1], src0);
  put(v.operand[2], src1);
  set_count(v, count);
  issue(v);
}

template <bool isSetMask, typename T, typename U, typename Mask>
OPKIT_INLINE void binary(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                         const LocalTensor<U>& src1, Mask mask, uint8_t repeats,
                         const BinaryRepeatParams& p) {
  opk_vector_v1 v = vector_call(op, 3);
  put(v.operand[0], dst, p.dstBlkStride, p.dstRepStride);
  put(v.operand[1], src0, p.src0BlkStride, p.src0RepStride);
  put(v.operand[2], src1, p.src1BlkStride, p.src1RepStride);
  set_repeats<Wider<T, U>, isSetMask>(v, mask, repeats);
  issue(v);
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_ISSUE_H_
