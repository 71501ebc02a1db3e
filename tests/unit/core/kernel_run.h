// Runs a kernel function of a test on an emulated chip.
#ifndef OPKIT_TESTS_UNIT_CORE_KERNEL_RUN_H_
#define OPKIT_TESTS_UNIT_CORE_KERNEL_RUN_H_

#include <initializer_list>
#include <vector>

#include "opkit/core/machine.h"
#include "opkit/include/kernel_operator.h"
#include "opkit/soc/arch.h"
#include "tests/unit/core/observed_launch.h"

namespace opkit::core::test {

using KernelBody = void (*)(void* const* args);

template <KernelBody body>
void entry(opk_core* core, void* const* args) {
  AscendC::detail::enter(core);
  body(args);
}

// Sizes of the Ascend 910B1.
inline opk_soc_v1 soc_910b() {
  opk_soc_v1 soc{};
  soc.struct_size = sizeof soc;
  soc.npu_arch = 2201;
  soc.arch = &opkit::find_arch(2201).value()->table();
  soc.name = "Ascend910B1";
  soc.short_name = "Ascend910B";
  soc.cube_core_num = 24;
  soc.vector_core_num = 48;
  soc.split = 1;
  soc.memory_size[OPK_MEM_UB] = 196608;
  soc.memory_size[OPK_MEM_L1] = 524288;
  soc.memory_size[OPK_MEM_L0A] = soc.memory_size[OPK_MEM_L0B] = 65536;
  soc.memory_size[OPK_MEM_L0C] = 131072;
  soc.memory_size[OPK_MEM_BT] = 1024;
  soc.memory_size[OPK_MEM_FB] = 7168;
  soc.reserved_ub = soc.reserved_l1 = 256;
  soc.lib_api_workspace = 16 << 20;
  return soc;
}

struct LaunchSetup {
  uint32_t blocks = 1;
  int32_t task_type = OPK_TASK_AIV_ONLY;
  unsigned threads = 1;
  std::vector<GmRange> gm = {};
  Observer* observer = nullptr;
};

// aiv and aic may be the same body; the vector core is lane 0 and 1, the cube core the other one.
template <KernelBody aiv, KernelBody aic = aiv>
LaunchReport run(std::initializer_list<void*> args, const LaunchSetup& setup = {}) {
  const opk_soc_v1 soc = soc_910b();
  Machine machine(soc, setup.threads);
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = setup.task_type;
  kernel.aiv = entry<aiv>;
  kernel.aic = entry<aic>;
  const std::vector<void*> pointers(args);
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = setup.blocks;
  request.args = pointers.data();
  request.gm = setup.gm.empty() ? nullptr : setup.gm.data();
  request.gm_count = static_cast<uint32_t>(setup.gm.size());
  request.observer = setup.observer;
  return launch_observed(machine, request);
}

}  // namespace opkit::core::test

#endif  // OPKIT_TESTS_UNIT_CORE_KERNEL_RUN_H_
