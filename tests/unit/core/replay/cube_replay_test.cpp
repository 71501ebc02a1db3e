// Launches with cube instructions that are replayed, and those that are the kernel's, and why.
#include <gtest/gtest.h>

#include "opkit/include/lib/matmul_intf.h"
#include "tests/unit/core/replay/replayed.h"

namespace opkit::core::test::cube_replays {
namespace {

using namespace AscendC;

constexpr uint32_t kFloats = 8192, kSquare = 256;

struct Cube {
  GlobalTensor<half> x, y;
  GlobalTensor<float> z;
  LocalTensor<half> a1{TPosition::A1, 0, kSquare}, b1{TPosition::B1, 1024, kSquare};
  LocalTensor<half> a2{TPosition::A2, 0, kSquare}, b2{TPosition::B2, 0, kSquare};
  LocalTensor<float> sums{TPosition::CO1, 0, kSquare};
  uint32_t block = static_cast<uint32_t>(GetBlockIdx());

  explicit Cube(void* const* args) {
    x.SetGlobalBuffer(static_cast<half*>(args[0]), 2 * kFloats);
    y.SetGlobalBuffer(static_cast<half*>(args[1]), 2 * kFloats);
    z.SetGlobalBuffer(static_cast<float*>(args[2]), kFloats);
  }
  void multiply() const {
    DataCopy(a1, x[block * kSquare], kSquare);
    DataCopy(b1, y[block * kSquare], kSquare);
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, b1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    Mmad(sums, a2, b2, MmadParams(16, 16, 16, 0, false, true));
  }
  void store(uint32_t at) const {
    FixpipeParamsV220 out;
    out.mSize = out.nSize = out.srcStride = out.dstStride = 16;
    Fixpipe(z[at], sums, out);
  }
};

void multiplies(void* const* args) {
  const Cube cube(args);
  cube.multiply();
  cube.store(cube.block * kSquare);
}
void stores_at_one_place(void* const* args) {
  const Cube cube(args);
  cube.multiply();
  cube.store(0);
}
// Rows of x times y by a Matmul object: 32 x 32 halves, to a part of z for each block.
void drives_an_object(void* const* args) {
  constexpr int kSide = 32;
  const Cube cube(args);
  TCubeTiling t{};
  t.usedCoreNum = 1;
  t.M = t.singleCoreM = t.baseM = t.N = t.singleCoreN = t.baseN = kSide;
  t.Ka = t.Kb = t.singleCoreK = t.baseK = kSide;
  t.depthA1 = t.depthB1 = t.stepM = t.stepN = t.stepKa = t.stepKb = 1;
  t.dbL0A = t.dbL0B = t.dbL0C = 1;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;
  mm.Init(&t);
  mm.SetTensorA(cube.x[cube.block * kSide * kSide]);
  mm.SetTensorB(cube.y);
  mm.IterateAll(cube.z[cube.block * kSide * kSide]);
  mm.End();
}
void adds_atomically(void* const* args) {
  const Cube cube(args);
  cube.multiply();
  SetAtomicAdd<float>();
  cube.store(0);
  SetAtomicNone();
}

ReplayedSetup cube_alone() {
  ReplayedSetup setup;
  setup.task_type = OPK_TASK_AIC_ONLY;
  return setup;
}

TEST(CubeReplay, RunsInTheKernelsPlace) {
  const Replayed seen = replayed<multiplies>(cube_alone());
  EXPECT_TRUE(seen.ok && seen.same);
  EXPECT_EQ(seen.report.why, "");
  EXPECT_EQ(seen.report.replayed, cube_alone().launches - 1);
  EXPECT_EQ(seen.report.classes, 1u);
  EXPECT_EQ(seen.report.steps, 6u);
}

TEST(CubeReplay, BlocksOfMatmulObjects) {
  for (const int32_t type : {OPK_TASK_AIC_ONLY, OPK_TASK_AIV_ONLY}) {
    ReplayedSetup setup;
    setup.task_type = type;
    const Replayed seen = replayed<drives_an_object>(setup);
    EXPECT_TRUE(seen.ok && seen.same) << type;
    EXPECT_EQ(seen.report.why, "") << type;
    EXPECT_EQ(seen.report.classes, 1u) << type;
    EXPECT_EQ(seen.report.steps, 2u) << type;  // it computes and stores
  }
}

TEST(CubeReplay, TellsWhyTheKernelRuns) {
  const Replayed meets = replayed<stores_at_one_place>(cube_alone());
  EXPECT_EQ(meets.report.why, "reads or writes bytes of GM that another block writes");
  EXPECT_TRUE(meets.same);
  const Replayed adds = replayed<adds_atomically>(cube_alone());
  EXPECT_EQ(adds.report.why, "adds to GM atomically");
  EXPECT_TRUE(adds.same);
}

}  // namespace
}  // namespace opkit::core::test::cube_replays
