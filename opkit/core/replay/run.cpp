// Runs a program's blocks: groups of steps by machine code where there is some, everything else the
// portable way, one pass of a row function per step and chunk.
#include <algorithm>
#include <cstring>

#include "opkit/core/isa/isa.h"
#include "opkit/core/replay/program.h"
#include "opkit/core/replay/program_code.h"
#include "opkit/core/replay/run_cube.h"
#include "opkit/core/replay/shorten.h"
#include "opkit/core/replay/spans.h"
#include "opkit/core/rows/rows_onto.h"
#include "opkit/core/rows/rows_reduce.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

constexpr uint32_t kTurnedBlocks = 16;  // addresses of either side of TransDataTo5HD

// An operand on its way through the elements.
struct OperandStream {
  uint8_t* begin;
  uint32_t element;  // bytes to go on by per element; 0: scratch memory, used anew for each chunk

  uint8_t* at(uint64_t n) const { return begin + n * element; }
};

class Runner {
 public:
  Runner(Core& core, const BlockClass& does, const LaunchProgram::Block& block,
         const ProgramCode* code, uint8_t* scratch)
      : core_(core),
        does_(does),
        of_class_(block.of_class),
        places_(block.places),
        code_(code),
        scratch_(scratch),
        keeps_views_(core.memory[OPK_MEM_L1] != nullptr) {}

  void run() {
    const std::vector<ProgramStep>& steps = does_.steps;
    for (size_t i = 0; i < steps.size();) {
      size_t end = i + 1;
      while (end < steps.size() && steps[end].joins) ++end;
      if (keeps_views_) tell_of_stores(&steps[i], &steps[0] + end);
      if (steps[i].kind == Kind::kRows) {
        run_joined(&steps[i], &steps[0] + end, run_code(i));
      } else {
        run_one(steps[i]);
      }
      i = end;
    }
  }

 private:
  uint8_t* address(const BytePlace& place) const {
    switch (place.in) {
      case BytePlace::In::kGm: return gm_address(core_, places_[place.index]) + place.at;
      case BytePlace::In::kScratch: return scratch_ + place.at;
      default: return core_.memory[OPK_MEM_UB] + place.at;
    }
  }
  // The cube unit of this core may have put off reading what these steps write in GM.
  void tell_of_stores(const ProgramStep* first, const ProgramStep* end) {
    for (const ProgramStep* s = first; s != end; ++s) {
      if (s->is_kept() || s->to.in != BytePlace::In::kGm) continue;
      const StepTouch all = touched(*s);
      const uint64_t bytes = all.runs[all.count - 1].span().bytes;
      core_.put_off.about_to_write(OPK_MEM_GM, address(s->to), bytes, false);
    }
  }
  OperandStream stream(const BytePlace& place, uint32_t element) const {
    return {address(place), place.in == BytePlace::In::kScratch ? 0 : element};
  }

  static void compute(const ProgramStep& s, uint8_t* to, const uint8_t* a, const uint8_t* b,
                      uint64_t n) {
    s.fn(to, a, b, s.context, n);
    if (s.saturate >= 0) saturate_row(static_cast<uint32_t>(s.saturate), to, n);
  }

  // One chunk of a step, from element number `from` on.
  struct Flow {
    OperandStream to, a, b;
  };
  static void run_chunk(const ProgramStep& s, const Flow& f, uint64_t from, uint64_t n) {
    if (s.fold_row == 0) return compute(s, f.to.at(from), f.a.at(from), f.b.at(from), n);
    const uint64_t begin = from;
    for (const uint64_t end = from + n; from < end;) {
      const uint64_t row = from / s.fold_row, column = from % s.fold_row;
      const uint64_t part = std::min((row + 1) * s.fold_row, end) - from;
      const uint8_t* b = f.b.begin + row * s.fold_pitch + (s.folded ? 0 : column * s.src_bytes);
      const uint8_t* a =
          s.folds_a ? f.a.begin + column * s.src_bytes : piece(f.a, s.src_bytes, begin, from);
      compute(s, piece(f.to, s.to_bytes, begin, from), a, b, part);
      from += part;
    }
  }
  // Within a chunk that begins at element number `begin`, scratch memory goes on, too.
  static uint8_t* piece(const OperandStream& s, uint32_t bytes, uint64_t begin, uint64_t at) {
    return s.element != 0 ? s.at(at) : s.begin + (at - begin) * bytes;
  }

