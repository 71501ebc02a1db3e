// TPipe, TQue, TBuf: who owns which bytes of a core's memories, and which queue hands them over.
// (Vendor's pages "TPipe", "TQue", "TQueBind", "TBuf", "TBufPool", "InitBuffer".)
//
// A queue works on a ring of equal buffers. Per buffer: Alloc -> fill -> EnQue -> DeQue -> use ->
// Free. What would block the chip for ever is refused with an EK11xx code.
#ifndef OPKIT_INCLUDE_ASCENDC_PIPE_H_
#define OPKIT_INCLUDE_ASCENDC_PIPE_H_

#include "opkit/include/ascendc/absent.h"
#include "opkit/include/ascendc/buffer_table.h"
#include "opkit/include/ascendc/copy.h"

namespace AscendC {

struct TQueConfig {
  bool nd2nz = false;
  bool nz2nd = false;
  bool scmBlockGroup = false;
  uint32_t bufferLen = 0;
  uint32_t bufferNumber = 0;
  uint32_t consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false;
};

class TPipe;

// src and dst are the positions between which the queue hands over; depth = EnQue calls that may
// follow each other; mask is a layout hint of the vendor's compiler and changes nothing here.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
 public:
  static constexpr TPosition srcPosition = src;
  static constexpr TPosition dstPosition = dst;
  static constexpr bool isTQue = true;

  template <typename T>
  OPKIT_INLINE LocalTensor<T> AllocTensor() {
    return hand_out<T>(take_free());
  }
  template <typename T>
  OPKIT_INLINE void AllocTensor(LocalTensor<T>& tensor) {
    tensor = hand_out<T>(take_free());
  }

  template <typename T>
  OPKIT_INLINE bool EnQue(const LocalTensor<T>& tensor) {
    const uint32_t index = index_of(tensor);
    if (index >= count_ || !may_be_queued(buffers_[index].state)) return refuse_enque(index), false;
    if (queued_ >= limit())
      return refuse("EK1105",
                    "EnQue: the queue already holds as many tensors as its depth; DeQue one "
                    "before, or raise the depth in TQue<position, depth>"),
             false;
    ring_[(head_ + queued_++) % detail::kMaxEventIds] = static_cast<uint8_t>(index);
    buffers_[index].state = detail::BufferState::kQueued;
    tell(OPK_B_ENQUE, index, kProduced);
    return true;
  }
  template <TPosition from, TPosition to, typename T>
  OPKIT_INLINE bool EnQue(const LocalTensor<T>& tensor) {
    return EnQue(tensor);
  }

  template <typename T>
  OPKIT_INLINE LocalTensor<T> DeQue() {
    return hand_out<T>(take_queued());
  }
  template <typename T>
  OPKIT_INLINE void DeQue(LocalTensor<T>& tensor) {
    tensor = hand_out<T>(take_queued());
  }
  template <TPosition from, TPosition to, typename T>
  OPKIT_INLINE LocalTensor<T> DeQue() {
    return DeQue<T>();
  }

  template <typename T>
  OPKIT_INLINE void FreeTensor(LocalTensor<T>& tensor) {
    const uint32_t handle = tensor.address_.bufferHandle;
    detail::Buffer* buffer = buffer_of(handle);
    if (buffer == nullptr || buffer->state == detail::BufferState::kFree) return refuse_free();
    buffer->state = detail::BufferState::kFree;
    tell(OPK_B_FREE, handle, *buffer, detail::released(kProduced));
  }
  template <typename T>
  OPKIT_INLINE void FreeTensor(const LocalTensor<T>& tensor) {
    LocalTensor<T> handle = tensor;
    FreeTensor(handle);
  }

  bool VacantInQue() { return queued_ < limit(); }
  bool HasTensorInQue() { return queued_ > 0; }
  int32_t GetTensorCountInQue() { return static_cast<int32_t>(queued_); }
  bool HasIdleBuffer() {
    for (uint32_t i = 0; i < count_; ++i)
      if (buffers_[i].state == detail::BufferState::kFree) return true;
    return false;
  }
  void FreeAllEvent() {}
  bool InitStartBufHandle(TBuffAddr) { return true; }

 private:
  friend class AscendC::TPipe;
  template <TPosition pos, uint32_t bufIDSize>
  friend class TBufPool;

