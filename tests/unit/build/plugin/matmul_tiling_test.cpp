#include "tiling/matmul/matmul_tiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace opkit {
namespace {

using AscendC::tiling::TCubeTiling;
using matmul_tiling::CubeFormat;
using matmul_tiling::MultiCoreMatmulTiling;
using matmul_tiling::TPosition;
using platform_ascendc::CoreMemType;
using platform_ascendc::PlatformAscendC;
using platform_ascendc::PlatformAscendCManager;
using Type = matmul_tiling::DataType;

const PlatformAscendC& platform(const char* name) {
  return *PlatformAscendCManager::GetInstance(name);
}

uint64_t memory(const PlatformAscendC& chip, CoreMemType type) {
  uint64_t size = 0;
  chip.GetCoreMemSize(type, size);
  return size;
}

struct Problem {
  const char* chip;
  int32_t m, n, k, cores, bytes;
  bool bias;
};

std::string text_of(const Problem& p) {
  return std::string(p.chip) + " " + std::to_string(p.m) + "x" + std::to_string(p.n) + "x" +
         std::to_string(p.k) + " on " + std::to_string(p.cores);
}

// The law of TCubeTiling, checked without the planner's arithmetic.
void expect_legal(const TCubeTiling& t, const Problem& p) {
  SCOPED_TRACE(text_of(p));
  const PlatformAscendC& chip = platform(p.chip);
  const uint64_t m = t.baseM, n = t.baseN, k = t.baseK, bytes = p.bytes;
  ASSERT_GT(t.baseM, 0);
  EXPECT_LE(m * k * bytes * t.dbL0A, memory(chip, CoreMemType::L0_A));
  EXPECT_LE(n * k * bytes * t.dbL0B, memory(chip, CoreMemType::L0_B));
  EXPECT_LE(m * n * 4 * t.dbL0C, memory(chip, CoreMemType::L0_C));
  EXPECT_LE(k * bytes * (m * t.depthA1 + n * t.depthB1), memory(chip, CoreMemType::L1));
  if (p.bias && memory(chip, CoreMemType::BT) > 0) {
    EXPECT_LE(n * 4, memory(chip, CoreMemType::BT));
  }
  EXPECT_EQ(t.baseM % 16, 0);
  EXPECT_EQ(t.baseN % 16, 0);
  EXPECT_EQ(t.baseK * p.bytes % 32, 0);
  EXPECT_LE(t.singleCoreM, p.m);
  EXPECT_LE(t.singleCoreN, p.n);
  EXPECT_LE(t.singleCoreK, p.k);
  // Every part holds work, and the parts are as many as the cores.
  int64_t parts = 0;
  for (int64_t row = 0; row < p.m; row += t.singleCoreM) {
    for (int64_t column = 0; column < p.n; column += t.singleCoreN) {
      for (int64_t depth = 0; depth < p.k; depth += t.singleCoreK) ++parts;
    }
  }
  EXPECT_EQ(parts, t.usedCoreNum);
  EXPECT_LE(t.usedCoreNum, p.cores);
  EXPECT_EQ(t.M, p.m);
  EXPECT_EQ(t.N, p.n);
  EXPECT_EQ(t.Ka, p.k);
  EXPECT_EQ(t.isBias, p.bias ? 1 : 0);
  EXPECT_GE(t.depthA1, t.stepM * t.stepKa);
}

MultiCoreMatmulTiling tiling_for(const Problem& p) {
  MultiCoreMatmulTiling tiling(platform(p.chip));
  const Type type = p.bytes == 4 ? Type::DT_FLOAT : p.bytes == 2 ? Type::DT_FLOAT16 : Type::DT_INT8;
  tiling.SetDim(p.cores);
  tiling.SetAType(TPosition::GM, CubeFormat::ND, type);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, type);
  tiling.SetShape(p.m, p.n, p.k);
  tiling.SetOrgShape(p.m, p.n, p.k);
  tiling.EnableBias(p.bias);
  return tiling;
}

