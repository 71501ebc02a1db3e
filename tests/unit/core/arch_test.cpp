// What other chips lack is refused there, by name, and runs elsewhere. Expectations: the tables of
// supported products on the pages of the calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/include/lib/matmul_intf.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/soc/soc_table.h"
#include "tests/unit/core/kernel_run.h"
#include "tests/unit/core/other_chips.h"
#include "tiling/platform/platform_ascendc.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Which of 310P, 310B, 910A have it.
struct Chips {
  bool on_310p, on_310b, on_910a;
};

void judge(const Faults& faults, bool has, const char* chip, const std::string& what) {
  if (has) {
    EXPECT_TRUE(faults.empty()) << what << " on " << chip << ": " << faults[0].message;
    return;
  }
  ASSERT_EQ(faults.size(), 1u) << what << " on " << chip;
  EXPECT_EQ(faults[0].code, "EK1215") << faults[0].message;
  EXPECT_THAT(faults[0].message, AllOf(HasSubstr(what), HasSubstr("does not exist on "),
                                       HasSubstr(chip), HasSubstr("Ascend 910B and 910_93")));
  EXPECT_FALSE(faults[0].action.empty()) << what;
}

// Expects refusals whose sentence has `what` in it.
template <KernelBody body>
void on(const char* what, Chips chips, int32_t type = OPK_TASK_AIV_ONLY) {
  const Faults there = faults_on<body>(soc_910b(), type);
  EXPECT_TRUE(there.empty()) << what << ": " << there[0].message;
  judge(faults_on<body>(soc_310p(), type), chips.on_310p, "Ascend 310P (arch 2002)", what);
  judge(faults_on<body>(soc_310b(), type), chips.on_310b, "Ascend 310B (arch 3002)", what);
  judge(faults_on<body>(soc_910a(), type), chips.on_910a, "Ascend 910A (arch 1001)", what);
}
constexpr Chips kNowhere{false, false, false}, k310P{true, false, false}, k310B{false, true, false};
constexpr Chips kAll{true, true, true}, kNot910A{true, true, false};

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

