// Vector cores of a mixed kernel fill L1 for their Matmul objects. Pages "TSCM",
// "TSCM输入的矩阵乘", "DataCopy（UBToL1连续数据搬运）", "DataCopy（UBToL1随路转换-ND2NZ搬运）".
#include "opkit/include/lib/matmul_intf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/matmul_tilings.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kM = 32, kN = 48, kK = 64;
TCubeTiling tiling;

// Which way A takes: from GM with the change into fractals, from UB with it, from UB as it lies.
enum class Way { kFromGm, kFromUb, kAsItLies };

template <Way way>
void bring(const LocalTensor<half>& scm, const GlobalTensor<half>& a, TPipe& pipe) {
  const Nd2NzParams change(1, kM, kK, 0, kK, kM, 1, 0);
  if (way == Way::kFromGm) return DataCopy(scm, a, change);
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, kM * kK * 2);
  const LocalTensor<half> ub = buffer.Get<half>();
  if (way == Way::kFromUb) {
    DataCopy(ub, a, kM * kK);
    PipeBarrier<PIPE_ALL>();
    return DataCopy(scm, ub, change);
  }
  for (uint32_t panel = 0; panel < kK / 16; ++panel)
    DataCopy(ub[panel * kM * 16], a[panel * 16], DataCopyParams(kM, 1, kK / 16 - 1, 0));
  PipeBarrier<PIPE_ALL>();
  DataCopy(scm, ub, kM * kK);
}

// args: A, B, C of either vector core, one behind the other.
template <Way way>
void multiply(void* const* args) {
  if (detail::core()->kind == OPK_CORE_AIC) return;
  const auto core = static_cast<uint32_t>(GetSubBlockIdx());
  TPipe pipe;
  TSCM<TPosition::GM, 1> queue;
  pipe.InitBuffer(queue, 1, kM * kK * 2);
  GlobalTensor<half> a, b;
  GlobalTensor<float> c;
  a.SetGlobalBuffer(static_cast<half*>(args[0]) + core * kM * kK);
  b.SetGlobalBuffer(static_cast<half*>(args[1]));
  c.SetGlobalBuffer(static_cast<float*>(args[2]) + core * kM * kN);
  Matmul<MatmulType<TPosition::TSCM, CubeFormat::NZ, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;
  mm.Init(&tiling);
  LocalTensor<half> scm = queue.AllocTensor<half>();
  bring<way>(scm, a, pipe);
  queue.EnQue(scm);
  scm = queue.DeQue<half>();
  PipeBarrier<PIPE_ALL>();
  mm.SetTensorA(scm);
  mm.SetTensorB(b);
  mm.IterateAll(c);
  queue.FreeTensor(scm);
}

TEST(Tscm, VectorCoresFillItForTheirObjects) {
  tiling = tiling_of(kM, kN, kK, {16, 16});
  auto a = noise<half>(2 * kM * kK, 1), b = noise<half>(kK * kN, 2);
  std::vector<float> expected;
  for (uint32_t core = 0; core < 2; ++core) {
    const std::vector<half> part(a.begin() + core * kM * kK, a.begin() + (core + 1) * kM * kK);
    const auto c = product<float>(part, b, kM, kN, kK);
    expected.insert(expected.end(), c.begin(), c.end());
  }
  LaunchSetup setup;
  setup.task_type = OPK_TASK_MIX_1_2;
  const auto check = [&](auto launch) {
    std::vector<float> c(expected.size());
    const LaunchReport report = launch(c.data());
    ASSERT_TRUE(report.ok()) << report.faults[0].message;
    EXPECT_EQ(c, expected);
  };
  check([&](float* c) { return run<multiply<Way::kFromGm>>({a.data(), b.data(), c}, setup); });
  check([&](float* c) { return run<multiply<Way::kFromUb>>({a.data(), b.data(), c}, setup); });
  check([&](float* c) { return run<multiply<Way::kAsItLies>>({a.data(), b.data(), c}, setup); });
}

TEST(Tscm, NeedsACubeCoreBeside) {
  tiling = tiling_of(kM, kN, kK);
  auto a = noise<half>(2 * kM * kK, 1), b = noise<half>(kK * kN, 2);
  std::vector<float> c(2 * kM * kN);
  const LaunchReport report = run<multiply<Way::kFromGm>>({a.data(), b.data(), c.data()});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.faults[0].code, "EK1101");
}

}  // namespace
}  // namespace opkit::core::test
