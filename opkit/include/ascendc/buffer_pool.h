// Pools: pieces of one memory that are cut into buffers by the library (TBufPool) or by the author
// (EXTERN_IMPL_BUFPOOL). (Vendor's pages "TBufPool", "EXTERN_IMPL_BUFPOOL宏", "InitBufHandle".)
#ifndef OPKIT_INCLUDE_ASCENDC_BUFFER_POOL_H_
#define OPKIT_INCLUDE_ASCENDC_BUFFER_POOL_H_

#include "opkit/include/ascendc/queue.h"

namespace AscendC {

namespace detail {

struct PoolMemory {
  uint32_t start, bytes;
};
template <typename Pool>
PoolMemory pool_memory(const Pool& pool) {
  return pool.opkit_memory();
}
// Tells whether `len` bytes fit into a pool whose memory they are to share.
OPKIT_INLINE bool may_share(const PoolMemory& memory, uint32_t len) {
  if (__builtin_expect(align32(len) <= memory.bytes, 1)) return true;
  return fault("EK1113",
               "InitBufPool: longer than the pool whose memory it shares; make the first pool as "
               "long as the longest"),
         false;
}
// The page "Reset" of TBufPool lets the events of the pool's buffers end, so that the next ones may
// take their memory.
OPKIT_INLINE void end_pool_events() {
  if (__builtin_expect(core()->observed, 0)) core()->isa->barrier(core(), PIPE_ALL);
}

}  // namespace detail

// A piece of one memory that is cut into buffers again and again.
template <TPosition pos, uint32_t bufIDSize>
class TBufPool {
 public:
  static constexpr TPosition position = pos;
  static constexpr TPosition opkit_position() { return pos; }

  template <typename Queue, typename = std::enable_if_t<Queue::isTQue>>
  OPKIT_INLINE bool InitBuffer(Queue& queue, uint8_t num, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first =
        place(Queue::kStorage, num, bytes, detail::Owner::kQueue, Queue::limit());
    if (!first) return false;
    queue.bind(first, table_->id_of(first), num, bytes, table_->queue_id());
    return true;
  }
  template <TPosition p>
  OPKIT_INLINE bool InitBuffer(TBuf<p>& buffer, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = place(p, 1, bytes, detail::Owner::kBuffer, 0);
    if (!first) return false;
    buffer.address_ = {bytes, first->offset, static_cast<uint16_t>(table_->id_of(first)),
                       static_cast<uint8_t>(p)};
    return true;
  }
  template <typename Pool>
  OPKIT_INLINE bool InitBufPool(Pool& pool, uint32_t len) {
    const uint32_t bytes = detail::align32(len);
    detail::Buffer* first = place(Pool::opkit_position(), 1, bytes, detail::Owner::kBuffer, 0);
    if (!first) return false;
    pool.bind(table_, first->offset, bytes);
    return true;
  }
  // A pool that shares the bytes of another one.
  template <typename Pool, typename Other>
  OPKIT_INLINE bool InitBufPool(Pool& pool, uint32_t len, Other& shared) {
    const auto memory = detail::pool_memory(shared);
    if (!detail::may_share(memory, len)) return false;
    pool.bind(table_, memory.start, detail::align32(len));
    return true;
  }
  void Reset() {
    detail::end_pool_events();
    used_ = start_;
  }
  detail::PoolMemory opkit_memory() const { return {start_, capacity_}; }

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
                                     detail::Owner owner, uint32_t depth) {
    if (uint64_t{used_ - start_} + uint64_t{num} * bytes > capacity_) {
      return detail::fault("EK1115",
                           "TBufPool::InitBuffer: the pool is too small; lengthen it in "
                           "InitBufPool, or Reset it between stages"),
             nullptr;
    }
    return table_->place(position, detail::memory_of(position), &used_, num, bytes, owner, depth);
  }

  detail::BufferTable* table_ = nullptr;
  uint32_t start_ = 0, used_ = 0, capacity_ = 0;
};

namespace detail {

// What EXTERN_IMPL_BUFPOOL puts into an author's pool.
template <uint32_t kHandles>
class AuthorPool {
 public:
  void bind(BufferTable* table, uint32_t start, uint32_t bytes) {
    table_ = table;
    start_ = address_ = start;
    capacity_ = bytes;
  }
  void clear() {
    address_ = start_;
    made_ = 0;
  }
  TBufHandle handle(uint8_t offset) {
    if (__builtin_expect(offset >= kHandles, 0))
      fault("EK1122", "GetBufHandle: the index is not below BUFID_SIZE; enlarge it");
    return tokens_ + offset;
  }
  OPKIT_INLINE Buffer* place(TPosition position, uint32_t address, uint32_t len, Owner owner,
                             uint32_t depth) {
    const uint32_t bytes = align32(len);
    if (__builtin_expect(
            !table_ || address < start_ || uint64_t{address} + bytes > uint64_t{start_} + capacity_,
            0)) {
      return fault("EK1115",
                   "InitBufHandle: the buffer does not lie in the pool; lengthen it in "
                   "InitBufPool, and count addresses from GetCurAddr"),
             nullptr;
    }
    return table_->place_at(position, address, bytes, owner, depth);
  }
  uint32_t id_of(const Buffer* buffer) const { return table_->id_of(buffer); }
  uint16_t queue_id() const { return table_->queue_id(); }
  uint32_t start() const { return start_; }
  uint32_t capacity() const { return capacity_; }

  uint32_t address_ = 0;
  uint8_t made_ = 0;  // handles in use

 private:
  BufferTable* table_ = nullptr;
  uint32_t start_ = 0, capacity_ = 0;
  uint8_t tokens_[kHandles] = {};
};

}  // namespace detail

}  // namespace AscendC

// Makes the surrounding class a pool of BUFID_SIZE buffers that TPipe::InitBufPool fills; how they
// lie in it is the author's. Addresses are bytes in the memory of POSITION.
#define EXTERN_IMPL_BUFPOOL(EXT_BUFPOOL, POSITION, BUFID_SIZE)                              \
 public:                                                                                    \
  static constexpr ::AscendC::TPosition opkit_position() { return POSITION; }               \
  void Init() { opkit_pool_.clear(); }                                                      \
  void Reset() {                                                                            \
    ::AscendC::detail::end_pool_events();                                                   \
    opkit_pool_.clear();                                                                    \
  }                                                                                         \
  ::AscendC::TBufHandle GetBufHandle(uint8_t offset) { return opkit_pool_.handle(offset); } \
  void SetCurAddr(uint32_t curAddr) { opkit_pool_.address_ = curAddr; }                     \
  uint32_t GetCurAddr() { return opkit_pool_.address_; }                                    \
  void SetCurBufSize(uint8_t curBufSize) { opkit_pool_.made_ = curBufSize; }                \
  uint8_t GetCurBufSize() { return opkit_pool_.made_; }                                     \
  ::AscendC::detail::AuthorPool<BUFID_SIZE>& opkit_pool() { return opkit_pool_; }           \
  void bind(::AscendC::detail::BufferTable* table, uint32_t start, uint32_t bytes) {        \
    opkit_pool_.bind(table, start, bytes);                                                  \
  }                                                                                         \
  ::AscendC::detail::PoolMemory opkit_memory() const {                                      \
    return {opkit_pool_.start(), opkit_pool_.capacity()};                                   \
  }                                                                                         \
                                                                                            \
 private:                                                                                   \
  ::AscendC::detail::AuthorPool<BUFID_SIZE> opkit_pool_

#endif  // OPKIT_INCLUDE_ASCENDC_BUFFER_POOL_H_