TEST(MatmulTiling, IsLegalForEveryShape) {
  std::mt19937 random(7);
  const char* kChips[] = {"Ascend910B1", "Ascend310P3", "Ascend910A", "Ascend310B1"};
  const int32_t kSizes[] = {1, 2, 15, 16, 17, 100, 256, 1000, 4096, 20000};
  for (int i = 0; i < 3000; ++i) {
    const auto pick = [&] { return kSizes[random() % std::size(kSizes)]; };
    const Problem p{kChips[random() % 4], pick(),           pick(), pick(), 1 << random() % 6,
                    1 << random() % 3,    random() % 2 == 0};
    MultiCoreMatmulTiling tiling = tiling_for(p);
    tiling.EnableMultiCoreSplitK(random() % 4 == 0);
    TCubeTiling result;
    ASSERT_EQ(tiling.GetTiling(result), 0) << text_of(p);
    expect_legal(result, p);
    if (HasFailure()) return;
  }
}

TEST(MatmulTiling, TakesTheRecommendedBlock) {
  const Problem p{"Ascend910B1", 512, 3072, 768, 24, 2, false};
  MultiCoreMatmulTiling tiling = tiling_for(p);
  TCubeTiling result;
  ASSERT_EQ(tiling.GetTiling(result), 0);
  EXPECT_EQ(result.baseM, 128);
  EXPECT_EQ(result.baseN, 256);
  EXPECT_EQ(result.baseK, 64);
  EXPECT_EQ(result.usedCoreNum, 24);  // no core idles
  int32_t cores = 0, rows = 0, columns = 0;
  tiling.GetCoreNum(cores, rows, columns);
  EXPECT_EQ(rows * columns, cores);
}

// 112 + 16 columns would be as many rows of 112 in UB as 64 + 64 columns are rows of 64.
TEST(MatmulTiling, CutsASmallShareIntoEqualBlocks) {
  const Problem p{"Ascend910B1", 256, 128, 768, 1, 2, false};
  for (const auto& [most_m, most_n, m, n] :
       {std::array{112, 112, 96, 64}, std::array{128, 96, 128, 64}, std::array{96, 128, 96, 128},
        std::array{100, 20, 64, 16}}) {
    MultiCoreMatmulTiling tiling = tiling_for(p);
    tiling.SetSplitRange(most_m, most_n, -1);
    TCubeTiling result;
    ASSERT_EQ(tiling.GetTiling(result), 0);
    EXPECT_EQ(result.baseM, m) << most_m << " " << most_n;
    EXPECT_EQ(result.baseN, n) << most_m << " " << most_n;
  }
}

TEST(MatmulTiling, KeepsWhatTheAuthorFixed) {
  const Problem p{"Ascend910B1", 512, 512, 512, 8, 2, false};
  MultiCoreMatmulTiling tiling = tiling_for(p);
  tiling.SetFixSplit(64, 32, 16);
  tiling.SetSingleShape(128, 256, 512);
  tiling.SetTraverse(matmul_tiling::MatrixTraverse::FIRSTN);
  optiling::TCubeTiling result;
  ASSERT_EQ(tiling.GetTiling(result), 0);
  EXPECT_EQ(result.get_baseM(), 64);
  EXPECT_EQ(result.get_baseN(), 32);
  EXPECT_EQ(result.get_baseK(), 16);
  EXPECT_EQ(result.get_singleCoreM(), 128);
  EXPECT_EQ(result.get_usedCoreNum(), 8);
  EXPECT_EQ(result.get_iterateOrder(), 1);
  EXPECT_EQ(tiling.GetBaseN(), 32);
}

TEST(MatmulTiling, SaysWhyThereIsNone) {
  const Problem p{"Ascend910B1", 512, 512, 512, 2, 2, false};
  TCubeTiling result;
  const auto words_of = [&](MultiCoreMatmulTiling tiling) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(tiling.GetTiling(result), -1);
    return ::testing::internal::GetCapturedStderr();
  };
  MultiCoreMatmulTiling many = tiling_for(p);
  many.SetSingleShape(16, 16, 512);
  EXPECT_THAT(words_of(many), ::testing::HasSubstr("OPK-HOST-008"));
  MultiCoreMatmulTiling large = tiling_for(p);
  large.SetFixSplit(512, 512, 512);
  EXPECT_THAT(words_of(large), ::testing::HasSubstr("no base block fits"));
  MultiCoreMatmulTiling unset(platform("Ascend910B1"));
  EXPECT_THAT(words_of(unset), ::testing::HasSubstr("SetShape was not called"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(unset.SetShape(0, 1, 1), -1);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("not positive"));
}

