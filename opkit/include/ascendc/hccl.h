// Hccl: communication between chips. A launch of opkit runs on one chip, which has no communicator:
// kernels that communicate compile, and the first call that needs the others is refused (EK1606).
// (Vendor's pages "Hccl", "GetHcclContext", "InitV2", "SetCcTilingV2", "BatchWrite",
// "GetWindowsInAddr"; the types' values: page "HcclDataType" of the collective library.)
#ifndef OPKIT_INCLUDE_ASCENDC_HCCL_H_
#define OPKIT_INCLUDE_ASCENDC_HCCL_H_

#include "opkit/include/ascendc/system.h"

namespace AscendC {

enum HcclDataType {
  HCCL_DATA_TYPE_INT8 = 0,
  HCCL_DATA_TYPE_INT16 = 1,
  HCCL_DATA_TYPE_INT32 = 2,
  HCCL_DATA_TYPE_FP16 = 3,
  HCCL_DATA_TYPE_FP32 = 4,
  HCCL_DATA_TYPE_INT64 = 5,
  HCCL_DATA_TYPE_UINT64 = 6,
  HCCL_DATA_TYPE_UINT8 = 7,
  HCCL_DATA_TYPE_UINT16 = 8,
  HCCL_DATA_TYPE_UINT32 = 9,
  HCCL_DATA_TYPE_FP64 = 10,
  HCCL_DATA_TYPE_BFP16 = 11,
};

enum HcclReduceOp {
  HCCL_REDUCE_SUM = 0,
  HCCL_REDUCE_PROD = 1,
  HCCL_REDUCE_MAX = 2,
  HCCL_REDUCE_MIN = 3,
};

enum HcclServerType { HCCL_SERVER_TYPE_AICPU = 0, HCCL_SERVER_TYPE_CCU };

using HcclHandle = int8_t;
constexpr int32_t HCCL_SUCCESS = 0;
constexpr int32_t HCCL_FAILED = -1;
constexpr uint32_t HCCL_GROUP_ID_0 = 0;
constexpr uint32_t HCCL_MAX_RANK_NUM = 32;  // limits the windows in a context of this chip

// Memory of a rank that network cards reach, as kernels that drive them read it.
struct MemDetails {
  uint64_t size;
  uint64_t addr;
  uint32_t key;
};
struct IbVerbsData {
  MemDetails remoteInput, remoteOutput, localInput, localOutput;
  uint8_t res[24];
};

namespace detail {

OPKIT_INLINE void refuse_hccl() {
  fault("EK1606",
        "Hccl: the kernel asks for its communicator, but a launch of opkit runs on one chip, which "
        "has none; test what each rank computes as a kernel of its own");
}

}  // namespace detail

// Returns the communicator of a group, which the framework sets up.
template <uint32_t group>
OPKIT_INLINE GM_ADDR GetHcclContext() {
  detail::refuse_hccl();
  return nullptr;
}

template <HcclServerType server = HCCL_SERVER_TYPE_AICPU, auto... config>
class Hccl {
 public:
  OPKIT_INLINE void Init(GM_ADDR, __gm__ void* = nullptr) { detail::refuse_hccl(); }
  OPKIT_INLINE void InitV2(GM_ADDR, const void*) { detail::refuse_hccl(); }
  OPKIT_INLINE int32_t SetCcTiling(__gm__ void*) { return refused(); }
  OPKIT_INLINE int32_t SetCcTilingV2(uint64_t) { return refused(); }

  template <bool commit = false>
  OPKIT_INLINE HcclHandle AllReduce(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, HcclReduceOp,
                                    uint8_t = 1) {
    return refused();
  }
  template <bool commit = false>
  OPKIT_INLINE HcclHandle AllGather(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, uint64_t,
                                    uint8_t = 1) {
    return refused();
  }
  template <bool commit = false>
  OPKIT_INLINE HcclHandle ReduceScatter(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, HcclReduceOp,
                                        uint64_t, uint8_t = 1) {
    return refused();
  }
  template <bool commit = false>
  OPKIT_INLINE HcclHandle AlltoAll(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, uint64_t = 0,
                                   uint8_t = 1) {
    return refused();
  }
  template <bool commit = false>
  OPKIT_INLINE HcclHandle AlltoAllV(GM_ADDR, void*, void*, HcclDataType, GM_ADDR, void*, void*,
                                    HcclDataType, uint8_t = 1) {
    return refused();
  }
  template <bool commit = false>
  OPKIT_INLINE HcclHandle AlltoAllvWrite(GM_ADDR, GM_ADDR, GM_ADDR, uint64_t, uint64_t) {
    return refused();
  }
  template <bool commit = false>
  OPKIT_INLINE HcclHandle BatchWrite(GM_ADDR, uint32_t, uint16_t = 0) {
    return refused();
  }

  OPKIT_INLINE void Commit(HcclHandle) { detail::refuse_hccl(); }
  OPKIT_INLINE int32_t Wait(HcclHandle) { return refused(); }
  OPKIT_INLINE int32_t Query(HcclHandle) { return refused(); }
  OPKIT_INLINE void InterHcclGroupSync(int8_t, HcclHandle) { detail::refuse_hccl(); }
  template <auto... scope>
  OPKIT_INLINE void Finalize() {
    detail::refuse_hccl();
  }

  OPKIT_INLINE GM_ADDR GetWindowsInAddr(uint32_t) { return detail::refuse_hccl(), nullptr; }
  OPKIT_INLINE GM_ADDR GetWindowsOutAddr(uint32_t) { return detail::refuse_hccl(), nullptr; }
  OPKIT_INLINE uint32_t GetRankId() { return static_cast<uint32_t>(refused()); }
  OPKIT_INLINE uint32_t GetRankDim() { return static_cast<uint32_t>(refused()); }

 private:
  OPKIT_INLINE static int8_t refused() {
    detail::refuse_hccl();
    return HCCL_FAILED;
  }
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_HCCL_H_
