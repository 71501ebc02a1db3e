#include "opkit/core/replay/loop_code.h"

#ifdef OPKIT_HAS_XBYAK
#include <xbyak/xbyak.h>

#include <array>
#include <utility>

#include "opkit/core/replay/loop_registers.h"

namespace opkit::core {
namespace {

using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

constexpr size_t kMostCode = 64 << 10;  // bytes of one loop
// Vector registers that single operations use for themselves; the others hold values.
constexpr uint8_t kWork = 0, kSecondWork = 1, kFirstValue = 2;
constexpr uint8_t kIsLessInt = 1;  // a predicate of vpcmpd
constexpr uint8_t kIsNan = 3;      // predicates of vcmpps
constexpr uint8_t kIsAtMost = 0x12, kIsNotAtMost = 0x16;
constexpr uint8_t kNearestHalf = 8;  // to nearest even, without exceptions
constexpr int32_t kLeastExponent = -125, kUnits = 149 + 127;

// Writes the machine code of one loop: the System V calling convention, one argument, the frame.
class LoopWriter : private Xbyak::CodeGenerator {
 public:
  LoopWriter(const LoopBody& body, const LoopRegisters& registers, uint32_t lanes, bool avx512,
             uint8_t* room)
      : CodeGenerator(kMostCode, room),
        body_(body),
        registers_(registers.of),
        lanes_(lanes),
        avx512_(avx512),
        pool_(body.values.size()) {
    for (const LoopStream& s : body.streams) take_pointer(s);
  }

  bool fits() const { return rows_ + body_.places <= kMostLoopPlaces; }

  size_t write(uint64_t elements) {
    begin_code();
    Xbyak::Label next_row, next;
    xor_(index_, index_);
    if (body_.row != 0) {
      L(next_row);
      lea(row_end_, ptr[index_ + body_.row]);
      for (const LaneStep& s : body_.at_row) step(s);
    }
    align(32);
    L(next);
    for (const LaneStep& s : body_.steps) step(s);
    add(index_, lanes_);
    body_.row != 0 ? cmp(index_, row_end_) : cmp(index_, static_cast<uint32_t>(elements));
    jb(next, T_NEAR);
    if (body_.row != 0) {
      go_to_next_row();
      cmp(index_, static_cast<uint32_t>(elements));
      jb(next_row, T_NEAR);
    }
    end_code();
    write_pool();
    return getSize();
  }

 private:
  using Reg = Xbyak::Reg64;

  static bool has_rows(const LoopStream& s) { return s.walk != LoopStream::Walk::kAlong; }
  // Places of the frame have the first pointers, rows those behind.
  void take_pointer(const LoopStream& s) {
    pointer_of_.push_back(has_rows(s) ? body_.places + rows_++ : s.place);
  }
  Reg pointer(uint32_t number) const {
    const std::array<Reg, kMostLoopPlaces> all = {r8,  r9,  r10, r11, rdi, rbx,
                                                  rbp, r12, r13, r14, r15};
    return all[number];
  }
  static constexpr uint32_t kFirstSaved = 5;  // rbx and those behind are the caller's
  uint32_t pointers() const { return body_.places + rows_; }

  // rdi holds the frame until all else is read.
  void begin_code() {
    for (uint32_t i = kFirstSaved; i < pointers(); ++i) push(pointer(i));
    mov(index_, rdi);
    mov(ub_, ptr[index_]);
    for (uint32_t i = 0; i < body_.places; ++i) mov(pointer(i), ptr[index_ + 8 * (i + 1)]);
    for (size_t i = 0; i < body_.streams.size(); ++i) {
      const LoopStream& s = body_.streams[i];
      if (!has_rows(s)) continue;
      s.in_gm ? mov(row_end_, pointer(s.place)) : mov(row_end_, ub_);
      lea(pointer(pointer_of_[i]), ptr[row_end_ + static_cast<int32_t>(s.at)]);
    }
    for (size_t v = 0; v < body_.values.size(); ++v) {
      if (!body_.values[v].constant || registers_[v] == LoopRegisters::kInPool) continue;
      vbroadcastss(lane(registers_[v]), ptr[rip + label_of(v)]);
    }
  }

  void end_code() {
    vzeroupper();
    for (uint32_t i = pointers(); i-- > kFirstSaved;) pop(pointer(i));
    ret();
  }