TEST(MatmulTiling, SplitsKOverIdleCores) {
  const Problem p{"Ascend910B1", 32, 32, 8192, 24, 2, false};
  MultiCoreMatmulTiling tiling = tiling_for(p);
  tiling.EnableMultiCoreSplitK(true);
  TCubeTiling result;
  ASSERT_EQ(tiling.GetTiling(result), 0);
  EXPECT_LT(result.singleCoreK, 8192);
  expect_legal(result, p);
}

// A fractal of a sparse B covers 64 values of K.
TEST(MatmulTiling, BaseBlocksOfASparseBAreWhole) {
  matmul_tiling::MatmulApiTiling tiling(platform("Ascend910B1"));
  tiling.SetAType(TPosition::GM, CubeFormat::ND, Type::DT_INT8);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, Type::DT_INT8, true);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, Type::DT_INT32);
  tiling.SetShape(128, 128, 96);
  TCubeTiling dense, sparse;
  ASSERT_EQ(tiling.GetTiling(dense), 0);
  EXPECT_EQ(dense.baseK, 96);
  EXPECT_EQ(tiling.SetSparse(true), 0);
  ASSERT_EQ(tiling.GetTiling(sparse), 0);
  EXPECT_EQ(sparse.baseK, 128);
  EXPECT_EQ(sparse.singleCoreK, 96);
}

TEST(MatmulTiling, DescribesBatches) {
  matmul_tiling::BatchMatmulTiling tiling(platform("Ascend910B1"));
  tiling.SetAType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  tiling.SetBatchInfoForNormal(6, 3, 32, 64, 16);
  tiling.SetALayout(1, 32, 6, 1, 16);
  tiling.SetCLayout(1, 32, 6, 1, 64);
  TCubeTiling result;
  ASSERT_EQ(tiling.GetTiling(result), 0);
  EXPECT_EQ(result.batchM, 6);
  EXPECT_EQ(result.batchN, 3);
  EXPECT_EQ(result.BatchNum, 6);
  EXPECT_EQ(result.ALayoutInfoS, 32);
  EXPECT_EQ(result.CLayoutInfoS2, 64);
  EXPECT_EQ(result.singleCoreK, 16);
}

// Page "Matmul Tiling类构造函数": sizes of one core in place of the chip.
TEST(MatmulTiling, TakesTheSizesOfAPlatformInfo) {
  const PlatformAscendC& chip = platform("Ascend910B1");
  matmul_tiling::PlatformInfo info{chip.GetSocVersion()};
  info.l1Size = memory(chip, CoreMemType::L1);
  info.ubSize = memory(chip, CoreMemType::UB);
  info.l0ASize = memory(chip, CoreMemType::L0_A);
  info.l0BSize = memory(chip, CoreMemType::L0_B);
  const auto base_bytes = [&info](uint64_t l0c) {
    info.l0CSize = l0c;
    matmul_tiling::MatmulApiTiling tiling(info);
    tiling.SetAType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
    tiling.SetBType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
    tiling.SetCType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT);
    tiling.SetShape(512, 512, 512);
    tiling.SetOrgShape(512, 512, 512);
    TCubeTiling told;
    EXPECT_EQ(tiling.GetTiling(told), 0);
    return told.baseM * told.baseN * 4;
  };
  EXPECT_GT(base_bytes(memory(chip, CoreMemType::L0_C)), 16384);
  EXPECT_LE(base_bytes(16384), 16384);
}

// "-1: the size that SetOrgShape says" (page "SetShape").
TEST(MatmulTiling, TakesSizesFromTheWholeMatrices) {
  matmul_tiling::MatmulApiTiling tiling(platform("Ascend910B1"));
  tiling.SetAType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  TCubeTiling result;
  ASSERT_EQ(tiling.SetShape(-1, -1, 96), 0);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(tiling.GetTiling(result), -1);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("SetOrgShape"));
  for (const int32_t m : {50, 70}) {
    tiling.SetOrgShape(m, 60, 97);
    ASSERT_EQ(tiling.GetTiling(result), 0);
    EXPECT_EQ(result.singleCoreM, m);
    EXPECT_EQ(result.singleCoreN, 60);
    EXPECT_EQ(result.singleCoreK, 96);
    EXPECT_EQ(result.Ka, 97);
  }
}