  // What was taken out may go in again: kernels fill one tensor in a loop and free it behind it.
  static constexpr bool may_be_queued(detail::BufferState state) {
    return state == detail::BufferState::kAllocated || state == detail::BufferState::kDequeued;
  }

  static constexpr HardEvent kProduced = detail::produced(src, dst);
  static constexpr TPosition kStorage = detail::storage_of(src, dst);

  static constexpr uint32_t limit() { return depth > 0 ? static_cast<uint32_t>(depth) : 1u; }

  void bind(detail::Buffer* buffers, uint32_t first_id, uint32_t count, uint32_t bytes,
            uint16_t queue) {
    buffers_ = buffers;
    first_id_ = first_id;
    count_ = count;
    bytes_ = bytes;
    queue_ = queue;
    next_ = head_ = queued_ = 0;
  }

  OPKIT_INLINE uint32_t take_free() {
    uint32_t index = next_, tried = 0;
    for (; tried < count_ && buffers_[index].state != detail::BufferState::kFree; ++tried)
      index = index + 1 == count_ ? 0 : index + 1;
    if (__builtin_expect(tried == count_, 0)) return refuse_alloc(), count_;
    next_ = index + 1 == count_ ? 0 : index + 1;
    buffers_[index].state = detail::BufferState::kAllocated;
    tell(OPK_B_ALLOC, index, detail::released(kProduced));
    return index;
  }

  OPKIT_INLINE uint32_t take_queued() {
    if (__builtin_expect(queued_ == 0, 0)) {
      return refuse("EK1103", "DeQue: the queue is empty; EnQue a tensor first"), count_;
    }
    const uint32_t index = ring_[head_];
    head_ = (head_ + 1) % detail::kMaxEventIds;
    --queued_;
    buffers_[index].state = detail::BufferState::kDequeued;
    tell(OPK_B_DEQUE, index, kProduced);
    return index;
  }

  template <typename T>
  OPKIT_INLINE LocalTensor<T> hand_out(uint32_t index) const {
    TBuffAddr address;
    address.logicPos = static_cast<uint8_t>(kStorage);
    if (index < count_) {
      address.bufferAddr = buffers_[index].offset;
      address.dataLen = bytes_;
      address.bufferHandle = static_cast<uint16_t>(first_id_ + index);
    }
    return LocalTensor<T>(address);
  }

  template <typename T>
  OPKIT_INLINE uint32_t index_of(const LocalTensor<T>& tensor) const {
    const uint32_t handle = tensor.address_.bufferHandle;
    return handle >= first_id_ && handle < first_id_ + count_ ? handle - first_id_ : count_;
  }

  // The pipe's buffer of that number, this queue's or another one's: FreeTensor gives a tensor back
  // by what it is, whichever queue is asked.
  OPKIT_INLINE detail::Buffer* buffer_of(uint32_t handle) const {
    return count_ == 0 || handle == 0 || handle > detail::kMaxBuffers
               ? nullptr
               : buffers_ + (static_cast<int64_t>(handle) - static_cast<int64_t>(first_id_));
  }

  OPKIT_INLINE void tell(opk_buffer_op op, uint32_t index, HardEvent event) const {
    tell(op, first_id_ + index, buffers_[index], event);
  }
  OPKIT_INLINE void tell(opk_buffer_op op, uint32_t handle, const detail::Buffer& buffer,
                         HardEvent event) const {
    if (__builtin_expect(!detail::core()->observed, 1)) return;
    opk_buffer_v1 b{};
    b.op = op;
    b.memory = detail::memory_of(kStorage);
    b.position = static_cast<uint8_t>(src);
    b.position_to = static_cast<uint8_t>(dst);
    b.depth = static_cast<uint8_t>(depth);
    b.count = static_cast<uint16_t>(count_);
    b.offset = buffer.offset;
    b.bytes = buffer.bytes;
    b.queue = queue_;
    b.buffer = static_cast<uint16_t>(handle);
    b.set_src = detail::pipes_of(event).src;
    b.set_dst = detail::pipes_of(event).dst;
    detail::core()->isa->buffer(detail::core(), &b);
  }