  // The index goes on through rows, so that pointers to rows go back by the row's length.
  void go_to_next_row() {
    for (size_t i = 0; i < body_.streams.size(); ++i) {
      const LoopStream& s = body_.streams[i];
      if (!has_rows(s)) continue;
      int64_t by = s.pitch;
      if (s.walk == LoopStream::Walk::kRows) by -= int64_t{body_.row} * s.size();
      if (by != 0) add(pointer(pointer_of_[i]), static_cast<int32_t>(by));
    }
  }

  // Constants are read from behind the code, by AVX-512 as one lane each.
  void write_pool() {
    align(32);
    for (size_t v = 0; v < body_.values.size(); ++v) {
      if (body_.values[v].constant) write_constant(pool_[v], body_.values[v].bits);
    }
    write_constant(least_, static_cast<uint32_t>(kLeastExponent));
    write_constant(above_tiny_, static_cast<uint32_t>(kLeastExponent - 1));
    write_constant(units_, kUnits);
    write_constant(magnitudes_, 0x7fff7fff);
    write_constant(infinities_, 0x7c007c00);
  }
  void write_constant(Xbyak::Label& label, uint32_t bits) {
    L(label);
    for (uint32_t i = 0; i < (avx512_ ? 1 : lanes_); ++i) dd(bits);
  }
  Xbyak::Label& label_of(size_t value) { return pool_[value]; }

  Xmm lane(uint8_t number) const {
    if (lanes_ == 16) return Zmm(number);
    return Ymm(number);
  }
  // The register of half as many bits.
  Xmm half(uint8_t number) const {
    if (lanes_ == 16) return Ymm(number);
    return Xmm(number);
  }
  Xmm work() const { return lane(kWork); }

  Xbyak::Address pooled(const Xbyak::Label& label) {
    return avx512_ ? ptr_b[rip + label] : ptr[rip + label];
  }
  bool is_pooled(ValueId v) const { return registers_[v] == LoopRegisters::kInPool; }

  // A value as the first operand of an operation, which is a register.
  Xmm first(ValueId v) {
    if (!is_pooled(v)) return lane(registers_[v]);
    vbroadcastss(lane(kSecondWork), ptr[rip + label_of(v)]);
    return lane(kSecondWork);
  }
  template <typename F>
  void with_second(ValueId v, F&& f) {
    if (is_pooled(v)) {
      f(pooled(label_of(v)));
    } else {
      f(lane(registers_[v]));
    }
  }

  Xbyak::Address address(uint16_t stream) {
    const LoopStream& s = body_.streams[stream];
    const int size = static_cast<int>(s.size());
    if (s.walk == LoopStream::Walk::kBlocks) return ptr[pointer(pointer_of_[stream])];
    if (has_rows(s)) return ptr[pointer(pointer_of_[stream]) + index_ * size];
    const Reg base = s.in_gm ? pointer(s.place) : ub_;
    return ptr[base + index_ * size + static_cast<int32_t>(s.at)];
  }

  void load(const LaneStep& s) {
    const LoopStream& from = body_.streams[s.stream];
    const Xmm to = lane(registers_[s.to]);
    if (from.half) {
      vcvtph2ps(to, address(s.stream));
    } else if (from.walk == LoopStream::Walk::kBlocks && lanes_ == 16) {
      vbroadcastf32x8(Zmm(to.getIdx()), address(s.stream));
    } else {
      vmovups(to, address(s.stream));
    }
  }

  void store(const LaneStep& s) {
    const Xmm from = first(s.a);
    if (body_.streams[s.stream].half) {
      vmovups(address(s.stream), half(static_cast<uint8_t>(from.getIdx())));
    } else {
      vmovups(address(s.stream), from);
    }
  }

  void step(const LaneStep& s) {
    switch (s.op) {
      case LaneOp::kLoad: return load(s);
      case LaneOp::kStore: return store(s);
      case LaneOp::kMaxNan:
      case LaneOp::kMinNan: return extreme(s);
      case LaneOp::kRelu: return relu(s);
      case LaneOp::kSelect: return select(s);
      case LaneOp::kTiny: return tiny(s);
      case LaneOp::kToHalf:
      case LaneOp::kFinite:
      case LaneOp::kFromHalf: return halves(s);
      default: return s.b == kNoValue ? unary(s) : binary(s);
    }
  }

