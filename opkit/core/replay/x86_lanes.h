// Writes single operations on lanes as instructions of x86-64, AVX2's or AVX-512's. A part of
// x86_loops.cpp, the only file that includes it.
#ifndef OPKIT_CORE_REPLAY_X86_LANES_H_
#define OPKIT_CORE_REPLAY_X86_LANES_H_

#include <xbyak/xbyak.h>

#include <vector>

#include "opkit/core/replay/loop_registers.h"

namespace opkit::core {

class X86Lanes : protected Xbyak::CodeGenerator {
 public:
  // Vector registers that single operations use for themselves; values live behind them.
  static constexpr uint8_t kWork = 0, kSecondWork = 1, kFirstValue = 2;

 protected:
  using Xmm = Xbyak::Xmm;
  using Ymm = Xbyak::Ymm;
  using Zmm = Xbyak::Zmm;

  // lanes: 8 or 16 in a register. room: for `most` bytes of code.
  X86Lanes(const LoopBody& body, const LoopRegisters& registers, uint32_t lanes, bool avx512,
           uint8_t* room, size_t most)
      : CodeGenerator(most, room),
        body_(body),
        registers_(registers.of),
        lanes_(lanes),
        avx512_(avx512),
        pool_(body.values.size()) {}

  // Computes what neither loads nor stores.
  void compute(const LaneStep& s) {
    switch (s.op) {
      case LaneOp::kMaxNan:
      case LaneOp::kMinNan: return extreme(s);
      case LaneOp::kRelu: return relu(s);
      case LaneOp::kSelect: return select(s);
      case LaneOp::kTiny: return tiny(s);
      case LaneOp::kToHalf:
      case LaneOp::kFromHalf:
      case LaneOp::kFinite:
      case LaneOp::kToLow:
      case LaneOp::kFromBFloat: return halves(s);
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
        case LaneOp::kOr: return vorps(to, a, b);
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
      case LaneOp::kShiftDown: return vpsrld(to, a, s.how);
      case LaneOp::kToFloat: return vcvtdq2ps(to, a);
      default: return vcvtps2dq(to, a);
    }
  }

  void halves(const LaneStep& s) {
    const Xmm a = first(s.a), to = lane(registers_[s.to]);
    const Xmm narrow = half(registers_[s.to]), from = half(static_cast<uint8_t>(a.getIdx()));
    switch (s.op) {
      case LaneOp::kToHalf: return vcvtps2ph(narrow, a, kNearestHalf);
      case LaneOp::kFromHalf: return vcvtph2ps(to, from);
      case LaneOp::kToLow: return low(narrow, a);
      case LaneOp::kFromBFloat: vpmovzxwd(to, from); return vpslld(to, to, 16);
      default: return finite(narrow, from, s.how == 0 ? infinities_ : bfloat_infinities_);
    }
  }

  void low(const Xmm& to, const Xmm& from) {
    if (avx512_) return vpmovdw(to, from);
    constexpr uint8_t kEvenQuarters = 0x08;
    const Ymm packed(kWork);
    vpackusdw(packed, Ymm(from.getIdx()), Ymm(from.getIdx()));
    vpermq(packed, packed, kEvenQuarters);
    vmovups(to, Xmm(kWork));
  }

  // Infinity becomes the number before it, and what is above, NaN, becomes 0.
  void finite(const Xmm& to, const Xmm& from, const Xbyak::Label& infinities) {
    const Xmm magnitude = half(kWork), second = half(kSecondWork);
    if (!avx512_) {
      vpand(magnitude, from, ptr[rip + magnitudes_]);
      vpcmpgtw(second, magnitude, ptr[rip + infinities]);
      vpcmpeqw(magnitude, magnitude, ptr[rip + infinities]);
      vpaddw(magnitude, from, magnitude);
      vpandn(to, second, magnitude);
      return;
    }
    constexpr uint8_t kIsEqual = 0, kIsNotAbove = 2, kAllOnes = 0xff;
    vpandd(magnitude, from, ptr_b[rip + magnitudes_]);
    vpbroadcastd(second, ptr[rip + infinities]);
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
    write_constant(bfloat_infinities_, 0x7f807f80);
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

  const LoopBody& body_;
  const std::vector<uint8_t>& registers_;
  const uint32_t lanes_;
  const bool avx512_;

 private:
  // Predicates of vpcmpd and of vcmpps.
  static constexpr uint8_t kIsLessInt = 1;
  static constexpr uint8_t kIsNan = 3, kIsAtMost = 0x12, kIsNotAtMost = 0x16;
  static constexpr uint8_t kNearestHalf = 8;  // to nearest even, without exceptions
  static constexpr int32_t kLeastExponent = -125;
  static constexpr uint32_t kUnits = 149 + 127;

  std::vector<Xbyak::Label> pool_;
  Xbyak::Label least_, above_tiny_, units_, magnitudes_, infinities_, bfloat_infinities_;
  const Xbyak::Reg32 scratch_ = edx;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_X86_LANES_H_