void sort32(void* const*) {
  Duplicate(ub<uint32_t>(512), 0u, 32);
  Sort32(ub<float>(0), ub<float>(1024), ub<uint32_t>(512), 1);
}
void merge_lists(void* const*) {
  const uint16_t lengths[4] = {4, 4, 0, 0};
  uint32_t taken[4];
  MrgSort(ub<float>(0),
          MrgSortSrcList<float>(ub<float>(512), ub<float>(1024), ub<float>(1024), ub<float>(1024)),
          lengths, taken, 3, 1);
}
void copy_blocks(void* const*) {
  Copy(ub<half>(0), ub<half>(512), uint64_t(64), 1, CopyRepeatParams(1, 1, 8, 8));
}
void block_broadcast(void* const*) {
  Brcb(ub<float>(0), ub<float>(512), 1, BrcbRepeatParams(1, 8));
}
void leaky(void* const*) { LeakyRelu(ub<half>(0), ub<half>(512), half(0.1f), 64); }
void gather(void* const*) {
  Duplicate(ub<uint32_t>(512), 0u, 8);
  Gather(ub<float>(0), ub<float>(1024), ub<uint32_t>(512), 0, 8);
}
void add_int16(void* const*) { Add(ub<int16_t>(0), ub<int16_t>(512), ub<int16_t>(512), 64); }
void relu_float(void* const*) { Relu(ub<float>(0), ub<float>(512), 64); }
void sum_float(void* const*) { ReduceSum(ub<float>(0), ub<float>(512), ub<float>(1024), 64); }
void compare_words(void* const*) {
  CompareScalar(ub<uint8_t>(0), ub<float>(512), 1.0f, CMPMODE::LT, 64);
}
void compare_int32(void* const*) {
  Compare(ub<uint8_t>(0), ub<int32_t>(512), ub<int32_t>(512), CMPMODE::EQ, 64);
}
void half_to_int16(void* const*) { Cast(ub<int16_t>(0), ub<half>(512), RoundMode::CAST_RINT, 64); }
void float_to_float(void* const*) { Cast(ub<float>(0), ub<float>(512), RoundMode::CAST_FLOOR, 64); }
void tanh_of(void* const*) { Tanh(ub<float>(0), ub<float>(512), 64); }
void sigmoid_of(void* const*) { Sigmoid(ub<float>(0), ub<float>(512), 64); }
void copy_bfloat(void* const* args) { DataCopy(ub<bfloat16_t>(0), gm<bfloat16_t>(args), 64); }
void copy_inside(void* const*) { DataCopy(ub<half>(0), ub<half>(512), 64); }
void atomic_float(void* const* args) {
  SetAtomicAdd<float>();
  DataCopy(gm<float>(args), ub<float>(0), 64);
}
void atomic_half(void* const* args) {
  SetAtomicAdd<half>();
  DataCopy(gm<half>(args), ub<half>(0), 64);
}
void ask_sub_block(void* const*) { GetSubBlockIdx(); }
void ask_sub_blocks(void* const*) { GetSubBlockNum(); }
void ask_clock(void* const*) { GetSystemCycle(); }
void set_pad_value(void* const*) { SetPadValue(half(0.0f)); }
void set_saturation(void* const*) { SetSaturationFlag<SaturationMode::FLOAT>(true); }
void set_control(void* const*) { SetCtrlSpr<48, 48>(1); }
void get_control(void* const*) { GetCtrlSpr<48, 48>(); }
void hard_sync(void* const*) { SyncAll(); }
void soft_sync(void* const* args) { SyncAll(gm<int32_t>(args), ub<int32_t>(0)); }
void block_flags(void* const* args) {
  GlobalTensor<int32_t> word = gm<int32_t>(args);
  IBSet(word, ub<int32_t>(0), 0, 0);
  IBWait(word, ub<int32_t>(0), 0, 0);
}
void load_fractal(void* const*) {
  LocalTensor<float> a(TPosition::A1, 0, 512), b(TPosition::A2, 0, 512);
  LoadData(b, a, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
}
void multiply_floats(void* const*) {
  LocalTensor<float> a(TPosition::A2, 0, 512), b(TPosition::B2, 0, 512), c(TPosition::CO1, 0, 512);
  Mmad(c, a, b, MmadParams(16, 16, 8, false, 0, false, false, false));
}
void multiply_halves(void* const*) {
  LocalTensor<half> a(TPosition::A2, 0, 512), b(TPosition::B2, 0, 512);
  LocalTensor<float> c(TPosition::CO1, 0, 512);
  Mmad(c, a, b, MmadParams(16, 16, 16, false, 0, false, false, false));
}
void rows_to_panels(void* const* args) {
  LocalTensor<half> a(TPosition::A1, 0, 512);
  DataCopy(a, gm<half>(args), Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));
}

template <typename From>
void add_relu_cast(void* const*) {
  Duplicate(ub<From>(1024), From(1), 128);
  PipeBarrier<PIPE_V>();
  AddReluCast(ub<int8_t>(0), ub<From>(1024), ub<From>(1024), 64);
}
void mul_cast(void* const*) {
  Duplicate(ub<half>(1024), half(1), 128);
  PipeBarrier<PIPE_V>();
  MulCast(ub<uint8_t>(0), ub<half>(1024), ub<half>(1024), 64);
}
void add_deq_relu(void* const*) {
  Duplicate(ub<int32_t>(1024), 1, 128);
  PipeBarrier<PIPE_V>();
  SetDeqScale(half(0.5));
  AddDeqRelu(ub<half>(0), ub<int32_t>(1024), ub<int32_t>(1024), 64);
}
void load_sparse(void* const*) {
  const LocalTensor<int8_t> b(TPosition::B2, 0, 512), b1(TPosition::B1, 0, 512);
  LoadData2DParams p;
  p.repeatTimes = 1;
  LoadDataWithSparse(b, b1, LocalTensor<uint8_t>(TPosition::B1, 4096, 128), p);
}
void multiply_sparse(void* const*) {
  MmadParams p;
  p.m = p.n = 16;
  p.k = 64;
  MmadWithSparse(LocalTensor<int32_t>(TPosition::CO1, 0, 256),
                 LocalTensor<int8_t>(TPosition::A2, 0, 1024),
                 LocalTensor<int8_t>(TPosition::B2, 0, 512), p);
}
// 16 pixels of 16 channels, through a filter of one pixel.
void load_image() {
  const uint8_t pads[4] = {0, 0, 0, 0};
  LoadData(LocalTensor<half>(TPosition::A2, 0, 512), LocalTensor<half>(TPosition::A1, 0, 512),
           LoadData3DParamsV2<half>(pads, 8, 4, 16, 16, 16, 0, 0, 1, 1, 1, 1, 1, 1, false, false,
                                    half(0.0f)));
}
void load_repeatedly(void* const*) {
  SetLoadDataRepeat(LoadDataRepeatParam(1, 2, 0));
  load_image();
}
void load_to_a_boundary(void* const*) {
  SetLoadDataBoundary(1024);
  load_image();
}

