// What a kernel asks of the machine, of its tiling data and of scalar registers, and what it
// prints.
#include <gmock/gmock.h>

#include <fstream>

#include "opkit/include/kernel_operator.h"
#include "tests/conformance/blocks.h"
#include "tests/conformance/elementwise.h"

namespace conformance {

void assert_positive(int value);  // assert_kernel.cpp

namespace {

using namespace AscendC;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(System, VectorLaunch) {
  const auto after = run_blocks<int32_t>(
      std::vector<int32_t>(7 * 8),
      [](int32_t* gm) {
        int32_t* row = gm + 8 * GetBlockIdx();
        const int64_t answers[] = {
            GetBlockIdx(),   GetBlockNum(),  GetSubBlockIdx(), GetSubBlockNum(),
            GetTaskRation(), GetTaskRatio(), GetArchVersion(), GetDataBlockSizeInBytes()};
        for (int i = 0; i < 8; ++i) row[i] = static_cast<int32_t>(answers[i]);
      },
      {.count = 7, .raw = true});
  for (int32_t b = 0; b < 7; ++b) {
    const std::vector<int32_t> row(after.begin() + 8 * b, after.begin() + 8 * b + 8);
    EXPECT_THAT(row, ElementsAre(b, 7, 0, 1, 1, 1, 2201, 32));
  }
}

TEST(System, MixedLaunch) {
  const auto after =
      run_blocks<int32_t>(std::vector<int32_t>(3 * 3 * 4),
                          [](int32_t* gm) {
                            const bool cube = detail::core()->kind == OPK_CORE_AIC;
                            const int64_t block = cube ? GetBlockIdx() : GetBlockIdx() / 2;
                            int32_t* row = gm + 4 * (3 * block + (cube ? 2 : GetSubBlockIdx()));
                            row[0] = static_cast<int32_t>(GetBlockIdx());
                            row[1] = static_cast<int32_t>(GetSubBlockNum());
                            row[2] = static_cast<int32_t>(GetTaskRation());
                            row[3] = static_cast<int32_t>(GetBlockNum());
                          },
                          {.count = 3, .task_type = OPK_TASK_MIX_1_2, .raw = true});
  const auto row = [&](int b, int core) {
    return std::vector<int32_t>(after.begin() + 4 * (3 * b + core),
                                after.begin() + 4 * (3 * b + core) + 4);
  };
  for (int b = 0; b < 3; ++b) {
    EXPECT_THAT(row(b, 0), ElementsAre(2 * b, 2, 2, 3));
    EXPECT_THAT(row(b, 1), ElementsAre(2 * b + 1, 2, 2, 3));
    EXPECT_EQ(row(b, 2)[0], b);
  }
}

TEST(System, ArchVersionIntoAVariable) {
  uint32_t version = 0;
  GetArchVersion(version);
  EXPECT_EQ(version, 2201u);
  MetricsProfStart();
  MetricsProfStop();
}

void write_number(int32_t* to, int32_t number) { *to = number; }

// This file is compiled for vector cores.
TEST(System, AsyncCallsOnOneKindOfCore) {
  const auto after = run_blocks<int32_t>(std::vector<int32_t>(2),
                                         [](int32_t* gm) {
                                           Async<EngineType::AIV, write_number>(gm, 5);
                                           Async<EngineType::AIC, write_number>(gm + 1, 6);
                                         },
                                         {.raw = true});
  EXPECT_THAT(after, ElementsAre(5, 0));
}

TEST(System, MarksChangeNothing) {
  TRACE_START(0x2);
  TRACE_STOP(0x2);
  PrintTimeStamp(65577);  // silent without ASCENDC_TIME_STAMP_ON
  const int64_t here = GetProgramCounter(), there = GetProgramCounter();
  EXPECT_NE(here, 0);
  EXPECT_NE(here, there);
  uint8_t bytes[64] = {};
  KfcWorkspace workspace(bytes);
  workspace.UpdateKfcWorkspace(16);
  workspace.UpdateKfcWorkspace(8);
  EXPECT_EQ(workspace.GetKfcWorkspace(), bytes + 24);
}

TEST(System, PrintsTensorsByBlocks) {
  const auto outcome = run_blocks(std::vector<uint8_t>(64),
                                  [](uint8_t*) {
                                    const auto whole = at<int32_t>(0, 40);
                                    for (int i = 0; i < 10; ++i) whole.SetValue(i, i - 3);
                                    whole.Print();
                                    whole.Print(3);
                                    at<Half>(64, 32).SetValue(0, Half(1.5f));
                                    at<Half>(64, 32).Print(1);
                                  },
                                  {});
  EXPECT_EQ(outcome.printed,
            "0000: -3 -2 -1 0 1 2 3 4 \n0008: 5 6 \n0000: -3 -2 -1 \n0000: 1.500000 \n");
}

TEST(System, TensorsIntoAFile) {
  const std::string name = testing::TempDir() + "tensor.bin";
  run_blocks<int32_t>(std::vector<int32_t>(2),
                      [&](int32_t* gm) {
                        const auto tensor = at<int32_t>(0, 40);
                        for (int i = 0; i < 10; ++i) tensor.SetValue(i, 7 * i);
                        gm[0] = tensor.ToFile(name);
                        gm[1] = tensor.ToFile("/nowhere/tensor.bin");
                        EXPECT_EQ(gm[0], 0);
                        EXPECT_NE(gm[1], 0);
                      },
                      {.raw = true});
  std::ifstream file(name, std::ios::binary);
  int32_t numbers[11];
  file.read(reinterpret_cast<char*>(numbers), sizeof numbers);
  ASSERT_EQ(file.gcount(), 40);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(numbers[i], 7 * i);
}

TEST(System, OlderEnginesLackYoungRegisters) {
  const auto outcome = run_blocks(std::vector<uint8_t>(64),
                                  [](uint8_t*) {
                                    opk_core* core = detail::core();
                                    core->struct_size = 312;
                                    GetGatherMaskRemainCount();
                                  },
                                  {.raw = true});
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_EQ(outcome.faults[0].code, "EK1719");
  EXPECT_EQ(outcome.faults[0].message, "this engine is older than a register that the kernel uses");
}

TEST(System, TheClockNeverRunsBack) {
  const auto after = run_blocks<int64_t>(std::vector<int64_t>(3),
                                         [](int64_t* gm) {
                                           const int64_t first = GetSystemCycle(),
                                                         second = GetSystemCycle();
                                           gm[0] = second >= first && first >= 0;
                                         },
                                         {.raw = true});
  EXPECT_EQ(after[0], 1);
}

TEST(System, Workspaces) {
  const auto after =
      run_blocks<uint64_t>(std::vector<uint64_t>(4),
                           [](uint64_t* gm) {
                             uint8_t* base = reinterpret_cast<uint8_t*>(gm);
                             gm[0] = static_cast<uint64_t>(GetUserWorkspace(base) - base);
                             SetSysWorkspaceForce(base);
                             gm[1] = GetSysWorkSpacePtr() == base;
                             SetSysWorkspace(base + 8);  // one is there already
                             gm[2] = GetSysWorkSpacePtr() == base;
                             SetSysWorkspaceForce(base + 8);
                             gm[3] = GetSysWorkSpacePtr() == base + 8;
                           },
                           {.raw = true});
  EXPECT_THAT(after, ElementsAre(16u * 1024 * 1024, 1, 1, 1));
}

// By name, as published hosts and kernels write it: of a string, and without a semicolon.
TEST(System, SaysThatACallIsNotSupported) {
  const auto words_of = [](const std::function<void()>& body) {
    const auto faults = faults_of(body);
    return faults.empty() ? std::string() : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(words_of([] { ASCENDC_REPORT_NOT_SUPPORT(false, "NZ is not supported.") }),
              AllOf(HasSubstr("EK1602"), HasSubstr("NZ is not supported.")));
  EXPECT_THAT(words_of([] { ASCENDC_REPORT_NOT_SUPPORT(1 > 2, "type " + std::to_string(7)); }),
              HasSubstr("type 7"));
  EXPECT_EQ(words_of([] { ASCENDC_REPORT_NOT_SUPPORT(true, "never said"); }), "");
}

// InitSocState: mask, mode and atomics are as at the start.
TEST(System, InitSocStateResetsTheCore) {
  Image before(11);
  const Outcome o = run(before, [] {
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(3);
    SetAtomicAdd<float>();
    InitSocState();
    Adds<float, false>(at<float>(kDst), at<float>(kSrc0), 1.0f, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});
    kernel_result = detail::core()->atomic;
  });
  Image expected = before;
  for (uint32_t i = 0; i < 128; ++i)
    expected.set(kDst + 4 * i, before.get<float>(kSrc0 + 4 * i) + 1.0f);
  EXPECT_TRUE(same<float>(o.image, expected));
  EXPECT_EQ(o.result, 0u);
}

// Page "InitSocState": the cube core also forgets what LoadData fills and where it turns around.
TEST(System, InitSocStateResetsTheCubeCore) {
  const auto after = run_blocks<uint64_t>(std::vector<uint64_t>(2, 7),
                                          [](uint64_t* gm) {
                                            SetLoadDataPaddingValue<half>(half(2.0f));
                                            SetLoadDataBoundary(1024);
                                            InitSocState();
                                            gm[0] = detail::core()->load_pad_value;
                                            gm[1] = detail::core()->load_boundary;
                                          },
                                          {.task_type = OPK_TASK_AIC_ONLY, .raw = true});
  EXPECT_EQ(after, (std::vector<uint64_t>{0, 0}));
}

TEST(System, ControlRegister) {
  const auto after = run_blocks<int64_t>(std::vector<int64_t>(4),
                                         [](int64_t* gm) {
                                           SetCtrlSpr<8, 15>(0xa5);
                                           gm[0] = GetCtrlSpr<8, 15>();
                                           SetCtrlSpr<10, 11>(3);
                                           gm[1] = GetCtrlSpr<8, 15>();
                                           SetSaturationFlag<SaturationMode::FLOAT>(true);
                                           gm[2] = GetCtrlSpr<48, 48>() == 0 &&
                                                   GetSaturationFlag<SaturationMode::FLOAT>();
                                           SetSaturationFlag<SaturationMode::FLOAT>(false);
                                           gm[3] = GetCtrlSpr<48, 48>();
                                         },
                                         {.raw = true});
  EXPECT_THAT(after, ElementsAre(0xa5, 0xad, 1, 1));
}

// Bits of words, against loops over them.
TEST(System, BitsOfScalars) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> words = {0, 1, ~uint64_t{0}, uint64_t{1} << 63, 0xff00};
  for (int i = 0; i < 40; ++i) words.push_back(random() >> (i % 64));
  for (uint64_t w : words) {
    int64_t ones = 0, leading = 0, first_one = -1, first_zero = -1;
    for (int i = 63; i >= 0; --i) {
      const bool set = w >> i & 1;
      ones += set;
      (set ? first_one : first_zero) = i;
    }
    while (leading < 64 && !(w >> (63 - leading) & 1)) ++leading;
    EXPECT_EQ(GetBitCount<1>(w), ones);
    EXPECT_EQ(GetBitCount<0>(w), 64 - ones);
    EXPECT_EQ(CountLeadingZero(w), leading);
    EXPECT_EQ(GetSFFValue<1>(w), first_one);
    int64_t like_sign = 0;
    while (like_sign < 63 && (w >> (62 - like_sign) & 1) == w >> 63) ++like_sign;
    EXPECT_EQ(CountBitsCntSameAsSignBit(static_cast<int64_t>(w)), like_sign == 63 ? -1 : like_sign);
    EXPECT_EQ(ScalarGetCountOfValue<1>(w), ones);
    EXPECT_EQ(ScalarGetCountOfValue<0>(w), 64 - ones);
    EXPECT_EQ(ScalarCountLeadingZero(w), leading);
    EXPECT_EQ(ScalarGetSFFValue<1>(w), first_one);
    EXPECT_EQ(ScalarGetSFFValue<0>(w), first_zero);
  }
}

// Scalars of other widths: nearest even for bfloat16_t; every round mode to int32_t.
TEST(System, ConversionsOfScalars) {
  for (uint32_t bits : {0x3f808000u, 0x3f818000u, 0x3f800001u, 0x7f7fffffu, 0xc2f70000u, 0u}) {
    float x;
    std::memcpy(&x, &bits, 4);
    const uint32_t nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    EXPECT_EQ(ToBfloat16(x).bits, nearest) << x;
    const uint32_t back = nearest << 16;
    float y;
    std::memcpy(&y, &back, 4);
    EXPECT_EQ(ToFloat(ToBfloat16(x)), y);
  }
  for (float x : {0.5f, 1.5f, -2.5f, 2.4999f, -7.9f, 1e6f, 3e9f, -3e9f}) {
    const auto clamped = [](double v) {
      return static_cast<int32_t>(std::min(2147483647.0, std::max(-2147483648.0, v)));
    };
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_RINT>(x)), clamped(std::nearbyint(x)));
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_FLOOR>(x)), clamped(std::floor(x)));
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(x)), clamped(std::ceil(x)));
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(x)), clamped(std::round(x)));
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_TRUNC>(x)), clamped(std::trunc(x)));
  }
  EXPECT_EQ((Cast<float, int32_t, RoundMode::CAST_CEIL>(2.25f)), 3);
  EXPECT_EQ(Cast(1.00390625f).bits, ToBfloat16(1.00390625f).bits);
  EXPECT_EQ(Cast(bfloat16_t(-2.5f)), -2.5f);
  // Inexact: the neighbour whose last bit is odd.
  EXPECT_EQ((ScalarCast<float, half, RoundMode::CAST_ODD>(1.0f + 0x1p-12f)).bits, 0x3c01);
  EXPECT_EQ((ScalarCast<float, half, RoundMode::CAST_ODD>(1.0f + 0x1.8p-10f)).bits, 0x3c01);
  EXPECT_EQ((ScalarCast<float, half, RoundMode::CAST_ODD>(1.5f)).bits, 0x3e00);
}