  Flow flow_of(const ProgramStep& s) const {
    Flow f;
    f.to = stream(s.to, s.to_bytes);
    f.a = s.sources > 0 ? stream(s.a, s.src_bytes) : f.to;
    f.b = s.sources > 1 ? stream(s.b, s.src_bytes) : f.a;
    return f;
  }

  // Returns how many elements of the group that begins with step number `first` are computed.
  uint64_t run_code(size_t first) const {
    const ProgramCode::Group* group = code_ ? code_->find(of_class_, first) : nullptr;
    if (!group) return 0;
    uint8_t* frame[1 + kMostLoopPlaces];
    frame[0] = core_.memory[OPK_MEM_UB];
    for (size_t i = 0; i < group->places.size(); ++i)
      frame[1 + i] = address({BytePlace::In::kGm, group->places[i], 0});
    group->run(frame);
    return group->elements;
  }

  void run_joined(const ProgramStep* first, const ProgramStep* end, uint64_t done) {
    if (done == first->n) return;
    constexpr size_t kMost = 32;
    Flow flows[kMost];
    const auto count = static_cast<size_t>(end - first);
    for (size_t i = 0; i < count; ++i) flows[i] = flow_of(first[i]);
    const uint64_t n = first->n;
    const uint64_t chunk = count == 1 && first->to.in != BytePlace::In::kScratch ? n : kReplayChunk;
    for (uint64_t from = done; from < n; from += chunk) {
      const uint64_t part = std::min(chunk, n - from);
      for (size_t i = 0; i < count; ++i) run_chunk(first[i], flows[i], from, part);
    }
  }

  void run_one(const ProgramStep& s) {
    switch (s.kind) {
      case Kind::kStrip: return run_strip(s);
      case Kind::kCopy:
      case Kind::kPad: return run_copy(s);
      case Kind::kParts: return run_parts(s);
      case Kind::kSums:
      case Kind::kMost:
      case Kind::kLeast: return run_reduction(s);
      case Kind::kTurn: return run_turn(does_.issued[s.number]);
      case Kind::kIssued: return run_issued(does_.issued[s.number]);
      default: return run_cube(core_, s, does_.cube, places_);
    }
  }

  void run_strip(const ProgramStep& s) {
    uint8_t* to = address(s.to);
    const uint8_t* a = s.sources > 0 ? address(s.a) : to;
    const uint8_t* b = s.sources > 1 ? address(s.b) : a;
    const int64_t a_pitch = s.sources > 0 ? s.a_pitch : s.to_pitch;
    const int64_t b_pitch = s.sources > 1 ? s.b_pitch : a_pitch;
    const OntoFn onto = onto_of(s);
    for (uint32_t r = 0; r < s.rows; ++r, to += s.to_pitch, a += a_pitch, b += b_pitch) {
      if (onto) {
        onto(reinterpret_cast<float*>(to), reinterpret_cast<const float*>(b), s.times);
        continue;
      }
      for (uint32_t t = 0; t < s.times; ++t) compute(s, to, a, b + t * s.n * s.src_bytes, s.n);
    }
  }

  // The function for rows that take up others in place; nullptr: none.
  using OntoFn = void (*)(float*, const float*, uint32_t);
  static OntoFn onto_of(const ProgramStep& s) {
    if (s.times < 2 || s.n != 64 || s.dtype != OPK_FLOAT32) return nullptr;
    return s.op == OPK_V_ADD ? add_onto_64 : s.op == OPK_V_MAX ? max_onto_64 : nullptr;
  }

