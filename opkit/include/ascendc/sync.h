// Flags, barriers and synchronisation between cores. (Vendor's pages "SetFlag-WaitFlag(ISASI)",
// "PipeBarrier(ISASI)", "CrossCoreSetFlag(ISASI)", "SyncAll", "IBSet", "IBWait", "TQueSync",
// "DataSyncBarrier(ISASI)", "SetAtomicAdd", "DataCacheCleanAndInvalid".)
#ifndef OPKIT_INCLUDE_ASCENDC_SYNC_H_
#define OPKIT_INCLUDE_ASCENDC_SYNC_H_

#include "opkit/include/ascendc/pipe.h"

namespace AscendC {

namespace detail {

// The scalar pipe is about to look at memory through raw pointers, or did.
OPKIT_INLINE void scalar_sees_memory() {
  if (__builtin_expect(core()->scalar_watch, 0)) core()->isa->materialize(core());
}

// After a wait other blocks may have run on this thread: the core must be set again.
OPKIT_INLINE void wait_cross_flag(uint32_t mode, uint32_t pipe, uint32_t id) {
  opk_core* self = core();
  self->isa->cross_flag(self, OPK_SYNC_WAIT, mode, pipe, id);
  current = self;
}
OPKIT_INLINE void wait_everybody(uint32_t bits) {
  opk_core* self = core();
  self->isa->sync_all(self, bits);
  current = self;
}
OPKIT_INLINE void wait_word(int32_t* word, int32_t value) {
  opk_core* self = core();
  self->isa->gm_word(self, OPK_SYNC_WAIT, word, value);
  current = self;
}
// The kernel may look at GM in a loop until another core has written: that core has its turn.
OPKIT_INLINE void poll_gm() {
  opk_core* self = core();
  constexpr uint64_t kNeeded = offsetof(opk_isa_v1, poll) + sizeof self->isa->poll;
  if (__builtin_expect(self->isa->struct_size < kNeeded, 0)) return;  // an older engine
  self->isa->poll(self);
  current = self;
}

}  // namespace detail

template <HardEvent event>
OPKIT_INLINE void SetFlag(int32_t eventID) {
  constexpr detail::EventPipes pipes = detail::pipes_of(event);
  if constexpr (pipes.src == PIPE_S || pipes.dst == PIPE_S) detail::scalar_sees_memory();
  if (__builtin_expect(detail::core()->observed, 0)) {
    detail::core()->isa->flag(detail::core(), OPK_SYNC_SET, pipes.src, pipes.dst, eventID);
  }
}
template <HardEvent event>
OPKIT_INLINE void WaitFlag(int32_t eventID) {
  constexpr detail::EventPipes pipes = detail::pipes_of(event);
  if constexpr (pipes.src == PIPE_S || pipes.dst == PIPE_S) detail::scalar_sees_memory();
  if (__builtin_expect(detail::core()->observed, 0)) {
    detail::core()->isa->flag(detail::core(), OPK_SYNC_WAIT, pipes.src, pipes.dst, eventID);
  }
}

template <pipe_t pipe>
OPKIT_INLINE void PipeBarrier() {
  static_assert(
      pipe != PIPE_S,
      "PipeBarrier: PIPE_S is not allowed; scalar instructions wait for each other anyway");
  if (__builtin_expect(detail::core()->observed, 0))
    detail::core()->isa->barrier(detail::core(), pipe);
}

template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  OPKIT_INLINE void SetFlag(int32_t id) { tell(OPK_SYNC_SET, id); }
  OPKIT_INLINE void WaitFlag(int32_t id) { tell(OPK_SYNC_WAIT, id); }

 private:
  OPKIT_INLINE static void tell(opk_sync_op op, int32_t id) {
    if (__builtin_expect(detail::core()->observed, 0))
      detail::core()->isa->flag(detail::core(), op, src, dst, id);
  }
};