  void binary(const LaneStep& s) {
    const Xmm to = lane(registers_[s.to]), a = first(s.a);
    with_second(s.b, [&](const auto& b) {
      switch (s.op) {
        case LaneOp::kAdd: return vaddps(to, a, b);
        case LaneOp::kSub: return vsubps(to, a, b);
        case LaneOp::kMul: return vmulps(to, a, b);
        case LaneOp::kDiv: return vdivps(to, a, b);
        case LaneOp::kMaxRaw: return vmaxps(to, a, b);
        case LaneOp::kMinRaw: return vminps(to, a, b);
        case LaneOp::kAnd: return vandps(to, a, b);
        case LaneOp::kAddInt: return vpaddd(to, a, b);
        case LaneOp::kSubInt: return vpsubd(to, a, b);
        case LaneOp::kMulInt: return vpmulld(to, a, b);
        case LaneOp::kMaxInt: return vpmaxsd(to, a, b);
        default: return vpminsd(to, a, b);
      }
    });
  }

  void unary(const LaneStep& s) {
    const Xmm to = lane(registers_[s.to]), a = first(s.a);
    switch (s.op) {
      case LaneOp::kSqrt: return vsqrtps(to, a);
      case LaneOp::kRound: return avx512_ ? vrndscaleps(to, a, s.how) : vroundps(to, a, s.how);
      case LaneOp::kShiftLeft: return vpslld(to, a, s.how);
      case LaneOp::kShiftRight: return vpsrad(to, a, s.how);
      case LaneOp::kToFloat: return vcvtdq2ps(to, a);
      default: return vcvtps2dq(to, a);
    }
  }

  void halves(const LaneStep& s) {
    const Xmm a = first(s.a), to = lane(registers_[s.to]);
    const Xmm narrow = half(registers_[s.to]), from = half(static_cast<uint8_t>(a.getIdx()));
    if (s.op == LaneOp::kToHalf) return vcvtps2ph(narrow, a, kNearestHalf);
    if (s.op == LaneOp::kFromHalf) return vcvtph2ps(to, from);
    finite(narrow, from);
  }

  // Infinity becomes the half before it, and what is above, NaN, becomes 0.
  void finite(const Xmm& to, const Xmm& from) {
    const Xmm magnitude = half(kWork), second = half(kSecondWork);
    if (!avx512_) {
      vpand(magnitude, from, ptr[rip + magnitudes_]);
      vpcmpgtw(second, magnitude, ptr[rip + infinities_]);
      vpcmpeqw(magnitude, magnitude, ptr[rip + infinities_]);
      vpaddw(magnitude, from, magnitude);
      vpandn(to, second, magnitude);
      return;
    }
    constexpr uint8_t kIsEqual = 0, kIsNotAbove = 2, kAllOnes = 0xff;
    vpandd(magnitude, from, ptr_b[rip + magnitudes_]);
    vpbroadcastd(second, ptr[rip + infinities_]);
    vpcmpw(k1, magnitude, second, kIsEqual);
    vpcmpw(k2, magnitude, second, kIsNotAbove);
    vpternlogd(second, second, second, kAllOnes);
    vmovups(magnitude, from);
    vpaddw(magnitude | k1, from, second);
    vmovdqu16(to | k2 | T_z, magnitude);
  }

  void relu(const LaneStep& s) {
    const Xmm to = lane(registers_[s.to]), a = first(s.a);
    vxorps(work(), work(), work());
    if (avx512_) {
      vcmpps(k1, a, work(), kIsNotAtMost);
      vmovaps(to | k1 | T_z, a);
    } else {
      vcmpps(work(), a, work(), kIsAtMost);
      vandnps(to, work(), a);
    }
  }

  // x86 gives the second operand where one is NaN; the first one wins here.
  void extreme(const LaneStep& s) {
    const Xmm to = lane(registers_[s.to]), a = first(s.a), second = lane(kSecondWork);
    with_second(s.b, [&](const auto& b) {
      s.op == LaneOp::kMaxNan ? vmaxps(work(), a, b) : vminps(work(), a, b);
    });
    avx512_ ? vcmpps(k1, a, a, kIsNan) : vcmpps(second, a, a, kIsNan);
    with_second(s.a, [&](const auto& nan) {
      avx512_ ? vblendmps(to | k1, work(), nan) : vblendvps(to, work(), nan, second);
    });
  }

