// TPipe: who owns which bytes of a core's memories. (Vendor's pages "TPipe", "InitBuffer",
// "InitBufPool", "LocalMemAllocator".)
#ifndef OPKIT_INCLUDE_ASCENDC_PIPE_H_
#define OPKIT_INCLUDE_ASCENDC_PIPE_H_

#include <tuple>

#include "opkit/include/ascendc/absent.h"
#include "opkit/include/ascendc/buffer_pool.h"
#include "opkit/include/ascendc/copy.h"

namespace AscendC {

class TPipe {
 public:
  TPipe() { Init(); }
  ~TPipe() {
    if (detail::core() && detail::core()->pipe == this) detail::core()->pipe = nullptr;
  }
  // A copy goes on where the other one stands; it does not become the core's pipe by that.
  TPipe(const TPipe&) = default;
  TPipe& operator=(const TPipe&) = default;

  void Init() {
    detail::core()->pipe = this;
    clear();
  }

  // num buffers of len bytes each (rounded up to 32) for a queue.
  template <typename Queue, typename = std::enable_if_t<Queue::isTQue>>
  OPKIT_INLINE bool InitBuffer(Queue& queue, uint8_t num, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first =
        buffers_.reserve(Queue::kStorage, num, bytes, detail::Owner::kQueue, Queue::limit());
    if (!first) return false;
    queue.bind(first, buffers_.id_of(first), num, bytes, buffers_.queue_id());
    return true;
  }
  // One buffer per (start, length) in bytes.
  template <typename Queue, typename U, typename V, typename... Addrs>
  OPKIT_INLINE bool InitBuffer(Queue& queue, const std::tuple<U, V>& addr0, const Addrs&... addrs) {
    constexpr uint32_t count = 1 + sizeof...(Addrs);
    detail::Buffer* first = place_at<Queue>(addr0, detail::Owner::kQueue);
    if (!first || ((place_at<Queue>(addrs, detail::Owner::kSameQueue) == nullptr) || ...))
      return false;
    queue.bind(first, buffers_.id_of(first), count, first->bytes, buffers_.queue_id());
    return true;
  }
  template <TPosition pos>
  OPKIT_INLINE bool InitBuffer(TBuf<pos>& buffer, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = buffers_.reserve(pos, 1, bytes, detail::Owner::kBuffer, 0);
    if (!first) return false;
    buffer.address_ = {bytes, first->offset, static_cast<uint16_t>(buffers_.id_of(first)),
                       static_cast<uint8_t>(pos)};
    return true;
  }
  // A pool of len bytes, or a pool that shares the bytes of another one.
  template <typename Pool>
  OPKIT_INLINE bool InitBufPool(Pool& pool, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first =
        buffers_.reserve(Pool::opkit_position(), 1, bytes, detail::Owner::kBuffer, 0);
    if (!first) return false;
    pool.bind(&buffers_, first->offset, bytes);
    return true;
  }
  template <typename Pool, typename Other>
  OPKIT_INLINE bool InitBufPool(Pool& pool, uint32_t len, Other& shared) {
    const auto memory = detail::pool_memory(shared);
    if (!detail::may_share(memory, len)) return false;
    pool.bind(&buffers_, memory.start, detail::align32(len));
    return true;
  }

  template <HardEvent event>
  OPKIT_INLINE int32_t AllocEventID() {
    const int32_t id = events_.free_id(event);
    if (id < 0)
      return detail::fault("EK1114",
                           "AllocEventID: all 8 ids of this event are reserved; call "
                           "ReleaseEventID after the last WaitFlag"),
             0;
    events_.reserve(event, id);
    tell_event(OPK_B_EVENT_ALLOC, event, id);
    return id;
  }
  template <HardEvent event>
  OPKIT_INLINE void ReleaseEventID(int32_t id) {
    events_.release(event, id);
    tell_event(OPK_B_EVENT_RELEASE, event, id);
  }
  template <HardEvent event>
  OPKIT_INLINE int32_t FetchEventID() {
    return FetchEventID(event);
  }
  // Returns a currently free id; it is not reserved.
  OPKIT_INLINE int32_t FetchEventID(HardEvent event) {
    const int32_t id = events_.free_id(event);
    if (id < 0)
      return detail::fault("EK1114",
                           "FetchEventID: all 8 ids of this event are reserved; call "
                           "ReleaseEventID after the last WaitFlag"),
             0;
    tell_event(OPK_B_EVENT_FETCH, event, id);
    return id;
  }

  void Reset() {
    opk_buffer_v1 b{};
    b.op = OPK_B_RESET;
    detail::core()->isa->buffer(detail::core(), &b);
    clear();
  }
  void Destroy() {
    Reset();
    detail::core()->pipe = nullptr;
  }
  void DestroyWithoutPipeAll() { Destroy(); }

  // A workspace in GM as a place to spill UB to. Sizes in bytes, counts in elements.
  template <typename T>
  void InitSpmBuffer(const GlobalTensor<T>& workspace, const int32_t bufferSize) {
    spm_.SetGlobalBuffer(reinterpret_cast<uint8_t*>(workspace.GetPhyAddr()),
                         static_cast<uint64_t>(bufferSize));
  }
  template <typename Size>
  void InitSpmBuffer(Size) {
    static_assert(detail::kAbsent<Size>,
                  "InitSpmBuffer without a workspace is not emulated: arch 2201 has no path from "
                  "UB to L1; use a workspace in GM");
  }
  template <typename T, typename Amount>
  OPKIT_INLINE void WriteSpmBuffer(const LocalTensor<T>& from, const Amount& amount,
                                   int32_t writeOffset = 0) {
    DataCopy(spm<T>(writeOffset), from, amount);
  }
  template <typename T, typename Amount>
  OPKIT_INLINE void ReadSpmBuffer(const LocalTensor<T>& to, const Amount& amount,
                                  int32_t readOffset = 0) {
    DataCopy(to, spm<T>(readOffset), amount);
  }