TEST(System, PrintsInTheOrderOfBlocks) {
  const BlocksOutcome o =
      run_blocks(std::vector<uint8_t>(64),
                 [](uint8_t* gm) {
                   AscendC::printf("block %d of %d\n", static_cast<int>(GetBlockIdx()),
                                   static_cast<int>(GetBlockNum()));
                   PRINTF("%.2f %s\n", half(1.5f), "text");
                   LocalTensor<int16_t> t = at<int16_t>(0, 64);
                   for (uint32_t i = 0; i < 4; ++i)
                     t.SetValue(i, static_cast<int16_t>(-2 * int(i)));
                   DumpTensor(t, 7, 4);
                   GlobalTensor<uint8_t> g;
                   g.SetGlobalBuffer(gm, 64);
                   DumpTensor(g, 8, 2);
                   gm[3] = 9;
                   DumpAccChkPoint(t, 9, 16, 0);
                   DumpAccChkPoint(g, 10, 3, 1);
                 },
                 {.count = 2, .raw = true});
  std::string expected;
  for (int b = 0; b < 2; ++b) {
    expected += "block " + std::to_string(b) + " of 2\n1.50 text\n";
    expected += "DumpTensor: desc=7, block=" + std::to_string(b) + ", elements=4: 0 -2 -4 -6 \n";
    expected += "DumpTensor: desc=8, block=" + std::to_string(b) + ", elements=2: 0 0 \n";
    expected += "DumpTensor: desc=9, block=" + std::to_string(b) + ", elements=0: \n";
    expected += "DumpTensor: desc=10, block=" + std::to_string(b) + ", elements=1: 9 \n";
  }
  EXPECT_EQ(o.printed, expected);
}

