// What stands behind TPipe and TQue: how positions map to events, the table of buffers, the table
// of event ids.
#ifndef OPKIT_INCLUDE_ASCENDC_BUFFER_TABLE_H_
#define OPKIT_INCLUDE_ASCENDC_BUFFER_TABLE_H_

#include "opkit/include/ascendc/tensor.h"

namespace AscendC {
namespace detail {

constexpr uint32_t kMaxBuffers = 64;  // InitBuffer page: at most 64 buffers per TPipe
constexpr uint32_t kMaxEventIds = 8;
constexpr uint32_t kAlign = 32;

constexpr uint32_t align32(uint32_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

enum class BufferState : uint8_t { kFree, kAllocated, kQueued, kDequeued };

// Whose a buffer is: a TBuf's or a pool's, the first one of a queue, another one of it.
enum class Owner : uint8_t { kBuffer, kQueue, kSameQueue };

struct Buffer {
  uint32_t offset;
  uint32_t bytes;
  BufferState state;
};

// Returns a position's consumer when a TQue names only one.
constexpr TPosition natural_source(TPosition position) {
  switch (position) {
    case TPosition::VECOUT: return TPosition::VECOUT;
    case TPosition::A2: return TPosition::A1;
    case TPosition::B2: return TPosition::B1;
    case TPosition::C2: return TPosition::C1;
    case TPosition::CO1: return TPosition::CO1;
    case TPosition::CO2: return TPosition::CO2;
    case TPosition::C2PIPE2GM: return TPosition::B1;
    case TPosition::VECCALC: return TPosition::VECCALC;
    default: return TPosition::GM;
  }
}
constexpr TPosition natural_target(TPosition position) {
  switch (position) {
    case TPosition::VECOUT: return TPosition::GM;
    case TPosition::CO1: return TPosition::CO2;
    case TPosition::CO2: return TPosition::GM;
    default: return position;
  }
}

// Returns the position whose memory a bind uses: the source for what leaves the core, else the
// target.
constexpr TPosition storage_of(TPosition source, TPosition target) {
  return source == TPosition::GM || memory_of(source) == OPK_MEM_GM || target == TPosition::A2 ||
                 target == TPosition::B2 || target == TPosition::C2 ||
                 target == TPosition::C2PIPE2GM
             ? target
             : source;
}

// Returns the events of a bind: EnQue sets the first, FreeTensor the second (TQue page).
constexpr HardEvent produced(TPosition source, TPosition target) {
  if (source == TPosition::GM && memory_of(target) == OPK_MEM_UB) return HardEvent::MTE2_V;
  if (source == TPosition::GM) return HardEvent::MTE2_MTE1;
  if (memory_of(source) == OPK_MEM_UB && (target == TPosition::GM || target == TPosition::CO2))
    return HardEvent::V_MTE3;
  if (source == TPosition::VECIN && target == TPosition::VECOUT) return HardEvent::MTE2_MTE3;
  if (memory_of(source) == OPK_MEM_UB && memory_of(target) == OPK_MEM_L1) return HardEvent::V_MTE3;
  if (memory_of(source) == OPK_MEM_UB) return HardEvent::V_V;
  if (source == TPosition::CO1) return HardEvent::M_FIX;
  if (target == TPosition::C2PIPE2GM) return HardEvent::MTE1_FIX;
  return HardEvent::MTE1_M;
}

constexpr HardEvent released(HardEvent event) {
  switch (event) {
    case HardEvent::MTE2_V: return HardEvent::V_MTE2;
    case HardEvent::MTE2_MTE1: return HardEvent::MTE1_MTE2;
    case HardEvent::V_MTE3: return HardEvent::MTE3_V;
    case HardEvent::MTE2_MTE3: return HardEvent::MTE3_MTE2;
    case HardEvent::M_FIX: return HardEvent::FIX_M;
    case HardEvent::MTE1_FIX: return HardEvent::FIX_MTE1;
    case HardEvent::MTE1_M: return HardEvent::M_MTE1;
    default: return HardEvent::V_V;
  }
}

OPKIT_INLINE void fault(const char* code, const char* text) {
  core()->isa->fault(core(), code, text);
}

// Hands out consecutive bytes of the core's memories and numbers the buffers.
class BufferTable {
 public:
  void clear() {
    for (uint32_t& used : used_) used = 0;
    count_ = queues_ = 0;
  }

  // Reserves num buffers of `bytes` each; returns the first, or nullptr when refused. Buffers of no
  // bytes exist (published kernels make them on cores without work); no instruction can use them.
  OPKIT_INLINE Buffer* reserve(TPosition position, uint32_t num, uint32_t bytes, Owner owner,
                               uint32_t depth) {
    const uint8_t memory = memory_of(position);
    if (memory == OPK_MEM_GM)
      return fault("EK1110",
                   "InitBuffer: this position has no on-chip memory; name VECIN, VECOUT, VECCALC "
                   "or a position of the cube core"),
             nullptr;
    return place(position, memory, &used_[memory], num, bytes, owner, depth);
  }

  OPKIT_INLINE Buffer* place(TPosition position, uint8_t memory, uint32_t* used, uint32_t num,
                             uint32_t bytes, Owner owner, uint32_t depth) {
    if (num > kMaxBuffers - count_) {
      return fault("EK1111",
                   "InitBuffer: a TPipe has at most 64 buffers; cut one TBuf into parts "
                   "(GetWithOffset), or Reset the pipe between stages"),
             nullptr;
    }
    if (num == 0)
      return fault("EK1112",
                   "InitBuffer: the number of buffers must not be zero; check the tiling"),
             nullptr;
    Buffer* first = &buffers_[count_];
    tell(position, memory, *used, num, bytes, owner, depth);
    for (uint32_t i = 0; i < num; ++i, *used += bytes)
      buffers_[count_++] = {*used, bytes, BufferState::kFree};
    queues_ += owner == Owner::kQueue;
    return first;
  }

  // Returns a buffer at a chosen address; what is handed out later starts behind it.
  OPKIT_INLINE Buffer* place_at(TPosition position, uint32_t start, uint32_t bytes, Owner owner,
                                uint32_t depth) {
    const uint8_t memory = memory_of(position);
    uint32_t end = start;
    Buffer* buffer = place(position, memory, &end, 1, bytes, owner, depth);
    if (buffer && end > used_[memory]) used_[memory] = end;
    return buffer;
  }

  uint32_t id_of(const Buffer* buffer) const {
    return static_cast<uint32_t>(buffer - buffers_) + 1;
  }
  uint16_t queue_id() const { return static_cast<uint16_t>(queues_); }
  uint32_t used(uint8_t memory) const { return used_[memory]; }

 private:
  OPKIT_INLINE void tell(TPosition position, uint8_t memory, uint32_t offset, uint32_t num,
                         uint32_t bytes, Owner owner, uint32_t depth) const {
    opk_buffer_v1 b{};
    b.op = OPK_B_INIT;
    b.memory = memory;
    b.position = b.position_to = static_cast<uint8_t>(position);
    b.depth = static_cast<uint8_t>(depth);
    b.count = static_cast<uint16_t>(num);
    b.offset = offset;
    b.bytes = num * bytes;
    b.queue = static_cast<uint16_t>(owner == Owner::kBuffer  ? 0
                                    : owner == Owner::kQueue ? queues_ + 1
                                                             : queues_);
    b.buffer = static_cast<uint16_t>(count_ + 1);
    core()->isa->buffer(core(), &b);
  }

  uint32_t used_[OPK_MEM_COUNT] = {};
  uint32_t count_ = 0;
  uint32_t queues_ = 0;
  Buffer buffers_[kMaxBuffers];
};

// Event ids per HardEvent: a set bit is reserved.
class EventTable {
 public:
  void clear() {
    for (uint8_t& ids : reserved_) ids = 0;
  }
  int32_t free_id(HardEvent event) const {
    const uint32_t free = ~reserved_[static_cast<uint8_t>(event)] & 0xffu;
    return free ? __builtin_ctz(free) : -1;
  }
  void reserve(HardEvent event, int32_t id) {
    reserved_[static_cast<uint8_t>(event)] |= static_cast<uint8_t>(1u << id);
  }
  void release(HardEvent event, int32_t id) {
    reserved_[static_cast<uint8_t>(event)] &= static_cast<uint8_t>(~(1u << id));
  }

 private:
  uint8_t reserved_[static_cast<uint8_t>(HardEvent::MAX)] = {};
};

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_BUFFER_TABLE_H_
