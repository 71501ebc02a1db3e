// What the Ascend 310P lacks is refused there, by name, and runs elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::AllOf;
using ::testing::HasSubstr;

opk_soc_v1 soc_310p() {
  opk_soc_v1 soc = soc_910b();
  soc.npu_arch = 2002;
  soc.name = "Ascend310P3";
  soc.short_name = "Ascend310P";
  soc.cube_core_num = soc.vector_core_num = 8;
  soc.split = 0;
  soc.memory_size[OPK_MEM_UB] = 262144;
  soc.reserved_ub = soc.reserved_l1 = 0;
  return soc;
}

template <typename T>
LocalTensor<T> ub(uint32_t byte) {
  return LocalTensor<T>(TPosition::VECCALC, byte, 256);
}
template <typename T>
GlobalTensor<T> gm(void* const* args) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(static_cast<T*>(args[0]));
  return t;
}

template <KernelBody body>
Faults faults_on(const opk_soc_v1& soc, int32_t type = OPK_TASK_AIV_ONLY) {
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
  return machine.launch(request).faults;
}

template <KernelBody body>
void refused(const char* call, int32_t type = OPK_TASK_AIV_ONLY) {
  EXPECT_TRUE(faults_on<body>(soc_910b(), type).empty()) << call;
  const Faults faults = faults_on<body>(soc_310p(), type);
  ASSERT_EQ(faults.size(), 1u) << call;
  EXPECT_EQ(faults[0].code, "EK1215");
  EXPECT_THAT(faults[0].message,
              AllOf(HasSubstr(call), HasSubstr("does not exist on Ascend 310P (arch 2002); Ascend "
                                               "910B and 910_93 have it")));
  EXPECT_FALSE(faults[0].action.empty());
}

void shift_left(void* const*) { ShiftLeft(ub<int32_t>(0), ub<int32_t>(256), 1, 64); }
void shift_right(void* const*) { ShiftRight(ub<int16_t>(0), ub<int16_t>(256), int16_t(1), 64); }
void gather_blocks(void* const*) {
  Duplicate(ub<uint32_t>(512), 0u, 8);
  Gatherb(ub<uint16_t>(0), ub<uint16_t>(1024), ub<uint32_t>(512), 1, GatherRepeatParams(1, 8));
}
void bfloat(void* const*) { Cast(ub<float>(0), ub<bfloat16_t>(256), RoundMode::CAST_NONE, 64); }
void pad_in(void* const* args) {
  DataCopyPad(ub<half>(0), gm<half>(args), DataCopyExtParams(1, 6, 0, 0, 0),
              DataCopyPadExtParams<half>());
}
void pad_out(void* const* args) {
  DataCopyPad(gm<half>(args), ub<half>(0), DataCopyExtParams(1, 6, 0, 0, 0));
}
void atomic_max(void* const* args) {
  SetAtomicMax<float>();
  DataCopy(gm<float>(args), ub<float>(0), 64);
}
void atomic_int(void* const* args) {
  SetAtomicAdd<int32_t>();
  DataCopy(gm<int32_t>(args), ub<int32_t>(0), 64);
}
void set_cross_flag(void* const*) { CrossCoreSetFlag<0, PIPE_MTE3>(1); }
void store_c(void* const* args) {
  LocalTensor<float> c(TPosition::CO1, 0, 256);
  Fixpipe(gm<float>(args), c, FixpipeParamsV220(16, 16, 16, 16, false));
}
void load_transposed(void* const*) {
  LocalTensor<half> a(TPosition::A1, 0, 512), b(TPosition::B2, 0, 512);
  LoadDataWithTranspose(b, a, LoadData2dTransposeParams(0, 1, 1, 0, 0));
}

TEST(Arch310P, LacksWhat910BHas) {
  refused<shift_left>("ShiftLeft");
  refused<shift_right>("ShiftRight");
  refused<gather_blocks>("Gatherb");
  refused<bfloat>("bfloat16_t");
  refused<pad_in>("DataCopyPad");
  refused<pad_out>("DataCopyPad");
  refused<atomic_max>("an atomic maximum or minimum");
  refused<atomic_int>("an atomic addition of this type");
  refused<set_cross_flag>("CrossCoreSetFlag");
  refused<store_c>("Fixpipe", OPK_TASK_AIC_ONLY);
  refused<load_transposed>("LoadDataWithTranspose", OPK_TASK_AIC_ONLY);
}

void add_atomically(void* const* args) {
  SetAtomicAdd<float>();
  DataCopy(gm<float>(args), ub<float>(0), 64);
  Muls(ub<half>(0), ub<half>(256), half(2.0f), 64);
}

TEST(Arch310P, HasTheRest) { EXPECT_TRUE(faults_on<add_atomically>(soc_310p()).empty()); }

}  // namespace
}  // namespace opkit::core::test