// Page "DumpTensor": in the order of the shape; what is missing is '-', what is too much is left
// out.
TEST(System, PrintsTensorsByTheirShape) {
  const BlocksOutcome o =
      run_blocks(std::vector<uint8_t>(64),
                 [](uint8_t* gm) {
                   for (uint8_t i = 0; i < 8; ++i) gm[i] = i;
                   GlobalTensor<uint8_t> g;
                   g.SetGlobalBuffer(gm, 64);
                   const uint32_t cube[] = {2, 1, 2}, row[] = {3}, more[] = {3, 2};
                   DumpTensor(g, 1, 4, ShapeInfo(3, cube));
                   DumpTensor(g, 2, 8, ShapeInfo(1, row));
                   DumpTensor(at<uint16_t>(0, 16), 3, 0, ShapeInfo(2, more));
                 },
                 {.raw = true});
  EXPECT_EQ(o.printed,
            "DumpTensor: desc=1, block=0, elements=4, shape=2x1x2\n[[[0,1]],\n[[2,3]]]\n"
            "DumpTensor: desc=2, block=0, elements=8, shape=3\n[0,1,2]\n"
            "DumpTensor: desc=3, block=0, elements=0, shape=3x2\n[[-,-],\n[-,-],\n[-,-]]\n");
}