// "With singleM 12, baseM is at most 16; with more there is no tiling" (page "SetFixSplit").
TEST(MatmulTiling, FixedBlocksAreNoLargerThanTheShare) {
  matmul_tiling::MatmulApiTiling tiling(platform("Ascend910B1"));
  tiling.SetAType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  tiling.SetShape(12, 100, 64);
  TCubeTiling result;
  tiling.SetFixSplit(16, 112, -1);
  ASSERT_EQ(tiling.GetTiling(result), 0);
  EXPECT_EQ(result.baseM, 16);
  EXPECT_EQ(result.baseN, 112);
  for (const auto& [m, n] : {std::pair{32, 112}, {16, 128}}) {
    tiling.SetFixSplit(m, n, -1);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(tiling.GetTiling(result), -1);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("SetFixSplit"));
  }
}

// The calls of the pages "Matmul Tiling类使用说明", "SetBatchInfoForNormal", "SetSplitK",
// "SetMatmulConfigParams", "SetDoubleBuffer", "SetSplitRange" and "MultiCoreMatmulGetTmpBufSizeV2".
TEST(MatmulTiling, HasTheCallsOfEveryClass) {
  TCubeTiling result;
  matmul_tiling::BatchMatmulTiling batches(platform("Ascend910B1"));
  batches.SetAType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  batches.SetBType(TPosition::GM, CubeFormat::ND, Type::DT_FLOAT16);
  batches.EnableBias(true);
  batches.SetShape(64, 48, 32);
  batches.SetSingleShape(64, 48, 32);
  batches.SetOrgShape(64, 48, 32);
  batches.SetBatchInfoForNormal(2, 2, 64, 48, 32);
  batches.SetBatchNum(2);
  batches.SetBufferSpace(-1, -1, -1);
  ASSERT_EQ(batches.GetTiling(result), 0);
  EXPECT_EQ(result.singleCoreM, 64);
  EXPECT_EQ(result.BatchNum, 2);

  MultiCoreMatmulTiling many = tiling_for({"Ascend910B1", 32, 256, 64, 1, 2, true});
  many.SetBatchInfoForNormal(3, 3, 32, 256, 64);
  many.SetSplitK(true);
  many.SetSplitRange(-1, -1, -1, -1, -1, -1);
  many.SetDoubleBuffer(true, true, false, false, true, true);
  many.SetMatmulConfigParams(0);
  many.SetMatmulConfigParams({1, false, matmul_tiling::ScheduleType::OUTER_PRODUCT,
                              matmul_tiling::MatrixTraverse::FIRSTN});
  ASSERT_EQ(many.GetTiling(result), 0);
  EXPECT_EQ(result.batchM, 3);
  EXPECT_EQ(result.iterateOrder, 1);
  matmul_tiling::SysTilingTempBufSize size, same;
  EXPECT_EQ(MultiCoreMatmulGetTmpBufSizeV2(result, size), 0);
  EXPECT_EQ(BatchMatmulGetTmpBufSizeV2(result, same), 0);
  EXPECT_EQ(size.l1Size, result.shareL1Size);
  EXPECT_EQ(same.l0cSize, result.shareL0CSize);
}

// The class that host code saves and the struct that kernels read are the same bytes.
TEST(TCubeTiling, HasOneLayout) {
  optiling::TCubeTiling host;
  ASSERT_EQ(host.GetDataSize(), sizeof(TCubeTiling));
  EXPECT_EQ(sizeof(TCubeTiling), 50u * 4u);
  host.set_usedCoreNum(1);
  host.set_baseK(2);
  host.set_CLayoutInfoS2(3);
  host.set_mxTypePara(4);
  ::TCubeTiling kernel;
  host.SaveToBuffer(&kernel, sizeof kernel);
  EXPECT_EQ(kernel.usedCoreNum, 1);
  EXPECT_EQ(kernel.baseK, 2);
  EXPECT_EQ(kernel.CLayoutInfoS2, 3);
  EXPECT_EQ(kernel.mxTypePara, 4);
  EXPECT_EQ(offsetof(::TCubeTiling, baseM), 8u * 4u);
}

}  // namespace
}  // namespace opkit
