#include "tiling/platform/platform_ascendc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/base/file.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/soc/soc_table.h"
#include "opkit_test_paths.h"

namespace opkit {
namespace {

using platform_ascendc::CoreMemType;
using platform_ascendc::PlatformAscendC;
using platform_ascendc::PlatformAscendCManager;
using platform_ascendc::SocVersion;

uint64_t size_of(const PlatformAscendC& platform, CoreMemType type) {
  uint64_t size = 1;
  platform.GetCoreMemSize(type, size);
  return size;
}

struct Answers {
  const char* name;
  uint32_t cores, aic, aiv, vector;
  uint64_t ub, l1, l0c, workspace;
  SocVersion version;
  NpuArch arch;
};

class Platform : public ::testing::TestWithParam<Answers> {};

TEST_P(Platform, AnswersForTheChip) {
  const Answers& a = GetParam();
  const opk_soc_v1 soc = to_abi(*find_soc(a.name).value().spec);
  const fe::PlatFormInfos infos(&soc);
  const PlatformAscendC platform(&infos);
  EXPECT_EQ(platform.GetCoreNum(), a.cores);
  EXPECT_EQ(platform.GetCoreNumAic(), a.aic);
  EXPECT_EQ(platform.GetCoreNumAiv(), a.aiv);
  EXPECT_EQ(platform.GetCoreNumVector(), a.vector);
  EXPECT_EQ(size_of(platform, CoreMemType::UB), a.ub);
  EXPECT_EQ(size_of(platform, CoreMemType::L1), a.l1);
  EXPECT_EQ(size_of(platform, CoreMemType::L0_A), 65536u);
  EXPECT_EQ(size_of(platform, CoreMemType::L0_B), 65536u);
  EXPECT_EQ(size_of(platform, CoreMemType::L0_C), a.l0c);
  EXPECT_EQ(size_of(platform, CoreMemType::L2), soc.l2_size);
  EXPECT_EQ(size_of(platform, CoreMemType::HBM), soc.memory_size[OPK_MEM_GM]);
  EXPECT_EQ(platform.GetLibApiWorkSpaceSize(), a.workspace);
  EXPECT_EQ(platform.GetSocVersion(), a.version);
  EXPECT_EQ(platform.GetCurNpuArch(), a.arch);
  // The table for programs that link nothing answers alike.
  PlatformAscendC* alone = PlatformAscendCManager::GetInstance(a.name);
  ASSERT_NE(alone, nullptr);
  EXPECT_EQ(size_of(*alone, CoreMemType::UB), a.ub);
  EXPECT_EQ(alone->GetCoreNumAiv(), a.aiv);
}

constexpr uint64_t kMi16 = 16 << 20, kMi2 = 2 << 20;
INSTANTIATE_TEST_SUITE_P(
    All, Platform,
    ::testing::Values(Answers{"Ascend310B1", 1, 1, 1, 0, 253952, 1048576, 131072, kMi2,
                              SocVersion::ASCEND310B, NpuArch::DAV_3002},
                      Answers{"Ascend310B4", 1, 1, 1, 0, 253952, 1048576, 131072, kMi2,
                              SocVersion::ASCEND310B, NpuArch::DAV_3002},
                      Answers{"Ascend310P3", 8, 8, 8, 7, 262144, 1048576, 262144, kMi2,
                              SocVersion::ASCEND310P, NpuArch::DAV_2002},
                      Answers{"Ascend910A", 32, 32, 32, 0, 262144, 1048576, 262144, kMi2,
                              SocVersion::ASCEND910, NpuArch::DAV_1001},
                      // GetCoreNum() of separate cores: the vector cores (page "GetCoreNum").
                      // UB and L1 without the 256 bytes that queries do not offer.
                      Answers{"Ascend910B1", 48, 24, 48, 0, 196352, 524032, 131072, kMi16,
                              SocVersion::ASCEND910B, NpuArch::DAV_2201},
                      Answers{"Ascend910B2", 48, 24, 48, 0, 196352, 524032, 131072, kMi16,
                              SocVersion::ASCEND910B, NpuArch::DAV_2201},
                      Answers{"Ascend910B3", 40, 20, 40, 0, 196352, 524032, 131072, kMi16,
                              SocVersion::ASCEND910B, NpuArch::DAV_2201},
                      Answers{"Ascend910B4", 40, 20, 40, 0, 196352, 524032, 131072, kMi16,
                              SocVersion::ASCEND910B, NpuArch::DAV_2201}),
    [](const auto& info) { return info.param.name; });

TEST(PlatformManager, KnowsTheChipOfTheProcess) {
  unsetenv("OPKIT_SOC");
  EXPECT_EQ(PlatformAscendCManager::GetInstance()->GetCoreNumAiv(), 48u);
  setenv("OPKIT_SOC", "Ascend310P", 1);
  EXPECT_EQ(PlatformAscendCManager::GetInstance()->GetCoreNumVector(), 7u);
  setenv("OPKIT_SOC", "Ascend311", 1);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(PlatformAscendCManager::GetInstance(), nullptr);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::HasSubstr("OPK-HOST-004: no chip is called 'Ascend311'"));
  unsetenv("OPKIT_SOC");
}

TEST(PlatformAscendC, AnswersTheRest) {
  PlatformAscendC platform = *PlatformAscendCManager::GetInstance("Ascend910B1");
  platform.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_8K);
  EXPECT_EQ(size_of(platform, CoreMemType::UB), 196352u - 8192u);
  uint64_t rate = 0;
  platform.GetCoreMemBw(CoreMemType::L2, rate);
  EXPECT_EQ(rate, 110u);
  platform.GetCoreMemBw(CoreMemType::UB, rate);
  EXPECT_EQ(rate, 0u);
  EXPECT_EQ(platform.CalcTschBlockDim(47, 24, 48), 24u);
  EXPECT_EQ(platform.CalcTschNumBlocks(5, 24, 24), 5u);
  EXPECT_EQ(platform.GetVecRegLen(), 0u);
  EXPECT_EQ(platform.GetResGroupBarrierWorkSpaceSize(), 512u * 48u);
  EXPECT_EQ(PlatformAscendCManager::GetInstance("Ascend310B4")->GetVecRegLen(), 256u);
}

TEST(PlatFormInfos, GivesFiguresAsText) {
  const opk_soc_v1 soc = to_abi(*find_soc("Ascend910B3").value().spec);
  const fe::PlatFormInfos infos(&soc);
  std::string value;
  EXPECT_TRUE(infos.GetPlatformRes("SoCInfo", "vector_core_cnt", value));
  EXPECT_EQ(value, "40");
  EXPECT_TRUE(infos.GetPlatformRes("version", "Short_SoC_version", value));
  EXPECT_EQ(value, "Ascend910B");
  EXPECT_FALSE(infos.GetPlatformRes("AICoreintrinsicDtypeMap", "Intrinsic_vadd", value));
}

TEST(SocTable, IsTheSpecsTable) {
  const std::string committed =
      read_file(OPKIT_SOURCE_DIR "/opkit/include/opkit_host/soc_table.h").value();
  EXPECT_EQ(committed, soc_table_header().value()) << "build the target soc_table";
}

}  // namespace
}  // namespace opkit
