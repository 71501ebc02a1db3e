/* One chip as plain numbers: what tiling functions and the engine may ask. Filled by the host from
 * opkit/soc/specs. Sizes in bytes, frequencies in MHz, rates in bytes per cycle and core. */
#ifndef OPKIT_ABI_SOC_H_
#define OPKIT_ABI_SOC_H_

#include "opkit/abi/arch.h"
#include "opkit/abi/types.h"

typedef struct opk_soc_v1 {
  uint32_t struct_size;
  uint32_t npu_arch;        /* 1001, 2002, 2201, 3002 */
  const char* name;         /* full name, e.g. "Ascend910B1" */
  const char* short_name;   /* e.g. "Ascend910B" */
  uint32_t core_num;        /* ai_core_cnt: cores of a chip without the cube/vector split */
  uint32_t cube_core_num;   /* cores that can run AIC code */
  uint32_t vector_core_num; /* cores that can run AIV code */
  uint32_t split;           /* 1: separate AIC and AIV cores, 0: one core does both */
  uint64_t memory_size[OPK_MEM_COUNT]; /* on-chip sizes; [OPK_MEM_GM] = device memory */
  uint64_t l2_size;
  uint32_t reserved_ub; /* bytes at the end of UB and L1 that queries do not offer */
  uint32_t reserved_l1;
  uint64_t lib_api_workspace; /* system part of the workspace */
  uint32_t cube_freq_mhz;
  uint32_t vector_freq_mhz;
  uint32_t l2_read_rate, l2_write_rate;
  uint32_t ddr_read_rate, ddr_write_rate;
  uint32_t vector_register_bytes; /* 0: a chip without vector registers that kernels see */
  const opk_arch_v1* arch;        /* what its cores execute; the engine runs nothing without it */
} opk_soc_v1;

#endif /* OPKIT_ABI_SOC_H_ */
