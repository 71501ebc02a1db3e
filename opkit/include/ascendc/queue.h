// TQue, TQueBind, TBuf: which queue hands a buffer over, and to whom. (Vendor's pages "TQue",
// "TQueBind", "TBuf", "TSCM", "InitBufHandle".)
//
// A queue works on a ring of equal buffers. Per buffer: Alloc -> fill -> EnQue -> DeQue -> use ->
// Free. What would block the chip for ever is refused with an EK11xx code.
#ifndef OPKIT_INCLUDE_ASCENDC_QUEUE_H_
#define OPKIT_INCLUDE_ASCENDC_QUEUE_H_

#include "opkit/include/ascendc/buffer_table.h"

namespace AscendC {

template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool;

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

using TBufHandle = uint8_t*;

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

  // For a pool of the author: num buffers of len bytes, each then told its place in the memory.
  void InitStartBufHandle(TBufHandle, uint8_t num, uint32_t len) {
    count_ = 0;
    declared_ = num;
    bytes_ = detail::align32(len);
  }
  template <typename Pool>
  OPKIT_INLINE void InitBufHandle(Pool* bufPool, uint32_t index, TBufHandle, uint32_t curPoolAddr,
                                  uint32_t len) {
    detail::Buffer* buffer = bufPool->opkit_pool().place(
        kStorage, curPoolAddr, len, index == 0 ? detail::Owner::kQueue : detail::Owner::kSameQueue,
        limit());
    if (!buffer) return;
    if (index == 0)
      bind(buffer, bufPool->opkit_pool().id_of(buffer), declared_, bytes_,
           bufPool->opkit_pool().queue_id());
    if (__builtin_expect(count_ == 0 || buffer != buffers_ + index, 0))
      refuse("EK1120",
             "InitBufHandle: the buffers of a queue are told in order, from index 0, before those "
             "of another; call InitStartBufHandle and then InitBufHandle for 0, 1, ...");
  }

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
      address.dataLen = buffers_[index].bytes;
      address.bufferHandle = static_cast<uint16_t>(first_id_ + index);
    }
    return LocalTensor<T>(address);
  }

  template <typename T>
  OPKIT_INLINE uint32_t index_of(const LocalTensor<T>& tensor) const {
    const uint32_t handle = tensor.address_.bufferHandle;
    return handle >= first_id_ && handle < first_id_ + count_ ? handle - first_id_ : count_;
  }

  // Returns the pipe's buffer of that number, this queue's or another one's: FreeTensor gives a
  // tensor back by what it is, whichever queue is asked.
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
  uint32_t declared_ = 0;  // count_ to be, before the buffers of an author's pool are told
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
  void InitStartBufHandle(TBufHandle, uint8_t, uint32_t) {}
  template <typename Pool>
  OPKIT_INLINE void InitBufHandle(Pool* bufPool, uint32_t, TBufHandle, uint32_t curPoolAddr,
                                  uint32_t len) {
    const detail::Buffer* buffer =
        bufPool->opkit_pool().place(pos, curPoolAddr, len, detail::Owner::kBuffer, 0);
    if (buffer)
      address_ = {buffer->bytes, buffer->offset,
                  static_cast<uint16_t>(bufPool->opkit_pool().id_of(buffer)),
                  static_cast<uint8_t>(pos)};
  }
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
      constexpr uint8_t memory = detail::memory_of(pos);
      const uint64_t end = uint64_t{address_.bufferAddr} + offset + bytes;
      detail::fault(end <= detail::core()->memory_size[memory] ? "EK1109" : "EK1001",
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

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_QUEUE_H_