  OPKIT_INLINE static void refuse(const char* code, const char* text) { detail::fault(code, text); }
  OPKIT_INLINE void refuse_alloc() const {
    if (count_ == 0)
      return refuse("EK1106", "AllocTensor: the queue has no buffers; call pipe.InitBuffer first");
    refuse("EK1102",
           "AllocTensor: every buffer of the queue is in use; a FreeTensor is missing, or "
           "InitBuffer needs more buffers");
  }
  OPKIT_INLINE void refuse_enque(uint32_t index) const {
    if (index >= count_)
      return refuse("EK1107",
                    "EnQue: the tensor was not allocated from this queue; queue what AllocTensor "
                    "of the same queue gave");
    refuse("EK1108",
           "EnQue: the tensor is not allocated (it was queued or freed before); EnQue a tensor "
           "once, before its FreeTensor");
  }
  OPKIT_INLINE static void refuse_free() {
    refuse("EK1104",
           "FreeTensor: the tensor does not belong to this queue or is free already; free a tensor "
           "once, after its last use");
  }

  detail::Buffer* buffers_ = nullptr;
  uint32_t first_id_ = 1;
  uint32_t count_ = 0;
  uint32_t bytes_ = 0;
  uint32_t next_ = 0, head_ = 0, queued_ = 0;
  uint16_t queue_ = 0;
  uint8_t ring_[detail::kMaxEventIds] = {};
};

// depth must fit the ring of handed-over tensors.
template <TPosition pos, int32_t depth, auto mask = 0>
class TQue
    : public TQueBind<detail::natural_source(pos), detail::natural_target(pos), depth, mask> {
  static_assert(depth <= static_cast<int32_t>(detail::kMaxEventIds),
                "TQue: a queue has at most 8 event ids, so its depth is at most 8");
};

// A queue into the part of L1 that the Matmul object reads in place ("TSCM").
template <TPosition pos, int32_t depth = 1, auto mask = 0>
using TSCM = TQueBind<pos, TPosition::TSCM, depth, mask>;

template <TPosition pos = TPosition::LCM>
class TBuf {
 public:
  static constexpr bool isTQue = false;
  static constexpr TPosition position = pos;

  template <typename T>
  OPKIT_INLINE LocalTensor<T> Get() const {
    return view<T>(0, address_.dataLen);
  }
  template <typename T>
  OPKIT_INLINE LocalTensor<T> Get(uint32_t count) const {
    return view<T>(0, static_cast<uint32_t>(detail::bytes_of<T>(count)));
  }
  // count in elements, offset in bytes.
  template <typename T>
  OPKIT_INLINE LocalTensor<T> GetWithOffset(uint32_t count, uint32_t offset) const {
    return view<T>(offset, static_cast<uint32_t>(detail::bytes_of<T>(count)));
  }
  uint32_t GetBufLen() const { return address_.dataLen; }
  template <typename T>
  LocalTensor<T> AllocTensor() const {
    return Get<T>();
  }
  template <typename T>
  void FreeTensor(LocalTensor<T>&) const {}

 private:
  friend class AscendC::TPipe;
  template <TPosition p, uint32_t n>
  friend class TBufPool;

  template <typename T>
  OPKIT_INLINE LocalTensor<T> view(uint32_t offset, uint32_t bytes) const {
    if (__builtin_expect(uint64_t{offset} + bytes > address_.dataLen, 0)) {
      detail::fault("EK1109",
                    "TBuf::Get: more bytes than InitBuffer gave this buffer; get fewer elements, "
                    "or give InitBuffer their number times sizeof(T)");
    }
    TBuffAddr address = address_;
    address.bufferAddr += offset;
    address.dataLen = bytes;
    return LocalTensor<T>(address);
  }

  TBuffAddr address_;
};

template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool;

class TPipe {
 public:
  TPipe() { Init(); }
  ~TPipe() {
    if (detail::core() && detail::core()->pipe == this) detail::core()->pipe = nullptr;
  }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  void Init() {
    detail::core()->pipe = this;
    clear();
  }

