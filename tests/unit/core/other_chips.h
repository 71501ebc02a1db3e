// Chips of other architectures than 910B, and a kernel run on one of them.
#ifndef OPKIT_TESTS_UNIT_CORE_OTHER_CHIPS_H_
#define OPKIT_TESTS_UNIT_CORE_OTHER_CHIPS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "opkit/include/kernel_operator.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/soc/soc_table.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {

// A chip of another architecture: one core is both.
inline opk_soc_v1 fused(uint32_t npu_arch, const char* name) {
  opk_soc_v1 soc = soc_910b();
  soc.npu_arch = npu_arch;
  soc.arch = &find_arch(npu_arch).value()->table();
  soc.name = soc.short_name = name;
  soc.cube_core_num = soc.vector_core_num = 8;
  soc.split = 0;
  soc.memory_size[OPK_MEM_UB] = 262144;
  soc.reserved_ub = soc.reserved_l1 = 0;
  return soc;
}
inline opk_soc_v1 soc_310p() { return fused(2002, "Ascend310P3"); }
inline opk_soc_v1 soc_310b() { return fused(3002, "Ascend310B1"); }
inline opk_soc_v1 soc_910a() { return fused(1001, "Ascend910A"); }

template <typename T>
AscendC::LocalTensor<T> ub(uint32_t byte) {
  return AscendC::LocalTensor<T>(AscendC::TPosition::VECCALC, byte, 256);
}
template <typename T>
AscendC::GlobalTensor<T> gm(void* const* args) {
  AscendC::GlobalTensor<T> t;
  t.SetGlobalBuffer(static_cast<T*>(args[0]));
  return t;
}

// Returns the kernel's faults. `all`: its memory is its only tensor in GM.
template <KernelBody body>
Faults faults_on(const opk_soc_v1& soc, int32_t type = OPK_TASK_AIV_ONLY,
                 std::vector<uint8_t>* left = nullptr, bool all = false) {
  Machine machine(soc, 1);
  std::vector<uint8_t> memory(65536);
  void* args[] = {memory.data()};
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = type;
  kernel.aiv = kernel.aic = kernel.mix = entry<body>;
  LaunchRequest request;
  request.kernel = &kernel;
  request.args = args;
  const GmRange range{memory.data(), memory.size(), "x", true};
  if (all) request.gm = &range;
  request.gm_count = all ? 1 : 0;
  Faults faults = machine.launch(request).faults;
  if (left) *left = std::move(memory);
  return faults;
}

}  // namespace opkit::core::test

#endif  // OPKIT_TESTS_UNIT_CORE_OTHER_CHIPS_H_