TEST(OtherArch, CubeCallsOfNewerChips) {
  on<load_sparse>("LoadDataWithSparse: the call", kNowhere, OPK_TASK_AIC_ONLY);
  on<multiply_sparse>("MmadWithSparse: the call", kNowhere, OPK_TASK_AIC_ONLY);
  const char* repeat = "a repetition (SetLoadDataRepeat)";
  judge(faults_on<load_repeatedly>(soc_910b(), OPK_TASK_AIC_ONLY), true, "", repeat);
  judge(faults_on<load_repeatedly>(soc_310p(), OPK_TASK_AIC_ONLY), false, "Ascend 310P", repeat);
  judge(faults_on<load_repeatedly>(soc_310b(), OPK_TASK_AIC_ONLY), true, "", repeat);
  const char* boundary = "a boundary (SetLoadDataBoundary)";
  judge(faults_on<load_to_a_boundary>(soc_910b(), OPK_TASK_AIC_ONLY), true, "", boundary);
  judge(faults_on<load_to_a_boundary>(soc_310p(), OPK_TASK_AIC_ONLY), true, "", boundary);
  judge(faults_on<load_to_a_boundary>(soc_310b(), OPK_TASK_AIC_ONLY), false, "Ascend 310B",
        boundary);
}

TEST(OtherArch, TwoStepsInOne) {
  on<add_relu_cast<half>>("AddReluCast", kNot910A);
  on<add_relu_cast<int16_t>>("AddReluCast", k310P);
  on<mul_cast>("MulCast", kNot910A);
  on<add_deq_relu>("AddDeqRelu", k310P);
}

TEST(OtherArch, VectorCalls) {
  on<shift_left>("ShiftLeft", k310B);
  on<shift_right>("ShiftRight", k310B);
  on<gather_blocks>("Gatherb", k310B);
  on<sort32>("Sort32", k310B);
  on<merge_lists>("MrgSort", k310B);
  on<copy_blocks>("Copy: the call", k310B);
  on<block_broadcast>("Brcb", k310P);
  on<leaky>("LeakyRelu", kNot910A);
  on<gather>("Gather", kNot910A);
  on<compare_words>("CompareScalar", kNot910A);
  on<tanh_of>("Tanh", k310P);
  on<sigmoid_of>("Sigmoid", {true, false, true});
}

TEST(OtherArch, ElementTypes) {
  on<bfloat>("Cast: bfloat16_t to float", k310B);
  on<add_int16>("Add: int16_t", kNot910A);
  on<relu_float>("Relu: float", kNot910A);
  on<sum_float>("ReduceSum: float", kNot910A);
  on<compare_int32>("Compare: int32_t", kNowhere);
  on<half_to_int16>("Cast: half to int16_t", kNot910A);
  on<float_to_float>("Cast: float to float", k310B);
}

TEST(OtherArch, CopiesAndAtomics) {
  on<pad_in>("DataCopyPad: the call", k310B);
  on<pad_out>("DataCopyPad: the call", k310B);
  on<copy_bfloat>("DataCopy: bfloat16_t", k310B);
  on<copy_inside>("DataCopy: the way from UB to UB", {true, false, true});
  on<atomic_max>("an atomic maximum or minimum", kNowhere);
  on<atomic_int>("an atomic addition of this type", k310B);
  on<atomic_half>("an atomic addition of this type", kNot910A);
  on<atomic_float>("", kAll);
}

