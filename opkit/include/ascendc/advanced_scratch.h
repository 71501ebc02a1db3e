// Temporaries of the advanced calls: they lie in sharedTmpBuffer, or in the part of UB that TPipe
// has not given out.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_SCRATCH_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_SCRATCH_H_

#include "opkit/include/ascendc/pipe.h"
#include "opkit/include/ascendc/vector.h"

namespace AscendC {
namespace detail {

[[gnu::cold, gnu::noinline]] inline FaultText scratch_text(const char* name, uint64_t needed,
                                                           uint64_t given) {
  FaultText t;
  __builtin_snprintf(t.text, sizeof t.text,
                     "%s: needs %llu bytes of temporary buffer, but has %llu; give a larger "
                     "sharedTmpBuffer, or leave more of UB to it",
                     name, static_cast<unsigned long long>(needed),
                     static_cast<unsigned long long>(given));
  return t;
}
[[gnu::cold, gnu::noinline]] inline FaultText shape_text(const char* name, const char* what,
                                                         uint64_t value) {
  FaultText t;
  __builtin_snprintf(t.text, sizeof t.text,
                     "%s: %s, but it is %llu; change the shape that is passed, or pad the rows",
                     name, what, static_cast<unsigned long long>(value));
  return t;
}
[[gnu::cold, gnu::noinline]] inline FaultText overlap_text(const char* name) {
  FaultText t;
  __builtin_snprintf(t.text, sizeof t.text,
                     "%s: source and destination overlap, and the destination holds intermediate "
                     "values; give another destination",
                     name);
  return t;
}
[[gnu::cold, gnu::noinline]] inline FaultText apart_text(const char* name, bool temporary) {
  FaultText t;
  __builtin_snprintf(t.text, sizeof t.text,
                     temporary
                         ? "%s: sharedTmpBuffer overlaps an operand, which its page excludes; "
                           "give it memory of its own"
                         : "%s: source and destination overlap, which its page excludes; give "
                           "another destination",
                     name);
  return t;
}
// In line, so that the report names the author's line.
OPKIT_INLINE void refuse_scratch(const char* name, uint64_t needed, uint64_t given) {
  core()->isa->fault(core(), "EK1801", scratch_text(name, needed, given).text);
}
OPKIT_INLINE void refuse_shape(const char* name, const char* what, uint64_t value) {
  core()->isa->fault(core(), "EK1802", shape_text(name, what, value).text);
}
OPKIT_INLINE void refuse_overlap(const char* name) {
  core()->isa->fault(core(), "EK1803", overlap_text(name).text);
}

inline LocalTensor<uint8_t> rest_of_ub() {
  LocalTensor<uint8_t> rest;
  PopStackBuffer<uint8_t, TPosition::VECCALC>(rest);
  return rest;
}

template <typename T, typename U>
OPKIT_INLINE bool overlap(const LocalTensor<T>& a, const LocalTensor<U>& b, uint32_t count) {
  const uint64_t a0 = a.address_.bufferAddr, b0 = b.address_.bufferAddr;
  return a0 < b0 + bytes_of<U>(count) && b0 < a0 + bytes_of<T>(count);
}

// Bytes of UB. Of a whole temporary buffer: all that it may use.
struct Extent {
  uint64_t begin, end;
};
template <typename T>
OPKIT_INLINE Extent extent(const LocalTensor<T>& tensor, uint64_t count) {
  return {tensor.address_.bufferAddr, tensor.address_.bufferAddr + bytes_of<T>(count)};
}
OPKIT_INLINE Extent extent(const LocalTensor<uint8_t>& tmp) { return extent(tmp, tmp.GetLength()); }
OPKIT_INLINE bool meet(const Extent& a, const Extent& b) {
  return (a.begin > b.begin ? a.begin : b.begin) < (a.end < b.end ? a.end : b.end);
}

OPKIT_INLINE bool is_strict() {
  return __builtin_expect(core()->observed == OPK_OBSERVED_STRICT, 0);
}
// What pages exclude, and the chip does for better or worse: Checked alone refuses it. True: it is
// refused, and the call has no effect. The destination and each of the others must be apart.
template <typename... Others>
OPKIT_INLINE bool excludes_overlap(const char* name, const Extent& dst, const Others&... others) {
  if (!is_strict() || !(meet(dst, others) || ...)) return false;
  core()->isa->fault(core(), "EK1803", apart_text(name, false).text);
  return true;
}
// Judges a temporary buffer and every operand.
template <typename... Operands>
OPKIT_INLINE bool excludes_shared(const char* name, const LocalTensor<uint8_t>& tmp,
                                  const Operands&... operands) {
  if (!is_strict() || !(meet(extent(tmp), operands) || ...)) return false;
  core()->isa->fault(core(), "EK1803", apart_text(name, true).text);
  return true;
}
// Both, for the calls whose pages exclude both.
template <typename... Others>
OPKIT_INLINE bool excludes_any(const char* name, const LocalTensor<uint8_t>& tmp, const Extent& dst,
                               const Others&... others) {
  return excludes_overlap(name, dst, others...) || excludes_shared(name, tmp, dst, others...);
}

// Hands out consecutive pieces, 32 bytes aligned.
class Scratch {
 public:
  OPKIT_INLINE Scratch(const char* name, const LocalTensor<uint8_t>& memory)
      : call_(name), name_(name), memory_(memory) {}