  void run_copy(const ProgramStep& s) {
    uint8_t* to = address(s.to);
    const uint8_t* from = address(s.a);
    for (uint32_t r = 0; r < s.rows; ++r, to += s.to_pitch, from += s.a_pitch) {
      std::memmove(to + s.pad_left, from, s.n);
      if (s.kind == Kind::kPad) pad(s, to, from);
    }
  }
  static void fill(uint8_t* to, uint64_t bytes, const void* value, uint64_t size) {
    for (uint64_t i = 0; i + size <= bytes; i += size) std::memcpy(to + i, value, size);
  }
  static void pad(const ProgramStep& s, uint8_t* to, const uint8_t* from) {
    const void* filler = s.pads_first ? static_cast<const void*>(from) : s.context.scalar;
    fill(to, s.pad_left, filler, s.to_bytes);
    fill(to + s.pad_left + s.n, s.pad_right, filler, s.to_bytes);
  }

  void run_parts(const ProgramStep& s) {
    const PartRows rows = {address(s.a), address(s.to), s.a_pitch, s.to_pitch, s.rows};
    if (s.op == OPK_V_BLOCK_REDUCE_SUM) return sums_of_8(rows);
    extremes_of_8(rows, s.op == OPK_V_BLOCK_REDUCE_MAX);
  }

  void run_reduction(const ProgramStep& s) {
    uint8_t* to = address(s.to);
    const uint8_t* from = address(s.a);
    for (uint32_t r = 0; r < s.rows; ++r, to += s.to_pitch, from += s.a_pitch) {
      const auto* values = reinterpret_cast<const float*>(from);
      const auto n = static_cast<uint32_t>(s.n);
      const float value =
          s.kind == Kind::kSums ? sum_of_64(values) : extreme_of(values, n, s.kind == Kind::kMost);
      std::memcpy(to, &value, sizeof value);
    }
  }

  void set_registers(const Issued& issued) {
    core_.mask[0] = issued.mask[0];
    core_.mask[1] = issued.mask[1];
    core_.mask_mode = issued.mask_mode;
    core_.ctrl = issued.ctrl;
    core_.deq_scale = issued.deq_scale;
    core_.deq_offset_sign = issued.deq_offset_sign;
  }

  void run_issued(const Issued& issued) {
    set_registers(issued);
    opk_vector_v1 v = issued.v;
    for (unsigned i = 0; i < v.operand_count; ++i) {
      const auto offset = reinterpret_cast<uint64_t>(v.operand[i].address);
      v.operand[i].address = core_.memory[OPK_MEM_UB] + offset;
    }
    exec_vector(&core_, &v);
    core_.put_off.settle();
  }

  void run_turn(const Issued& issued) {
    void* lists[2 * kTurnedBlocks];
    for (uint32_t i = 0; i < 2 * kTurnedBlocks; ++i)
      lists[i] = core_.memory[OPK_MEM_UB] + issued.lists[i];
    // The lists hold where the first iteration begins.
    opk_vector_v1 v = issued.v;
    if (v.repeat == 1) v.param[0] = v.param[1] = 0;
    exec_transpose16(core_, nullptr, &v, lists, lists + kTurnedBlocks);
  }

  Core& core_;
  const BlockClass& does_;
  const uint32_t of_class_;
  const std::vector<BytePlace>& places_;
  const ProgramCode* code_;
  uint8_t* scratch_;
  const bool keeps_views_;
};

}  // namespace

void LaunchProgram::run(Core& core) const {
  alignas(64) uint8_t scratch[kReplayScratch];
  const Block& block = blocks_[core.seat()];
  Runner(core, classes_[block.of_class], block, code_.get(), scratch).run();
}

}  // namespace opkit::core
