// The only file with machine code: loops over registers of lanes, put together by xbyak.
#include "opkit/core/replay/loop_code.h"

#ifdef OPKIT_HAS_XBYAK
#include <array>

#include "opkit/core/replay/x86_lanes.h"

namespace opkit::core {
namespace {

constexpr size_t kMostCode = 64 << 10;  // bytes of one loop

// Writes the machine code of one loop: the System V calling convention, one argument, the frame.
class LoopWriter : private X86Lanes {
 public:
  LoopWriter(const LoopBody& body, const LoopRegisters& registers, uint32_t lanes, bool avx512,
             uint8_t* room)
      : X86Lanes(body, registers, lanes, avx512, room, kMostCode) {
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
    if (from.element == LoopStream::Element::kHalf) {
      vcvtph2ps(to, address(s.stream));
    } else if (from.element == LoopStream::Element::kBFloat) {
      vpmovzxwd(to, address(s.stream));
      vpslld(to, to, 16);
    } else if (from.walk == LoopStream::Walk::kBlocks && lanes_ == 16) {
      vbroadcastf32x8(Zmm(to.getIdx()), address(s.stream));
    } else {
      vmovups(to, address(s.stream));
    }
  }

  void store(const LaneStep& s) {
    const Xmm from = first(s.a);
    if (body_.streams[s.stream].element != LoopStream::Element::kWord) {
      vmovups(address(s.stream), half(static_cast<uint8_t>(from.getIdx())));
    } else {
      vmovups(address(s.stream), from);
    }
  }

  void step(const LaneStep& s) {
    switch (s.op) {
      case LaneOp::kLoad: return load(s);
      case LaneOp::kStore: return store(s);
      default: return compute(s);
    }
  }

  uint32_t rows_ = 0;
  std::vector<uint32_t> pointer_of_;  // is indexed by stream
  const Reg index_ = rax, row_end_ = rcx, ub_ = rsi;
};

// Returns how many lanes a register is to have; 0: rows do not consist of whole ones.
uint32_t lanes_for(const LoopBody& body, bool avx512) {
  const uint64_t whole = body.row != 0 ? body.row : body.n;
  const bool fits = body.row != 0 ? whole % 16 == 0 : whole >= 16;
  if (avx512 && fits) return 16;
  if (body.row != 0 ? whole % 8 != 0 : whole < 8) return 0;
  // A block of halves is two registers of 8.
  for (const LoopStream& s : body.streams) {
    if (s.element != LoopStream::Element::kWord && s.walk == LoopStream::Walk::kBlocks) return 0;
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
  const auto registers =
      assign_registers(body, X86Lanes::kFirstValue, (avx512 ? 32 : 16) - X86Lanes::kFirstValue);
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