  uint32_t left() const { return memory_.GetLength() - used_; }

  template <typename T>
  OPKIT_INLINE LocalTensor<T> take(uint32_t count) {
    const uint64_t bytes = (bytes_of<T>(count) + 31) / 32 * 32;
    if (__builtin_expect(used_ + bytes > memory_.GetLength(), 0))
      refuse_scratch(name_, used_ + bytes, memory_.GetLength());
    LocalTensor<T> piece = memory_[used_].template ReinterpretCast<T>();
    piece.SetBufferLen(static_cast<uint32_t>(bytes));
    used_ += static_cast<uint32_t>(bytes);
    return piece;
  }

 private:
  LibraryCall call_;
  const char* name_;
  LocalTensor<uint8_t> memory_;
  uint32_t used_ = 0;
};

// Float temporaries of one piece of an element-wise call.
struct Floats {
  LocalTensor<float> memory;
  uint32_t piece;  // elements of each

  LocalTensor<float> operator[](uint32_t index) const {
    LocalTensor<float> t = memory[index * piece];
    t.SetSize(piece);
    return t;
  }
};

// Runs f(first, n, floats) until `count` elements are done; `live` floats per element fit the
// buffer.
template <typename F>
OPKIT_INLINE void in_pieces(const char* name, const LocalTensor<uint8_t>& tmp, uint32_t live,
                            uint32_t count, F&& f) {
  const LibraryCall call(name);
  uint32_t piece = tmp.GetLength() / (live * 64) * 16;
  if (__builtin_expect(piece == 0 && count != 0, 0))
    return refuse_scratch(name, live * 64, tmp.GetLength());
  if (piece >= 64) piece = piece / 64 * 64;
  const Floats floats{tmp.ReinterpretCast<float>(), piece};
  for (uint32_t first = 0; first < count; first += piece) {
    f(first, count - first < piece ? count - first : piece, floats);
  }
}

// Back from float: bfloat16_t has no conversion without a direction.
template <typename T>
constexpr RoundMode kNarrowing =
    std::is_same<T, bfloat16_t>::value ? RoundMode::CAST_RINT : RoundMode::CAST_NONE;

// f(y, x..., n, spare floats) computes in float; half sources are cast into temporaries, and y is
// the first of them. y may be the same tensor as the first x, so f writes it last.
template <uint32_t kSpare, typename T, typename F>
OPKIT_INLINE void float_unary(const char* name, const LocalTensor<T>& dst,
                              const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
                              uint32_t count, F&& f) {
  constexpr bool kWiden = std::is_same<T, half>::value;
  in_pieces(name, tmp, kSpare + kWiden, count, [&](uint32_t first, uint32_t n, const Floats& t) {
    if constexpr (kWiden) {
      Cast(t[kSpare], src[first], RoundMode::CAST_NONE, n);
      f(t[kSpare], t[kSpare], static_cast<int32_t>(n), t);
      Cast(dst[first], t[kSpare], RoundMode::CAST_NONE, n);
    } else {
      f(dst[first], src[first], static_cast<int32_t>(n), t);
    }
  });
}
template <uint32_t kSpare, typename T, typename F>
OPKIT_INLINE void float_binary(const char* name, const LocalTensor<T>& dst,
                               const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                               const LocalTensor<uint8_t>& tmp, uint32_t count, F&& f) {
  constexpr bool kWiden = !std::is_same<T, float>::value;
  in_pieces(name, tmp, kSpare + 2 * kWiden, count,
            [&](uint32_t first, uint32_t n, const Floats& t) {
              if constexpr (kWiden) {
                const LocalTensor<float> a = t[kSpare], b = t[kSpare + 1];
                Cast(a, src0[first], RoundMode::CAST_NONE, n);
                Cast(b, src1[first], RoundMode::CAST_NONE, n);
                f(a, a, b, static_cast<int32_t>(n), t);
                Cast(dst[first], a, kNarrowing<T>, n);
              } else {
                f(dst[first], src0[first], src1[first], static_cast<int32_t>(n), t);
              }
            });
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SCRATCH_H_
