// fe::PlatFormInfos: the chip, as a tiling function gets it.
#ifndef OPKIT_INCLUDE_PLATFORM_PLATFORM_INFOS_DEF_H_
#define OPKIT_INCLUDE_PLATFORM_PLATFORM_INFOS_DEF_H_

#include <cstdint>
#include <string>

#include "opkit/abi/soc.h"

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

// Borrows the chip's numbers.
class PlatFormInfos {
 public:
  PlatFormInfos() = default;
  explicit PlatFormInfos(const opk_soc_v1* soc) : soc_(soc) {}

  const opk_soc_v1* soc() const { return soc_; }

  uint32_t GetCoreNum() const { return soc_ != nullptr ? soc_->core_num : 0; }
  void GetLocalMemSize(LocalMemType type, uint64_t& size) const {
    size = 0;
    if (soc_ == nullptr) return;
    switch (type) {
      case LocalMemType::L0_A: size = soc_->memory_size[OPK_MEM_L0A]; break;
      case LocalMemType::L0_B: size = soc_->memory_size[OPK_MEM_L0B]; break;
      case LocalMemType::L0_C: size = soc_->memory_size[OPK_MEM_L0C]; break;
      case LocalMemType::L1: size = soc_->memory_size[OPK_MEM_L1] - soc_->reserved_l1; break;
      case LocalMemType::L2: size = soc_->l2_size; break;
      case LocalMemType::UB: size = soc_->memory_size[OPK_MEM_UB] - soc_->reserved_ub; break;
      case LocalMemType::HBM: size = soc_->memory_size[OPK_MEM_GM]; break;
      case LocalMemType::RESERVED: break;
    }
  }

  // A figure of the vendor's platform file as text; false for what opkit does not carry.
  bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const {
    if (soc_ == nullptr) return false;
    if (label == "version" && key == "SoC_version") return value = soc_->name, true;
    if (label == "version" && key == "Short_SoC_version") return value = soc_->short_name, true;
    uint64_t number = 0;
    if (!number_of(label, key, number)) return false;
    value = std::to_string(number);
    return true;
  }

 private:
  bool number_of(const std::string& label, const std::string& key, uint64_t& number) const {
    const struct {
      const char *label, *key;
      uint64_t value;
    } kFigures[] = {
        {"SoCInfo", "ai_core_cnt", soc_->core_num},
        {"SoCInfo", "cube_core_cnt", soc_->split ? soc_->cube_core_num : 0},
        {"SoCInfo", "vector_core_cnt",
         soc_->split ? soc_->vector_core_num : soc_->vector_core_num - soc_->core_num},
        {"SoCInfo", "l2_size", soc_->l2_size},
        {"SoCInfo", "memory_size", soc_->memory_size[OPK_MEM_GM]},
        {"AICoreSpec", "ub_size", soc_->memory_size[OPK_MEM_UB]},
        {"AICoreSpec", "l1_size", soc_->memory_size[OPK_MEM_L1]},
        {"AICoreSpec", "l0_a_size", soc_->memory_size[OPK_MEM_L0A]},
        {"AICoreSpec", "l0_b_size", soc_->memory_size[OPK_MEM_L0B]},
        {"AICoreSpec", "l0_c_size", soc_->memory_size[OPK_MEM_L0C]},
        {"AICoreSpec", "bt_size", soc_->memory_size[OPK_MEM_BT]},
        {"AICoreSpec", "cube_freq", soc_->cube_freq_mhz},
    };
    for (const auto& figure : kFigures) {
      if (label == figure.label && key == figure.key) return number = figure.value, true;
    }
    return false;
  }

  const opk_soc_v1* soc_ = nullptr;
};

}  // namespace fe

#endif  // OPKIT_INCLUDE_PLATFORM_PLATFORM_INFOS_DEF_H_
