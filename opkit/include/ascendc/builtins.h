// Names that the device's compiler knows without a namespace and published kernels use beside the
// API, as far as the page of a call says what they mean (pages "CrossCoreSetFlag(ISASI)",
// "DataCacheCleanAndInvalid", "DataSyncBarrier(ISASI)", "SetVectorMask", "GetBlockNum",
// "GetSystemCycle", "ICachePreLoad"). Of other instructions `opkit cc` and `opkit build` say which
// call to use.
#ifndef OPKIT_INCLUDE_ASCENDC_BUILTINS_H_
#define OPKIT_INCLUDE_ASCENDC_BUILTINS_H_

#include "opkit/include/ascendc/scalar.h"
#include "opkit/include/ascendc/system.h"
#include "opkit/include/ascendc/vector_mask.h"

// Another spelling of __aicore__, [aicore]: an attribute that says nothing.
#define aicore []

namespace AscendC {
namespace detail {

// What get_imm gives: a byte of UB by its number, for sources that cast it to a pointer.
class UbByte {
 public:
  explicit UbByte(uint64_t number) : number_(number) {}
  template <typename T>
  operator T*() const {
    return reinterpret_cast<T*>(core()->memory[OPK_MEM_UB] + number_);
  }

 private:
  uint64_t number_;
};

// The compiler's variables block_idx and block_num.
struct BlockIndex {
  operator int32_t() const { return static_cast<int32_t>(block_of_core()); }
};
struct BlockCount {
  operator int32_t() const { return static_cast<int32_t>(core()->block_num); }
};

}  // namespace detail
}  // namespace AscendC

inline constexpr ::AscendC::detail::BlockIndex block_idx{};
inline constexpr ::AscendC::detail::BlockCount block_num{};
inline int64_t get_block_idx() { return ::AscendC::detail::block_of_core(); }
inline int64_t get_block_num() { return ::AscendC::detail::core()->block_num; }
inline int64_t get_subblockid() { return ::AscendC::detail::core()->sub_block_idx; }
inline int64_t get_subblockdim() { return ::AscendC::detail::core()->sub_block_num; }
inline int64_t get_sys_cnt() { return ::AscendC::GetSystemCycle(); }
inline void trap() { ::AscendC::Trap(); }
inline ::AscendC::detail::UbByte get_imm(uint64_t number) {
  return ::AscendC::detail::UbByte(number);
}

// Names the padding modes of DataCopyEnhancedParams.
enum pad_t {
  PAD_NONE = 0,
  PAD_MODE1,
  PAD_MODE2,
  PAD_MODE3,
  PAD_MODE4,
  PAD_MODE5,
  PAD_MODE6,
  PAD_MODE7,
  PAD_MODE8
};

// Code is loaded beforehand; here it lies in the host's caches.
#define PRELOAD(lines)

// --- flags between cores: config is 1, the mode from bit 4 and the flag's number from bit 8 on

OPKIT_INLINE void ffts_cross_core_sync(pipe_t pipe, uint64_t config) {
  ::AscendC::detail::core()->isa->cross_flag(::AscendC::detail::core(), OPK_SYNC_SET,
                                             config >> 4 & 0xf, pipe, config >> 8 & 0xff);
}
OPKIT_INLINE void wait_flag_dev(int64_t flag) {
  ::AscendC::detail::wait_cross_flag(0, PIPE_S, static_cast<uint32_t>(flag));
}
OPKIT_INLINE void wait_flag_dev(pipe_t pipe, int64_t flag) {
  ::AscendC::detail::wait_cross_flag(0, pipe, static_cast<uint32_t>(flag));
}
OPKIT_INLINE void set_ffts_base_addr(uint64_t) {}

// --- caches

enum cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };

// extent and where: as above, or their numbers.
template <typename Extent, typename... Where>
OPKIT_INLINE void dcci(const volatile void* address, Extent extent, Where...) {
  ::AscendC::GlobalTensor<uint8_t> line;
  line.SetGlobalBuffer(static_cast<uint8_t*>(const_cast<void*>(address)),
                       ::AscendC::CACHE_LINE_SIZE);
  if (static_cast<int>(extent) == SINGLE_CACHE_LINE) {
    ::AscendC::DataCacheCleanAndInvalid<uint8_t, ::AscendC::CacheLine::SINGLE_CACHE_LINE>(line);
  } else {
    ::AscendC::DataCacheCleanAndInvalid<uint8_t, ::AscendC::CacheLine::ENTIRE_DATA_CACHE>(line);
  }
}
template <typename Kind>
OPKIT_INLINE void dsb(Kind) {}

// --- the mask register

OPKIT_INLINE void set_vector_mask(uint64_t high, uint64_t low) {
  ::AscendC::SetVectorMask<uint8_t>(high, low);
}
OPKIT_INLINE void set_mask_norm() { ::AscendC::SetMaskNorm(); }
OPKIT_INLINE void set_mask_count() { ::AscendC::SetMaskCount(); }
OPKIT_INLINE void set_atomic_none() { ::AscendC::SetAtomicNone(); }

#endif  // OPKIT_INCLUDE_ASCENDC_BUILTINS_H_