std::string fault_of(const std::function<void(uint8_t*)>& body, const char* code) {
  const BlocksOutcome o = run_blocks(std::vector<uint8_t>(8), body, {.raw = true});
  if (o.faults.size() != 1u) return "no fault";
  EXPECT_EQ(o.faults[0].code, code);
  return o.faults[0].message;
}

TEST(System, AssertionsEndTheBlock) {
  EXPECT_THAT(
      fault_of([](uint8_t*) { ascendc_assert(GetBlockNum() == 2, "blocks %d", 1); }, "EK1602"),
      HasSubstr("blocks 1"));
  SCOPED_TRACE("assert");
  EXPECT_THAT(fault_of([](uint8_t*) { assert_positive(0); }, "EK1602"), HasSubstr("value > 0"));
  EXPECT_THAT(fault_of([](uint8_t*) { Trap(); }, "EK1601"), HasSubstr("Trap"));
  const auto after = run_blocks<int32_t>({0},
                                         [](int32_t* gm) {
                                           ascendc_assert(GetBlockNum() == 1, "never shown");
                                           assert_positive(1);
                                           gm[0] = 1;
                                         },
                                         {.raw = true});
  EXPECT_EQ(after[0], 1);
}

TEST(System, BytesOfUbByNumber) {
  const auto after = run_blocks<uint64_t>({0},
                                          [](uint64_t* gm) {
                                            auto* byte = (__ubuf__ uint64_t*)get_imm(96);
                                            *byte = 7;
                                            LocalTensor<uint64_t> t(TPosition::VECCALC, 96, 4);
                                            gm[0] = t.GetValue(0);
                                          },
                                          {.raw = true});
  EXPECT_EQ(after[0], 7u);
}