// Mode 0: all cube cores or all vector cores of the launch; 1: the two vector cores of a block; 2:
// the cube core and its vector cores.
template <uint8_t modeId, pipe_t pipe>
OPKIT_INLINE void CrossCoreSetFlag(uint16_t flagId) {
  static_assert(modeId <= 2, "CrossCoreSetFlag: the mode is 0, 1 or 2");
  static_assert(pipe != PIPE_S && pipe != PIPE_ALL,
                "CrossCoreSetFlag: name the pipe whose work must be done before");
  detail::core()->isa->cross_flag(detail::core(), OPK_SYNC_SET, modeId, pipe, flagId);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
OPKIT_INLINE void CrossCoreWaitFlag(uint16_t flagId) {
  detail::wait_cross_flag(modeId, pipe, flagId);
}

// Older names of the flags between a cube core and its vector cores.
template <pipe_t pipe>
OPKIT_INLINE void NotifyEvent(uint16_t flagId) {
  CrossCoreSetFlag<2, pipe>(flagId);
}
template <pipe_t pipe = PIPE_S>
OPKIT_INLINE void WaitEvent(uint16_t flagId) {
  CrossCoreWaitFlag<2, pipe>(flagId);
}
// The flags need no address here.
OPKIT_INLINE void SetSyncBaseAddr(uint64_t) {}

template <bool isAIVOnly = true>
OPKIT_INLINE void SyncAll() {
  detail::wait_everybody(isAIVOnly ? OPK_SYNC_ALL_AIV : 0);
}

namespace detail {

// Calls that synchronise through GM are for vector cores; of a mixed kernel the cube cores pass
// them by ("分离模式下，使用该接口进行多核同步时，仅对AIV核生效", pages "WaitPreBlock" and its
// like).
OPKIT_INLINE bool is_beside_vector_cores() { return core()->kind == OPK_CORE_AIC; }

// Returns the vector cores of the launch (of chips without them: the cores).
OPKIT_INLINE int32_t vector_cores() {
  return static_cast<int32_t>(core()->block_num * core()->task_ratio);
}

// A barrier of the first `cores` cores. Word 0 of a core says that it has arrived; core 0, which
// has seen all of them, raises word 1, with which it goes on. All are zero behind it, as before.
inline void meet_some(int32_t* words, int32_t cores) {
  const auto set = [](int32_t* word, int32_t value) {
    core()->isa->gm_word(core(), OPK_SYNC_SET, word, value);
  };
  const auto me = static_cast<int32_t>(core()->block_idx);
  if (me != 0) {
    set(words + 8 * me, 1);
    wait_word(words + 8 * me + 1, 1);
    return set(words + 8 * me + 1, 0);
  }
  for (int32_t c = 1; c < cores; ++c) wait_word(words + 8 * c, 1);
  for (int32_t c = 1; c < cores; ++c) set(words + 8 * c, 0);
  for (int32_t c = 1; c < cores; ++c) set(words + 8 * c + 1, 1);
}

}  // namespace detail

// The soft form: gm (eight words per core, zero) and ub are its work memory. Without usedCores all
// vector cores take part, else the first ones. A cube core passes by.
template <bool isAIVOnly = true>
OPKIT_INLINE void SyncAll(const GlobalTensor<int32_t>& gm, const LocalTensor<int32_t>&,
                          const int32_t usedCores = 0) {
  if (detail::is_beside_vector_cores()) return;
  const int32_t cores = detail::vector_cores();
  if (usedCores == 0 || usedCores == cores)
    return detail::wait_everybody(OPK_SYNC_ALL_AIV | OPK_SYNC_ALL_SOFT);
  if (usedCores < 0 || usedCores > cores ||
      static_cast<int32_t>(detail::core()->block_idx) >= usedCores) {
    return detail::fault("EK1503",
                         "SyncAll: usedCores is more than the vector cores of the launch, or this "
                         "core is not among the first usedCores; name as many cores as take part, "
                         "and let only those call it");
  }
  detail::meet_some(gm.GetPhyAddr(), usedCores);
}

namespace detail {

// Eight words (32 bytes) of gm for each event and core. A mixed kernel counts two cores per block.
template <bool isAIVOnly>
OPKIT_INLINE int32_t* event_word(const GlobalTensor<int32_t>& gm, int32_t blockIdx,
                                 int32_t eventID) {
  const int32_t cores = static_cast<int32_t>(core()->block_num) * (isAIVOnly ? 1 : 2);
  return gm.GetPhyAddr() + (eventID * cores + blockIdx) * 8;
}

}  // namespace detail

// Point-to-point: the words of gm start zeroed.
template <bool isAIVOnly = true>
OPKIT_INLINE void IBSet(const GlobalTensor<int32_t>& gm, const LocalTensor<int32_t>&,
                        int32_t blockIdx, int32_t eventID) {
  if (detail::is_beside_vector_cores()) return;
  int32_t* word = detail::event_word<isAIVOnly>(gm, blockIdx, eventID);
  detail::core()->isa->gm_word(detail::core(), OPK_SYNC_SET, word, *word + 1);
}
template <bool isAIVOnly = true>
OPKIT_INLINE void IBWait(const GlobalTensor<int32_t>& gm, const LocalTensor<int32_t>&,
                         int32_t blockIdx, int32_t eventID) {
  if (detail::is_beside_vector_cores()) return;
  int32_t* word = detail::event_word<isAIVOnly>(gm, blockIdx, eventID);
  detail::wait_word(word, 1);
  detail::core()->isa->gm_word(detail::core(), OPK_SYNC_SET, word, *word - 1);
}

// Blocks in turn: word 0 of the work memory counts the turns that are over. Each core counts its
// own in one of the eight words of its block.
namespace detail {
OPKIT_INLINE int32_t& turns_of_core(const GlobalTensor<int32_t>& gm) {
  const uint32_t block = core()->block_idx / core()->task_ratio;
  return gm.GetPhyAddr()[8 * block + 1 + core()->sub_block_idx];
}
}  // namespace detail

OPKIT_INLINE void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gm, LocalTensor<int32_t>&) {
  if (detail::is_beside_vector_cores()) return;
  detail::turns_of_core(gm) = 0;
  if (detail::core()->block_idx == 0)
    detail::core()->isa->gm_word(detail::core(), OPK_SYNC_SET, gm.GetPhyAddr(), 0);
  detail::wait_everybody(OPK_SYNC_ALL_AIV | OPK_SYNC_ALL_SOFT);
}
OPKIT_INLINE void WaitPreBlock(GlobalTensor<int32_t>& gm, LocalTensor<int32_t>&) {
  if (detail::is_beside_vector_cores()) return;
  detail::wait_word(gm.GetPhyAddr(), detail::turns_of_core(gm) * detail::vector_cores() +
                                         static_cast<int32_t>(detail::core()->block_idx));
}
OPKIT_INLINE void NotifyNextBlock(GlobalTensor<int32_t>& gm, LocalTensor<int32_t>&) {
  if (detail::is_beside_vector_cores()) return;
  ++detail::turns_of_core(gm);
  int32_t* turns = gm.GetPhyAddr();
  detail::core()->isa->gm_word(detail::core(), OPK_SYNC_SET, turns, *turns + 1);
}