TEST(OtherArch, CoresAndRegisters) {
  on<set_cross_flag>("CrossCoreSetFlag", kNowhere);
  on<hard_sync>("SyncAll: the form without work memory", kNowhere);
  on<soft_sync>("SyncAll: the call", {true, false, true});
  on<block_flags>("waiting for other blocks", {true, false, true});
  on<ask_sub_block>("GetSubBlockIdx", kNowhere);
  on<ask_sub_blocks>("GetSubBlockNum", kNowhere);
  on<ask_clock>("GetSystemCycle", kNowhere);
  on<set_pad_value>("SetPadValue", kNowhere);
  on<set_saturation>("SetSaturationFlag", kNowhere);
  on<set_control>("SetCtrlSpr", kNowhere);
  on<get_control>("GetCtrlSpr", kNowhere);
}

TEST(OtherArch, CubeCalls) {
  on<store_c>("Fixpipe", k310B, OPK_TASK_AIC_ONLY);
  on<load_transposed>("LoadDataWithTranspose", k310B, OPK_TASK_AIC_ONLY);
  on<load_fractal>("LoadData: float", k310B, OPK_TASK_AIC_ONLY);
  on<multiply_floats>("Mmad: float", k310B, OPK_TASK_AIC_ONLY);
  on<multiply_halves>("", kAll, OPK_TASK_AIC_ONLY);
  on<rows_to_panels>("the change between rows and panels", k310P, OPK_TASK_AIC_ONLY);
}

// The library of a chip is its own: only the call is judged, not what it is composed of here.
void sort_all(void* const*) {
  Duplicate(ub<uint32_t>(512), 0u, 64);
  LocalTensor<float> tmp = ub<float>(2048);
  Sort<float, true>(ub<float>(0), ub<float>(1024), ub<uint32_t>(512), tmp, 2);
}
void softmax(void* const*) {
  LocalTensor<uint8_t> tmp(TPosition::VECCALC, 16384, 8192);
  SoftMaxTiling tiling{};
  tiling.srcM = 1;
  tiling.srcK = 64;
  SoftMax<float>(ub<float>(0), ub<float>(512), ub<float>(1024), ub<float>(2048), tmp, tiling,
                 {1, 64, 1, 64});
}
void rms_norm(void* const*) {
  LocalTensor<uint8_t> tmp(TPosition::VECCALC, 16384, 8192);
  detail::Scratch scratch("RmsNorm", tmp);
}
void reduce_any(void* const*) {
  LocalTensor<uint8_t> tmp(TPosition::VECCALC, 16384, 8192);
  detail::Scratch scratch("ReduceAny", tmp);
}
// Page "ReduceSum": with a count, the 910B adds the iterations in order and leaves sharedTmpBuffer
// alone; the others add them by a tree, whose first step lies in it.
void sum_of_four_iterations(void* const* args) {
  const LocalTensor<float> x = ub<float>(0), work = ub<float>(4096), sum = ub<float>(8192);
  Duplicate(x, 0.0f, 256);
  Duplicate(work, -1.0f, 8);
  x.SetValue(0, 16777216.0f);
  for (uint32_t i = 64; i < 256; i += 64) x.SetValue(i, 1.0f);
  ReduceSum(sum, x, work, 256);
  auto out = gm<float>(args);
  out.SetValue(0, sum.GetValue(0));
  out.SetValue(1, work.GetValue(1));
}

TEST(OtherArch, SumsOfACount) {
  std::vector<uint8_t> memory;
  const auto sums_on = [&](const opk_soc_v1& soc) {
    EXPECT_TRUE((faults_on<sum_of_four_iterations>(soc, OPK_TASK_AIV_ONLY, &memory).empty()));
    float out[2];
    std::memcpy(out, memory.data(), sizeof out);
    return std::vector<float>(out, out + 2);
  };
  EXPECT_THAT(sums_on(soc_910b()), testing::ElementsAre(16777216.0f, -1.0f));
  EXPECT_THAT(sums_on(soc_310b()), testing::ElementsAre(16777218.0f, 1.0f));
  EXPECT_THAT(sums_on(soc_310p()), testing::ElementsAre(16777218.0f, 1.0f));
}

// Page "GatherMask": in counter mode the mask is the elements of each of repeatTimes iterations, on
// the 310P of all iterations, of 256 bytes each.
void gather_mask_of_70(void* const* args) {
  const LocalTensor<uint32_t> x = ub<uint32_t>(0), bits = ub<uint32_t>(4096),
                              to = ub<uint32_t>(8192);
  for (uint32_t i = 0; i < 256; ++i) x.SetValue(i, i);
  Duplicate(bits, 0x99999999u, 8);
  PipeBarrier<PIPE_ALL>();
  uint64_t kept = 0;
  GatherMask(to, x, bits, true, 70, GatherMaskParams(1, 2, 4, 0), kept);
  PipeBarrier<PIPE_ALL>();
  auto out = gm<uint32_t>(args);
  out.SetValue(0, static_cast<uint32_t>(kept));
  for (uint32_t i = 0; i < kept; ++i) out.SetValue(i + 1, to.GetValue(i));
}