TEST(System, CommunicationIsRefusedByName) {
  EXPECT_THAT(fault_of([](uint8_t*) { (void)GetHcclContext<HCCL_GROUP_ID_0>(); }, "EK1606"),
              HasSubstr("a launch of opkit runs on one chip"));
  EXPECT_THAT(fault_of([](uint8_t* gm) { Hccl().InitV2(gm, gm); }, "EK1606"), HasSubstr("Hccl"));
  EXPECT_THAT(
      fault_of([](uint8_t*) { (void)Hccl<HCCL_SERVER_TYPE_AICPU>().GetRankId(); }, "EK1606"),
      HasSubstr("Hccl"));
}

struct TilingOfTest {
  uint32_t rows;
  uint16_t parts[4];
  float scale;
  uint64_t last;
};

// Every way to the tiling data gives the bytes that the host wrote.
TEST(System, TilingData) {
  const TilingOfTest host{17, {1, 2, 3, 4}, 0.25f, 1ull << 40};
  std::vector<uint8_t> gm(sizeof host);
  std::memcpy(gm.data(), &host, sizeof host);
  std::vector<double> seen;
  const BlocksOutcome o =
      run_blocks(gm,
                 [&](uint8_t* tiling) {
                   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
                   KERNEL_TASK_TYPE(1, KERNEL_TYPE_AIV_ONLY);
                   REGISTER_TILING_DEFAULT(TilingOfTest);
                   REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 5", TilingOfTest);
                   GET_TILING_DATA(plain, tiling);
                   GET_TILING_DATA_WITH_STRUCT(TilingOfTest, named, tiling);
                   GET_TILING_DATA_MEMBER(TilingOfTest, last, member, tiling);
                   GET_TILING_DATA_PTR_WITH_STRUCT(TilingOfTest, pointer, tiling);
                   TilingOfTest copy;
                   COPY_TILING_WITH_STRUCT(TilingOfTest, &named, &copy);
                   COPY_TILING_WITH_ARRAY(uint16_t, 4, pointer->parts, parts);
                   (*parts)[0] = 100;  // a copy
                   REGISTER_NONE_TILING;
                   seen = {double((*parts)[0] + (*parts)[3] + pointer->parts[0]),
                           double(plain.rows),
                           named.scale,
                           double(member),
                           double(pointer->rows),
                           double(copy.last),
                           double(TILING_KEY_IS(5)),
                           double(TILING_KEY_IS(6)),
                           double(TILING_KEY_LIST(6, 5)),
                           double(TILING_KEY_LIST(6, 7))};
                 },
                 {.tiling_key = 5, .raw = true});
  EXPECT_TRUE(o.faults.empty());
  EXPECT_THAT(seen,
              ElementsAre(105, 17, 0.25, double(1ull << 40), 17, double(1ull << 40), 1, 0, 1, 0));
}

// The unit is compiled for vector cores.
TEST(System, CoreKindsAreConstants) {
  int kind = 0;
  if ASCEND_IS_AIC
    kind = 1;
  if ASCEND_IS_AIV
    kind += 2;
  EXPECT_EQ(kind, 2);
}

}  // namespace
}  // namespace conformance