enum class MemDsbT : uint8_t { ALL = 0, DDR, UB, SEQ };
template <MemDsbT kind>
OPKIT_INLINE void DataSyncBarrier() {}

// --- atomics
// ---------------------------------------------------------------------------------------------

namespace detail {

template <typename T>
OPKIT_INLINE void set_atomic(opk_atomic op) {
  static_assert(
      std::is_same<T, float>::value || std::is_same<T, half>::value ||
          std::is_same<T, bfloat16_t>::value || std::is_same<T, int32_t>::value ||
          std::is_same<T, int16_t>::value || std::is_same<T, int8_t>::value,
      "SetAtomicAdd/Max/Min: the type is int8_t, int16_t, half, bfloat16_t, int32_t or float");
  core()->atomic = op;
  core()->atomic_dtype = dtype_of<T>();
}

}  // namespace detail

template <typename T>
OPKIT_INLINE void SetAtomicAdd() {
  detail::set_atomic<T>(OPK_ATOMIC_ADD);
}
template <typename T>
OPKIT_INLINE void SetAtomicMax() {
  detail::set_atomic<T>(OPK_ATOMIC_MAX);
}
template <typename T>
OPKIT_INLINE void SetAtomicMin() {
  detail::set_atomic<T>(OPK_ATOMIC_MIN);
}
template <typename T>
OPKIT_INLINE void SetAtomicType() {
  detail::set_atomic<T>(static_cast<opk_atomic>(detail::core()->atomic));
}
OPKIT_INLINE void SetAtomicNone() { detail::core()->atomic = OPK_ATOMIC_NONE; }
OPKIT_INLINE void DisableDmaAtomic() { SetAtomicNone(); }

enum class AtomicDtype : uint8_t {
  ATOMIC_NONE = 0,
  ATOMIC_F32,
  ATOMIC_F16,
  ATOMIC_S16,
  ATOMIC_S32,
  ATOMIC_S8,
  ATOMIC_BF16
};
enum class AtomicOp : uint8_t { ATOMIC_SUM = 0 };

namespace detail {
constexpr uint8_t kStoreAtomicTypes[] = {0,         OPK_FLOAT32, OPK_FLOAT16, OPK_INT16,
                                         OPK_INT32, OPK_INT8,    OPK_BFLOAT16};
}  // namespace detail