TEST(OtherArch, CountsOfGatherMask) {
  std::vector<uint8_t> memory;
  const auto kept_on = [&](const opk_soc_v1& soc) {
    EXPECT_TRUE((faults_on<gather_mask_of_70>(soc, OPK_TASK_AIV_ONLY, &memory).empty()));
    std::vector<uint32_t> out(1);
    std::memcpy(out.data(), memory.data(), 4);
    out.resize(out[0]);
    std::memcpy(out.data(), memory.data() + 4, 4 * out.size());
    return out;
  };
  // Two iterations, the second from element 32 on.
  const auto twin = [](uint32_t first_length, uint32_t second_length) {
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < first_length; ++i)
      if (0x99999999u >> (i % 32) & 1) kept.push_back(i);
    for (uint32_t i = 0; i < second_length; ++i)
      if (0x99999999u >> (i % 32) & 1) kept.push_back(32 + i);
    return kept;
  };
  EXPECT_EQ(kept_on(soc_910b()), twin(70, 70));
  EXPECT_EQ(kept_on(soc_310b()), twin(70, 70));
  EXPECT_EQ(kept_on(soc_310p()), twin(64, 6));
}

// Pages "ReduceDataBlock" and "ReducePairElem": results whose elements are all masked off stay, on
// the 310B they are filled.
template <typename T>
void masked_groups(void* const* args) {
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  const LocalTensor<T> x = ub<T>(0), to = ub<T>(8192);
  Duplicate(x, static_cast<T>(3.0f), 8 * kPerBlock);
  Duplicate(to, static_cast<T>(7.0f), 128);
  BlockReduceSum(to, x, 1, static_cast<int32_t>(kPerBlock), 1, 1, 8);
  BlockReduceMax(to[16], x, 1, static_cast<int32_t>(kPerBlock), 1, 1, 8);
  BlockReduceMin(to[32], x, 1, static_cast<int32_t>(kPerBlock), 1, 1, 8);
  PairReduceSum(to[48], x, 1, 2, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  auto out = gm<float>(args);
  for (uint32_t i = 0; i < 4; ++i) {
    for (uint32_t j = 0; j < 2; ++j)
      out.SetValue(2 * i + j, static_cast<float>(to.GetValue(16 * i + j)));
  }
}

TEST(OtherArch, GroupsThatAreMaskedOff) {
  std::vector<uint8_t> memory;
  const auto floats = [&](const Faults& faults) {
    EXPECT_TRUE(faults.empty());
    float out[8];
    std::memcpy(out, memory.data(), sizeof out);
    return std::vector<float>(out, out + 8);
  };
  const auto on_chip = [&](const opk_soc_v1& soc) {
    return floats(faults_on<masked_groups<float>>(soc, OPK_TASK_AIV_ONLY, &memory));
  };
  const auto halves_on = [&](const opk_soc_v1& soc) {
    return floats(faults_on<masked_groups<half>>(soc, OPK_TASK_AIV_ONLY, &memory));
  };
  const auto stay = testing::ElementsAre(24, 7, 3, 7, 3, 7, 6, 7);
  EXPECT_THAT(on_chip(soc_910b()), stay);
  EXPECT_THAT(on_chip(soc_310p()), stay);
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(on_chip(soc_310b()), testing::ElementsAre(24, 0, 3, -kInf, 3, kInf, 6, 0));
  EXPECT_THAT(halves_on(soc_310p()), testing::ElementsAre(48, 7, 3, 7, 3, 7, 6, 7));
  EXPECT_THAT(halves_on(soc_310b()), testing::ElementsAre(48, 0, 3, -65504, 3, 65504, 6, 0));
}

TEST(OtherArch, LibraryCalls) {
  on<sort_all>("Sort", k310P);
  on<softmax>("SoftMax", kNot910A);
  on<rms_norm>("RmsNorm", k310P);
  on<reduce_any>("ReduceAny", kNowhere);
}

template <typename T>
void matmul_object(void* const* args) {
  TCubeTiling tiling;
  tiling.usedCoreNum = 1;
  tiling.M = tiling.singleCoreM = tiling.N = tiling.singleCoreN = tiling.baseM = tiling.baseN = 16;
  tiling.Ka = tiling.Kb = tiling.singleCoreK = tiling.baseK = 64;
  TPipe pipe;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, CubeFormat::ND, T>,
         MatmulType<TPosition::GM, CubeFormat::ND, int32_t>>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  mm.SetTensorA(gm<T>(args));
  mm.SetTensorB(gm<T>(args));
  GlobalTensor<int32_t> c;
  c.SetGlobalBuffer(static_cast<int32_t*>(args[0]) + 4096);
  mm.IterateAll(c);
  mm.End();
}

// Pages "SetTensorA" and "SetTensorB": of A2 and A3 alone.
TEST(OtherArch, MatmulObjectsOfHalfBytes) {
  for (const auto& chip : {soc_910b(), soc_310p(), soc_310b()}) {
    EXPECT_TRUE(faults_on<matmul_object<int8_t>>(chip, OPK_TASK_AIC_ONLY).empty()) << chip.name;
    const Faults faults = faults_on<matmul_object<int4b_t>>(chip, OPK_TASK_AIC_ONLY);
    if (chip.npu_arch == 2201) {
      EXPECT_TRUE(faults.empty()) << faults[0].message;
      continue;
    }
    ASSERT_EQ(faults.size(), 1u) << chip.name;
    EXPECT_EQ(faults[0].code, "EK1711");
    EXPECT_EQ(faults[0].message, "Matmul: this chip's Matmul object takes no int4b_t");
    EXPECT_THAT(faults[0].action, HasSubstr("use int8_t"));
  }
}

void ask_after_library(void* const*) {
  LocalTensor<uint8_t> tmp(TPosition::VECCALC, 16384, 8192);
  { detail::Scratch scratch("SoftMax", tmp); }
  ShiftLeft(ub<int32_t>(0), ub<int32_t>(256), 1, 64);
}
TEST(OtherArch, ALibraryCallEnds) {
  judge(faults_on<ask_after_library>(soc_310p()), false, "Ascend 310P (arch 2002)", "ShiftLeft");
  judge(faults_on<ask_after_library>(soc_310b()), true, "Ascend 310B (arch 3002)", "ShiftLeft");
}

void writes_the_system_part(void* const* args) {
  auto* base = static_cast<uint8_t*>(args[0]);
  *reinterpret_cast<int64_t*>(base) = GetUserWorkspace(base) - base;
}
int64_t system_part_on(const std::string& chip) {
  const opk_soc_v1 soc = to_abi(*find_soc(chip).value().spec);
  Machine machine(soc, 1);
  int64_t answer = -1;
  void* args[] = {&answer};
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.aiv = kernel.mix = entry<writes_the_system_part>;
  LaunchRequest request;
  request.kernel = &kernel;
  request.args = args;
  EXPECT_TRUE(machine.launch(request).ok()) << chip;
  return answer;
}
// Page "GetLibApiWorkSpaceSize": the system part of a workspace is 16 MiB on architecture 2201, and
// 2 MiB on the older ones. "GetUserWorkspace" gives what lies behind it.
TEST(OtherArch, SystemPartOfAWorkspace) {
  const std::pair<const char*, int64_t> expected[] = {
      {"Ascend910B1", 16 << 20}, {"Ascend910B2", 16 << 20}, {"Ascend910B3", 16 << 20},
      {"Ascend910B4", 16 << 20}, {"Ascend310B1", 2 << 20},  {"Ascend310B4", 2 << 20},
      {"Ascend310P3", 2 << 20},  {"Ascend910A", 2 << 20}};
  for (const auto& [chip, bytes] : expected) {
    EXPECT_EQ(system_part_on(chip), bytes) << chip;
    const auto* host = platform_ascendc::PlatformAscendCManager::GetInstance(chip);
    ASSERT_NE(host, nullptr) << chip;
    EXPECT_EQ(host->GetLibApiWorkSpaceSize(), bytes) << chip;
  }
}

}  // namespace
}  // namespace opkit::core::test
