#include "opkit/core/modes/reorder.h"

#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opkit/core/modes/reorder/pending.h"

namespace opkit::core {

using namespace reorder;

namespace {

constexpr std::array<PendingPipe, kSlots> kAll = {kS, kV, kM, kMte1, kMte2, kMte3, kFix};

// Results that go into registers, or that S reads: the compiler orders S behind them.
bool leaves_register(const opk_vector_v1& v) {
  enum Leaves : bool { UB, REGISTER };
  static constexpr bool kLeaves[] = {
#define X(id, name, sources, family, cost, leaves, ...) leaves,
#include "opkit/abi/vector_ops.inc"
#undef X
  };
  return kLeaves[v.op] || v.result != nullptr;
}

}  // namespace

uint64_t SeededChoice::next() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

class Reorder::Impl {
 public:
  // What one core has under way.
  struct Lane {
    explicit Lane(Core& core) : pending(core) {}
    Pending pending;
    std::unordered_map<uint32_t, PipeMoment> flags;  // src, dst, id
    // Holds by id the moments of EnQue and of FreeTensor.
    std::vector<std::array<PipeMoment, 2>> buffers;
  };

  Impl(uint64_t seed, Observer* next_observer) : inner(next_observer), choice_(seed), order_(kAll) {
    if (seed == kLatest) return;
    eagerness_ = choice_.below(kMostEager);
    swaps_ = choice_.below(2) == 1;
    for (size_t i = kSlots - 1; i > 0; --i) std::swap(order_[i], order_[choice_.below(i + 1)]);
  }

  Lane& of(const Core& core) { return lanes_.at(&core); }

  void begin(Core& core) {
    lanes_.erase(&core);
    lanes_.try_emplace(&core, core);
    for (int m = OPK_MEM_UB; m < OPK_MEM_COUNT; ++m) {
      if (core.memory[m]) std::memset(core.memory[m], 0xff, core.memory_size[m]);
    }
  }

  // True: the instruction runs now.
  bool issue(Core& core, const Footprint& f) {
    Pending& pending = of(core).pending;
    if (pending.running()) return true;
    const PendingPipe pipe = slot_of(f.pipe);
    if (f.kind == InstructionKind::kScalar) return scalar(core, f), true;
    if (pipe == kS || f.kind == InstructionKind::kMatmul) return pending.finish_all(order_), true;
    if (runs_now(f)) return pending.finish(pipe), true;
    unit_flag(pending, f);
    const bool table = fills_fixpipe_buffer(f);
    if (table) pending.wait(pipe, pending.moment(kFix));
    fill(pending.issue(pipe), core, f);
    if (table) pending.wait(kFix, pending.moment(pipe));
    chance(pending);
    return false;
  }

  bool defers(Core& core, const opk_vector_v1& v) {
    Pending& pending = of(core).pending;
    if (pending.running()) return false;
    if (!leaves_register(v)) return true;
    pending.finish(kV);
    return false;
  }

  void set(Core& core, uint32_t flag, PendingPipe src) { of(core).flags[flag] = moment(core, src); }
  void wait(Core& core, uint32_t flag, PendingPipe dst) {
    Lane& lane = of(core);
    if (const auto set = lane.flags.find(flag); set != lane.flags.end())
      lane.pending.wait(dst, set->second);
  }
  PipeMoment moment(Core& core, PendingPipe src) { return of(core).pending.moment(src); }

  void finish(Core& core) { of(core).pending.finish_all(order_); }

  Observer* inner;

 private:
  static constexpr uint64_t kLatest = 1, kMostEager = 4;

  // Several address lists, or a result that somebody may read from a register.
  static bool runs_now(const Footprint& f) {
    if (f.kind == InstructionKind::kTranspose16) return true;
    return f.kind == InstructionKind::kVector &&
           leaves_register(*static_cast<const opk_vector_v1*>(f.instruction));
  }

  static void fill(Entry& entry, const Core& core, const Footprint& f) {
    copy_instruction(f, entry);
    entry.registers = core;
    for (uint32_t i = 0; i < f.access_count; ++i) entry.extents.push_back(extent_of(f.access[i]));
  }

  static void copy_instruction(const Footprint& f, Entry& entry) {
    switch (f.kind) {
      case InstructionKind::kCopy:
        entry.what = *static_cast<const opk_copy_v1*>(f.instruction);
        break;
      case InstructionKind::kLoad:
        entry.what = *static_cast<const opk_load_v1*>(f.instruction);
        break;
      case InstructionKind::kMmad:
        entry.what = *static_cast<const opk_mmad_v1*>(f.instruction);
        break;
      case InstructionKind::kFixpipe:
        entry.what = *static_cast<const opk_fixpipe_v1*>(f.instruction);
        break;
      default: entry.what = *static_cast<const opk_vector_v1*>(f.instruction); break;
    }
  }

  // A page puts such a copy on FIX, another one on MTE1: it keeps the order of both.
  static bool fills_fixpipe_buffer(const Footprint& f) {
    return f.kind == InstructionKind::kCopy &&
           static_cast<const opk_copy_v1*>(f.instruction)->dst.memory == OPK_MEM_FB;
  }

  // Hardware orders Mmad and Fixpipe that both say so, block by block.
  static void unit_flag(Pending& pending, const Footprint& f) {
    if (f.kind == InstructionKind::kMmad &&
        static_cast<const opk_mmad_v1*>(f.instruction)->unit_flag)
      pending.wait(kM, pending.moment(kFix));
    if (f.kind == InstructionKind::kFixpipe &&
        static_cast<const opk_fixpipe_v1*>(f.instruction)->unit_flag)
      pending.wait(kFix, pending.moment(kM));
  }