template <AtomicDtype type, AtomicOp op>
OPKIT_INLINE void SetStoreAtomicConfig() {
  detail::core()->atomic = type == AtomicDtype::ATOMIC_NONE ? OPK_ATOMIC_NONE : OPK_ATOMIC_ADD;
  detail::core()->atomic_dtype = detail::kStoreAtomicTypes[static_cast<uint8_t>(type)];
}
// The type as AtomicDtype; sums are the only operation it can tell.
OPKIT_INLINE void GetStoreAtomicConfig(uint16_t& atomicType, uint16_t& atomicOp) {
  atomicType = atomicOp = 0;
  if (detail::core()->atomic == OPK_ATOMIC_NONE) return;
  while (atomicType < 6 &&
         detail::kStoreAtomicTypes[++atomicType] != detail::core()->atomic_dtype) {
  }
}

namespace detail {

// Makes one atomic step on a GM word; returns the old value.
template <typename T, typename Next>
OPKIT_INLINE T atomic_step(T* address, Next next) {
  T old = *address, wanted;
  do {
    wanted = next(old);
  } while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE));
  return old;
}

}  // namespace detail

template <typename T>
OPKIT_INLINE T AtomicAdd(__gm__ T* address, T value) {
  return detail::atomic_step(address, [=](T old) { return static_cast<T>(old + value); });
}
template <typename T>
OPKIT_INLINE T AtomicMax(__gm__ T* address, T value) {
  return detail::atomic_step(address, [=](T old) { return old < value ? value : old; });
}
template <typename T>
OPKIT_INLINE T AtomicMin(__gm__ T* address, T value) {
  return detail::atomic_step(address, [=](T old) { return value < old ? value : old; });
}
template <typename T>
OPKIT_INLINE T AtomicCas(__gm__ T* address, T expected, T value) {
  return detail::atomic_step(address, [=](T old) { return old == expected ? value : old; });
}
template <typename T>
OPKIT_INLINE T AtomicExch(__gm__ T* address, T value) {
  return detail::atomic_step(address, [=](T) { return value; });
}

// --- caches: the host needs none; observers are told
// ---------------------------------------------------------------------------

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

template <typename T, CacheLine entireType, DcciDst dcciDst>
OPKIT_INLINE void DataCacheCleanAndInvalid(const GlobalTensor<T>& tensor) {
  if (__builtin_expect(detail::core()->observed, 0)) {
    const opk_operand line = detail::operand(tensor);
    detail::core()->isa->scalar(
        detail::core(), &line,
        entireType == CacheLine::SINGLE_CACHE_LINE ? OPK_SCALAR_CLEAN_LINE : OPK_SCALAR_CLEAN_ALL);
  }
  detail::poll_gm();  // behind it, so that what this core wrote is not in its cache meanwhile
}
template <typename T, CacheLine entireType>
OPKIT_INLINE void DataCacheCleanAndInvalid(const GlobalTensor<T>& tensor) {
  DataCacheCleanAndInvalid<T, entireType, DcciDst::CACHELINE_OUT>(tensor);
}
template <typename T, CacheLine entireType, DcciDst dcciDst>
OPKIT_INLINE void DataCacheCleanAndInvalid(const LocalTensor<T>&) {}
template <typename T>
OPKIT_INLINE void DataCachePreload(const GlobalTensor<uint64_t>&, const T) {}
OPKIT_INLINE void ICachePreLoad(const int64_t = 0) {}
// 0: the load is complete.
OPKIT_INLINE int64_t GetICachePreloadStatus() { return 0; }

template <typename T>
OPKIT_INLINE T ReadGmByPassDCache(__gm__ T* address) {
  detail::poll_gm();
  return *static_cast<volatile T*>(address);
}
template <typename T>
OPKIT_INLINE void WriteGmByPassDCache(__gm__ T* address, T value) {
  detail::poll_gm();  // what this core has written before is there first
  *static_cast<volatile T*>(address) = value;
}

}  // namespace AscendC

// Older spellings of the compiler's own words.
#define set_flag(src, dst, id) \
  ::AscendC::detail::core()->isa->flag(::AscendC::detail::core(), OPK_SYNC_SET, src, dst, id)
#define wait_flag(src, dst, id) \
  ::AscendC::detail::core()->isa->flag(::AscendC::detail::core(), OPK_SYNC_WAIT, src, dst, id)
#define pipe_barrier(pipe) ::AscendC::detail::core()->isa->barrier(::AscendC::detail::core(), pipe)

#endif  // OPKIT_INCLUDE_ASCENDC_SYNC_H_