  // Returns the start of a position's memory.
  uint8_t* GetBaseAddr(int8_t logicPos) {
    return detail::core()->memory[detail::memory_of(static_cast<TPosition>(logicPos))];
  }

  // Returns the bytes of UB that are given out. For PopStackBuffer and the advanced API's
  // temporaries.
  uint32_t used_bytes(uint8_t memory) const { return buffers_.used(memory); }

 private:
  OPKIT_INLINE static void tell_event(opk_buffer_op op, HardEvent event, int32_t id) {
    if (__builtin_expect(!detail::core()->observed, 1)) return;
    opk_buffer_v1 b{};
    b.op = op;
    b.buffer = static_cast<uint16_t>(id);
    b.set_src = detail::pipes_of(event).src;
    b.set_dst = detail::pipes_of(event).dst;
    detail::core()->isa->buffer(detail::core(), &b);
  }
  template <typename Queue, typename Addr>
  OPKIT_INLINE detail::Buffer* place_at(const Addr& addr, detail::Owner owner) {
    const auto start = static_cast<uint32_t>(std::get<0>(addr));
    const uint32_t bytes = detail::align32(static_cast<uint32_t>(std::get<1>(addr)));
    if (__builtin_expect(start % detail::kAlign != 0, 0)) {
      return detail::fault("EK1121",
                           "InitBuffer: a chosen address is not a multiple of 32; align it"),
             nullptr;
    }
    return buffers_.place_at(Queue::kStorage, start, bytes, owner, Queue::limit());
  }
  template <typename T>
  GlobalTensor<T> spm(int32_t offset) const {
    const GlobalTensor<uint8_t> rest = spm_[static_cast<uint64_t>(offset)];
    GlobalTensor<T> typed;
    typed.SetGlobalBuffer(reinterpret_cast<T*>(rest.GetPhyAddr()),
                          detail::elements_in<T>(rest.known_bytes()));
    return typed;
  }
  void clear() {
    buffers_.clear();
    events_.clear();
  }

  detail::BufferTable buffers_;
  detail::EventTable events_;
  GlobalTensor<uint8_t> spm_;
};

inline TPipe* GetTPipePtr() { return static_cast<TPipe*>(detail::core()->pipe); }

// The rest of UB above what TPipe has given out.
template <typename T, TPosition pos>
bool PopStackBuffer(LocalTensor<T>& tensor) {
  constexpr uint8_t memory = detail::memory_of(pos);
  const TPipe* pipe = GetTPipePtr();
  const uint32_t used = pipe ? pipe->used_bytes(memory) : 0;
  const uint32_t size = detail::core()->memory_size[memory];
  TBuffAddr address;
  address.bufferAddr = used;
  address.dataLen = used < size ? (size - used) / detail::kAlign * detail::kAlign : 0;
  address.logicPos = static_cast<uint8_t>(pos);
  tensor = LocalTensor<T>(address);
  return address.dataLen > 0;
}

// Bump allocator for kernels without TPipe ("LocalMemAllocator").
template <Hardware hardware = Hardware::UB>
class LocalMemAllocator {
 public:
  uint32_t GetCurAddr() const { return head_; }

  template <TPosition pos, typename T>
  OPKIT_INLINE LocalTensor<T> Alloc(uint32_t count) {
    const uint32_t bytes = detail::align32(static_cast<uint32_t>(detail::bytes_of<T>(count)));
    if (uint64_t{head_} + bytes > detail::core()->memory_size[static_cast<uint8_t>(hardware)]) {
      detail::fault("EK1116",
                    "LocalMemAllocator::Alloc: the memory is used up; use smaller tiles, or "
                    "allocate before the loop");
    }
    LocalTensor<T> tensor(pos, head_, count);
    head_ += bytes;
    return tensor;
  }
  template <typename T>
  OPKIT_INLINE LocalTensor<T> Alloc(uint32_t count) {
    return Alloc<default_position(), T>(count);
  }
  template <typename T, uint32_t count>
  OPKIT_INLINE LocalTensor<T> Alloc() {
    return Alloc<default_position(), T>(count);
  }
  template <TPosition pos, typename T, uint32_t count>
  OPKIT_INLINE LocalTensor<T> Alloc() {
    return Alloc<pos, T>(count);
  }

 private:
  static constexpr TPosition default_position() {
    switch (hardware) {
      case Hardware::L1: return TPosition::A1;
      case Hardware::L0A: return TPosition::A2;
      case Hardware::L0B: return TPosition::B2;
      case Hardware::L0C: return TPosition::CO1;
      case Hardware::BIAS: return TPosition::C2;
      case Hardware::FIXBUF: return TPosition::C2PIPE2GM;
      default: return TPosition::VECCALC;
    }
  }

  uint32_t head_ = 0;
};

}  // namespace AscendC

// The vendor's is a global function.
using AscendC::GetTPipePtr;

#endif  // OPKIT_INCLUDE_ASCENDC_PIPE_H_