  // GetValue and SetValue: the compiler of the vector core orders them against V, MTE2 and MTE3.
  // Through a reference the kernel may write.
  void scalar(Core& core, const Footprint& f) {
    if (core.kind == OPK_CORE_AIC) return;
    ByteExtent extent = extent_of(f.access[0]);
    extent.write |= f.access[0].reference;
    for (const PendingPipe pipe : order_) {
      if (pipe == kV || pipe == kMte2 || pipe == kMte3)
        of(core).pending.finish_touching(pipe, extent);
    }
  }

  void chance(Pending& pending) {
    for (uint64_t n = eagerness_ ? choice_.below(eagerness_ + 1) : 0; n > 0; --n) {
      const PendingPipe pipe = order_[choice_.below(kSlots)];
      if (swaps_ && (pipe == kMte2 || pipe == kMte3) && choice_.below(2)) pending.swap_first(pipe);
      pending.step(pipe);
    }
  }

  SeededChoice choice_;
  std::array<PendingPipe, kSlots> order_;  // tells in which order pipes are emptied
  uint64_t eagerness_ = 0;                 // entries that are done, at most, when one is issued
  bool swaps_ = false;
  std::unordered_map<const Core*, Lane> lanes_;
};

Reorder::Reorder(uint64_t seed, Observer* inner) : impl_(std::make_unique<Impl>(seed, inner)) {}
Reorder::~Reorder() = default;

void Reorder::launch_begins(const LaunchRequest& request) {
  if (impl_->inner) impl_->inner->launch_begins(request);
}

void Reorder::core_begins(Core& core) {
  impl_->begin(core);
  if (impl_->inner) impl_->inner->core_begins(core);
}

bool Reorder::admit(Core& core, const Footprint& f) {
  if (impl_->inner && !impl_->of(core).pending.running() && !impl_->inner->admit(core, f))
    return false;
  return impl_->issue(core, f);
}

bool Reorder::defers(Core& core, const opk_vector_v1& v) { return impl_->defers(core, v); }

bool Reorder::recover(Core& core, const Fault& fault) {
  return impl_->inner && impl_->inner->recover(core, fault);
}

bool Reorder::forbids_excess() const { return impl_->inner && impl_->inner->forbids_excess(); }

void Reorder::flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
                   const void* pc) {
  if (impl_->inner) impl_->inner->flag(core, op, src, dst, id, pc);
  const uint32_t flag = uint32_t{slot_of(src)} << 16 | uint32_t{slot_of(dst)} << 12 |
                        (static_cast<uint32_t>(id) & 0xfff);
  if (op == OPK_SYNC_SET) {
    impl_->set(core, flag, slot_of(src));
  } else {
    impl_->wait(core, flag, slot_of(dst));
  }
}

void Reorder::barrier(Core& core, opk_pipe pipe, const void* pc) {
  if (impl_->inner) impl_->inner->barrier(core, pipe, pc);
  if (pipe == OPK_PIPE_ALL) return impl_->finish(core);
  impl_->of(core).pending.fence(slot_of(pipe));
}

// The flag rises when its pipe has done all work issued before; work of the other pipes stays put
// off.
void Reorder::cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                         const void* pc) {
  if (impl_->inner) impl_->inner->cross_flag(core, op, mode, pipe, id, pc);
  if (op == OPK_SYNC_SET) impl_->of(core).pending.finish(slot_of(pipe));
}

void Reorder::sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) {
  if (impl_->inner) impl_->inner->sync_all(core, op, bits, pc);
  if (op == OPK_SYNC_SET) impl_->finish(core);
}

void Reorder::gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) {
  if (impl_->inner) impl_->inner->gm_word(core, op, word, pc);
  if (op == OPK_SYNC_SET) impl_->finish(core);
}

void Reorder::buffer(Core& core, const opk_buffer_v1& b, const void* pc) {
  if (impl_->inner) impl_->inner->buffer(core, b, pc);
  Impl::Lane& lane = impl_->of(core);
  if (b.op == OPK_B_INIT || b.op >= OPK_B_GET) return;
  if (b.op == OPK_B_RESET) {
    for (const auto& moments : lane.buffers) lane.pending.finish(moments[1]);
    return lane.buffers.clear();
  }
  if (lane.buffers.size() <= b.buffer) lane.buffers.resize(size_t{b.buffer} + 1);
  const bool forward = b.op == OPK_B_ENQUE || b.op == OPK_B_DEQUE;
  PipeMoment& moment = lane.buffers[b.buffer][forward ? 0 : 1];
  if (b.op == OPK_B_ENQUE || b.op == OPK_B_FREE) {
    moment = lane.pending.moment(slot_of(static_cast<opk_pipe>(b.set_src)));
  } else {
    lane.pending.wait(slot_of(static_cast<opk_pipe>(b.set_dst)), moment);
  }
}

void Reorder::cache_cleaned(Core& core, const uint8_t* line) {
  if (impl_->inner) impl_->inner->cache_cleaned(core, line);
}

void Reorder::library_call(Core& core) {
  if (impl_->inner) impl_->inner->library_call(core);
}

int64_t Reorder::cycle(Core& core) { return impl_->inner ? impl_->inner->cycle(core) : -1; }

void Reorder::kernel_returned(Core& core) {
  impl_->finish(core);
  if (impl_->inner) impl_->inner->kernel_returned(core);
}

void Reorder::core_ends(Core& core) {
  if (impl_->inner) impl_->inner->core_ends(core);
}

void Reorder::launch_ends() {
  if (impl_->inner) impl_->inner->launch_ends();
}

}  // namespace opkit::core