  // num buffers of len bytes each (rounded up to 32) for a queue.
  template <typename Queue, typename = std::enable_if_t<Queue::isTQue>>
  OPKIT_INLINE bool InitBuffer(Queue& queue, uint8_t num, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = buffers_.reserve(Queue::kStorage, num, bytes, true, Queue::limit());
    if (!first) return false;
    queue.bind(first, buffers_.id_of(first), num, bytes, buffers_.queue_id());
    return true;
  }
  template <TPosition pos>
  OPKIT_INLINE bool InitBuffer(TBuf<pos>& buffer, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = buffers_.reserve(pos, 1, bytes, false, 0);
    if (!first) return false;
    buffer.address_ = {bytes, first->offset, static_cast<uint16_t>(buffers_.id_of(first)),
                       static_cast<uint8_t>(pos)};
    return true;
  }
  // A pool of len bytes, or a pool that shares the bytes of another one.
  template <typename Pool>
  OPKIT_INLINE bool InitBufPool(Pool& pool, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = buffers_.reserve(Pool::position, 1, bytes, false, 0);
    if (!first) return false;
    pool.bind(&buffers_, first->offset, bytes);
    return true;
  }
  template <typename Pool, typename Other>
  OPKIT_INLINE bool InitBufPool(Pool& pool, uint32_t len, Other& shared) {
    if (detail::align32(len) > shared.capacity_) {
      return detail::fault("EK1113",
                           "InitBufPool: longer than the pool whose memory it shares; make the "
                           "first pool as long as the longest"),
             false;
    }
    pool.bind(&buffers_, shared.start_, detail::align32(len));
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
    return id;
  }
  template <HardEvent event>
  void ReleaseEventID(int32_t id) {
    events_.release(event, id);
  }
  template <HardEvent event>
  int32_t FetchEventID() {
    return FetchEventID(event);
  }
  // A currently free id; it is not reserved.
  OPKIT_INLINE int32_t FetchEventID(HardEvent event) {
    const int32_t id = events_.free_id(event);
    if (id < 0)
      return detail::fault("EK1114",
                           "FetchEventID: all 8 ids of this event are reserved; call "
                           "ReleaseEventID after the last WaitFlag"),
             0;
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

  // Bytes of UB that are given out. For PopStackBuffer and the advanced API's temporaries.
  uint32_t used_bytes(uint8_t memory) const { return buffers_.used(memory); }

 private:
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

// A piece of one memory that is cut into buffers again and again.
template <TPosition pos, uint32_t bufIDSize>
class TBufPool {
 public:
  static constexpr TPosition position = pos;

  template <typename Queue, typename = std::enable_if_t<Queue::isTQue>>
  OPKIT_INLINE bool InitBuffer(Queue& queue, uint8_t num, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = place(Queue::kStorage, num, bytes, true, Queue::limit());
    if (!first) return false;
    queue.bind(first, table_->id_of(first), num, bytes, table_->queue_id());
    return true;
  }
  template <TPosition p>
  OPKIT_INLINE bool InitBuffer(TBuf<p>& buffer, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = place(p, 1, bytes, false, 0);
    if (!first) return false;
    buffer.address_ = {bytes, first->offset, static_cast<uint16_t>(table_->id_of(first)),
                       static_cast<uint8_t>(p)};
    return true;
  }
  template <typename Pool>
  OPKIT_INLINE bool InitBufPool(Pool& pool, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = place(Pool::position, 1, bytes, false, 0);
    if (!first) return false;
    pool.bind(table_, first->offset, bytes);
    return true;
  }
  void Reset() { used_ = start_; }

 private:
  friend class TPipe;
  template <TPosition p, uint32_t n>
  friend class TBufPool;

  void bind(detail::BufferTable* table, uint32_t start, uint32_t bytes) {
    table_ = table;
    start_ = used_ = start;
    capacity_ = bytes;
  }
  OPKIT_INLINE detail::Buffer* place(TPosition position, uint32_t num, uint32_t bytes,
                                     bool is_queue, uint32_t depth) {
    if (uint64_t{used_ - start_} + uint64_t{num} * bytes > capacity_) {
      return detail::fault("EK1115",
                           "TBufPool::InitBuffer: the pool is too small; lengthen it in "
                           "InitBufPool, or Reset it between stages"),
             nullptr;
    }
    return table_->place(position, detail::memory_of(position), &used_, num, bytes, is_queue,
                         depth);
  }

  detail::BufferTable* table_ = nullptr;
  uint32_t start_ = 0, used_ = 0, capacity_ = 0;
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
