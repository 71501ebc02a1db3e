// platform_ascendc: what host code may ask about the chip.
#ifndef OPKIT_INCLUDE_TILING_PLATFORM_PLATFORM_ASCENDC_H_
#define OPKIT_INCLUDE_TILING_PLATFORM_PLATFORM_ASCENDC_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opkit_host/soc_lookup.h"
#include "platform/platform_infos_def.h"

enum class NpuArch : uint32_t {
  DAV_1001 = 1001,
  DAV_2002 = 2002,
  DAV_2201 = 2201,
  DAV_3002 = 3002,
  DAV_3510 = 3510,
  DAV_RESV = 0xFFFF,
};

namespace platform_ascendc {

enum class CoreMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  FB = 7,
  BT = 8,
  RESERVED
};

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND910_95,
  ASCEND910_93,
  ASCEND950,
  RESERVED_VERSION = 99999
};

// Bytes of UB that calls with own scratch memory need.
enum class ReservedSize : uint32_t {
  RESERVED_SIZE_0K = 0,
  RESERVED_SIZE_8K = 8 * 1024,
  RESERVED_SIZE_16K = 16 * 1024,
  RESERVED_SIZE_32K = 32 * 1024,
};

class PlatformAscendC {
 public:
  // REQUIRES: platform names a chip and outlives the object.
  explicit PlatformAscendC(const fe::PlatFormInfos* platform) : soc_(platform->soc()) {}
  explicit PlatformAscendC(const opk_soc_v1* soc) : soc_(soc) {}

  // Separate cores: the AIV cores; otherwise the AI cores.
  uint32_t GetCoreNum() const { return GetCoreNumAiv(); }
  // Separate cores: the AIC cores; otherwise the AI cores.
  uint32_t GetCoreNumAic() const { return soc_->split ? soc_->cube_core_num : soc_->core_num; }
  // Separate cores: the AIV cores; otherwise the AI cores.
  uint32_t GetCoreNumAiv() const { return soc_->split ? soc_->vector_core_num : soc_->core_num; }
  // The vector cores beside the AI cores of the 310P family; 0 elsewhere.
  uint32_t GetCoreNumVector() const {
    return soc_->npu_arch == 2002 ? soc_->vector_core_num - soc_->core_num : 0;
  }

  // Bytes that a kernel may use; 0 for a memory that the chip lacks.
  void GetCoreMemSize(const CoreMemType& type, uint64_t& size) const {
    switch (type) {
      case CoreMemType::L0_A: size = soc_->memory_size[OPK_MEM_L0A]; break;
      case CoreMemType::L0_B: size = soc_->memory_size[OPK_MEM_L0B]; break;
      case CoreMemType::L0_C: size = soc_->memory_size[OPK_MEM_L0C]; break;
      case CoreMemType::L1: size = soc_->memory_size[OPK_MEM_L1] - soc_->reserved_l1; break;
      case CoreMemType::L2: size = soc_->l2_size; break;
      case CoreMemType::UB:
        size = soc_->memory_size[OPK_MEM_UB] - soc_->reserved_ub - reserved_bytes_;
        break;
      case CoreMemType::HBM: size = soc_->memory_size[OPK_MEM_GM]; break;
      case CoreMemType::FB: size = soc_->memory_size[OPK_MEM_FB]; break;
      case CoreMemType::BT: size = soc_->memory_size[OPK_MEM_BT]; break;
      case CoreMemType::RESERVED: size = 0; break;
    }
  }

  // Bytes per cycle and core; only L2 and HBM are known, others give 0.
  void GetCoreMemBw(const CoreMemType& type, uint64_t& rate) const {
    rate = type == CoreMemType::L2    ? soc_->l2_read_rate
           : type == CoreMemType::HBM ? soc_->ddr_read_rate
                                      : 0;
  }

  SocVersion GetSocVersion() const {
    static constexpr struct {
      const char* name;
      SocVersion version;
    } kVersions[] = {
        {"Ascend910", SocVersion::ASCEND910},       {"Ascend910B", SocVersion::ASCEND910B},
        {"Ascend910_93", SocVersion::ASCEND910_93}, {"Ascend910_95", SocVersion::ASCEND910_95},
        {"Ascend310P", SocVersion::ASCEND310P},     {"Ascend310B", SocVersion::ASCEND310B}};
    for (const auto& entry : kVersions) {
      if (std::strcmp(entry.name, soc_->short_name) == 0) return entry.version;
    }
    return SocVersion::RESERVED_VERSION;
  }
  NpuArch GetCurNpuArch() const { return static_cast<NpuArch>(soc_->npu_arch); }

  // Returns the system part of a kernel's workspace, in bytes.
  uint32_t GetLibApiWorkSpaceSize() const { return static_cast<uint32_t>(soc_->lib_api_workspace); }

  // Returns the bytes in a workspace that are enough for a GroupBarrier for which all vector cores
  // wait: 512 each.
  uint32_t GetResGroupBarrierWorkSpaceSize() const { return 512 * GetCoreNumAiv(); }

  // Blocks of a mixed launch that give `slices` vector cores their work.
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic_cores, uint32_t aiv_cores) const {
    if (aic_cores == 0 || aiv_cores == 0 || aic_cores > aiv_cores) return slices;
    const uint32_t ratio = aiv_cores / aic_cores;
    return (slices + ratio - 1) / ratio;
  }
  uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t aic_cores, uint32_t aiv_cores) const {
    return CalcTschBlockDim(slices, aic_cores, aiv_cores);
  }

  // Takes bytes off what GetCoreMemSize(UB) offers.
  void ReserveLocalMemory(ReservedSize size) { reserved_bytes_ = static_cast<uint32_t>(size); }
  // Returns the bytes of a vector register, 0 on chips whose kernels do not see registers.
  uint32_t GetVecRegLen() const {
    constexpr size_t kNeeded = offsetof(opk_soc_v1, vector_register_bytes) + sizeof(uint32_t);
    return soc_->struct_size >= kNeeded ? soc_->vector_register_bytes : 0;
  }

 private:
  const opk_soc_v1* soc_;
  uint32_t reserved_bytes_ = 0;
};

// The chip without a context. Inside a function that opkit calls it is the chip of that call; in a
// program of `opkit cc`, or one with the runtime's library, that of aclrtGetSocName(); elsewhere it
// is $OPKIT_SOC or Ascend910B1.
class PlatformAscendCManager {
 public:
  // nullptr (reported) for an unknown name.
  static PlatformAscendC* GetInstance() { return get(opkit_host::process_soc()); }
  // By full or short name.
  static PlatformAscendC* GetInstance(const char* soc_version) {
    return get(opkit_host::find_soc(soc_version));
  }

 private:
  OPKIT_HOST_LOCAL static PlatformAscendC* get(const opk_soc_v1* soc) {
    if (soc == nullptr) return nullptr;
    static thread_local std::map<const opk_soc_v1*, PlatformAscendC> platforms;
    return &platforms.insert_or_assign(soc, PlatformAscendC(soc)).first->second;
  }
};

}  // namespace platform_ascendc

#endif  // OPKIT_INCLUDE_TILING_PLATFORM_PLATFORM_ASCENDC_H_