  void select(const LaneStep& s) {
    const Xmm to = lane(registers_[s.to]), a = first(s.a);
    with_second(s.b, [&](const auto& b) {
      avx512_ ? vcmpps(k1, a, b, s.how) : vcmpps(work(), a, b, s.how);
    });
    const Xmm otherwise = first(s.d);
    with_second(s.c, [&](const auto& then) {
      avx512_ ? vblendmps(to | k1, otherwise, then) : vblendvps(to, otherwise, then, work());
    });
  }

  // Such exponents are rare, and jumped over.
  void tiny(const LaneStep& s) {
    const Xmm to = lane(registers_[s.to]), normal = lane(registers_[s.a]);
    const Xmm mantissa = lane(registers_[s.b]), exponent = lane(registers_[s.c]);
    Xbyak::Label none;
    if (to.getIdx() != normal.getIdx()) vmovaps(to, normal);
    if (avx512_) {
      vpcmpd(k1, exponent, pooled(least_), kIsLessInt);
      kortestw(k1, k1);
      jz(none, T_NEAR);
    } else {
      vpcmpgtd(lane(kSecondWork), exponent, pooled(above_tiny_));
      vmovmskps(scratch_, Ymm(kSecondWork));
      cmp(scratch_, 0xff);
      je(none, T_NEAR);
    }
    vpminsd(work(), exponent, pooled(least_));
    vpaddd(work(), work(), pooled(units_));
    vpslld(work(), work(), 23);
    vmulps(work(), mantissa, work());
    vcvtps2dq(work(), work());
    avx512_ ? vmovaps(to | k1, work()) : vblendvps(to, work(), to, lane(kSecondWork));
    L(none);
  }

  const LoopBody& body_;
  const std::vector<uint8_t>& registers_;
  const uint32_t lanes_;
  const bool avx512_;
  uint32_t rows_ = 0;
  std::vector<uint32_t> pointer_of_;  // is indexed by stream
  std::vector<Xbyak::Label> pool_;
  Xbyak::Label least_, above_tiny_, units_, magnitudes_, infinities_;
  const Reg index_ = rax, row_end_ = rcx, ub_ = rsi;
  const Xbyak::Reg32 scratch_ = edx;
};

// Returns how many lanes a register is to have; 0: rows do not consist of whole ones.
uint32_t lanes_for(const LoopBody& body, bool avx512) {
  const uint64_t whole = body.row != 0 ? body.row : body.n;
  const bool fits = body.row != 0 ? whole % 16 == 0 : whole >= 16;
  if (avx512 && fits) return 16;
  if (body.row != 0 ? whole % 8 != 0 : whole < 8) return 0;
  // A block of halves is two registers of 8.
  for (const LoopStream& s : body.streams) {
    if (s.half && s.walk == LoopStream::Walk::kBlocks) return 0;
  }
  return 8;
}

}  // namespace

LoopHost loop_host() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("f16c")) return LoopHost::kNone;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  return avx512 ? LoopHost::kAvx512 : LoopHost::kAvx2;
}

LoopPart append_loop(const LoopBody& body, LoopHost host, std::vector<uint8_t>& code) {
  const bool avx512 = host == LoopHost::kAvx512;
  const uint32_t lanes = lanes_for(body, avx512);
  if (host == LoopHost::kNone || lanes == 0) return {};
  const auto registers = assign_registers(body, kFirstValue, (avx512 ? 32 : 16) - kFirstValue);
  if (!registers) return {};
  const size_t begin = (code.size() + 63) / 64 * 64;
  std::vector<uint8_t> room(kMostCode);
  try {
    LoopWriter writer(body, *registers, lanes, avx512, room.data());
    if (!writer.fits()) return {};
    const uint64_t elements = body.n / lanes * lanes;
    const size_t bytes = writer.write(elements);
    code.resize(begin);
    code.insert(code.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(bytes));
    return {begin, elements};
  } catch (const Xbyak::Error&) {
    return {};  // too long
  }
}

}  // namespace opkit::core

#else  // no xbyak

namespace opkit::core {

LoopHost loop_host() { return LoopHost::kNone; }
LoopPart append_loop(const LoopBody&, LoopHost, std::vector<uint8_t>&) { return {}; }

}  // namespace opkit::core

#endif
