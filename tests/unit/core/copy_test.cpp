// DataCopy and DataCopyPad against loops over the documented formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

std::vector<int16_t> counting(size_t n) {
  std::vector<int16_t> v(n);
  std::iota(v.begin(), v.end(), static_cast<int16_t>(1));
  return v;
}

struct Ends {
  GlobalTensor<int16_t> in, out;
  explicit Ends(void* const* args) {
    in.SetGlobalBuffer(static_cast<int16_t*>(args[0]));
    out.SetGlobalBuffer(static_cast<int16_t*>(args[1]));
  }
};

void drop_the_rest(void* const* args) {
  Ends g(args);
  LocalTensor<int16_t> tile(TPosition::VECIN, 0, 64);
  DataCopy(tile, g.in, 64);
  DataCopy(g.out, tile, 39);  // 78 bytes: two blocks of 32 are moved
}

TEST(Copy, CountsDropWhatIsBelowABlock) {
  auto in = counting(64);
  std::vector<int16_t> out(64, -1);
  ASSERT_TRUE(run<drop_the_rest>({in.data(), out.data()}).ok());
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i < 32 ? in[i] : -1) << i;
}

void strided(void* const* args) {
  Ends g(args);
  LocalTensor<int16_t> tile(TPosition::VECIN, 0, 512);
  DataCopy(tile, g.in, DataCopyParams(3, 2, 1, 2));
  DataCopy(g.out, tile, DataCopyParams(3, 2, 2, 0));
}

TEST(Copy, GapsRunFromEndToStart) {
  auto in = counting(16 * 9);
  std::vector<int16_t> out(96, -1);
  ASSERT_TRUE(run<strided>({in.data(), out.data()}).ok());
  for (size_t b = 0; b < 3; ++b) {
    for (size_t i = 0; i < 32; ++i) EXPECT_EQ(out[b * 32 + i], in[b * 48 + i]);
  }
}

struct PadCase {
  uint16_t blocks;
  uint32_t bytes, src_stride, dst_stride;
  bool is_pad;
  uint8_t left, right;
};
PadCase current_case;

void pad_in(void* const* args) {
  Ends g(args);
  const PadCase& c = current_case;
  LocalTensor<int16_t> tile(TPosition::VECIN, 0, 2048);
  for (uint32_t i = 0; i < 2048; ++i) tile.SetValue(i, static_cast<int16_t>(-7));
  DataCopyPad(tile, g.in, DataCopyExtParams{c.blocks, c.bytes, c.src_stride, c.dst_stride, 0},
              DataCopyPadExtParams<int16_t>{c.is_pad, c.left, c.right, 99});
  for (uint32_t i = 0; i < 2048; ++i) g.out.SetValue(i, tile.GetValue(i));
}

TEST(Copy, PadInFillsEveryBlockTo32Bytes) {
  const auto in_values = counting(4096);
  for (const PadCase& c : std::vector<PadCase>{{1, 2, 0, 0, false, 0, 0},
                                               {1, 30, 0, 0, true, 0, 1},
                                               {4, 26, 6, 0, true, 1, 2},
                                               {3, 64, 2, 2, false, 0, 0},
                                               {5, 38, 10, 1, true, 15, 4},
                                               {2, 66, 0, 3, true, 0, 15}}) {
    auto in = in_values;
    std::vector<int16_t> out(2048, 0), expected(2048, -7);
    current_case = c;
    ASSERT_TRUE(run<pad_in>({in.data(), out.data()}).ok());
    const size_t used = c.left + c.bytes / 2 + c.right, whole = (used + 15) / 16 * 16;
    for (size_t b = 0; b < c.blocks; ++b) {
      int16_t* block = expected.data() + b * (whole + 16 * c.dst_stride);
      const int16_t* src = in.data() + b * (c.bytes + c.src_stride) / 2;
      const int16_t filler = c.left == 0 && c.right == 0 ? src[0] : 99;
      std::fill(block, block + whole, filler);
      std::copy(src, src + c.bytes / 2, block + c.left);
    }
    EXPECT_EQ(out, expected) << c.bytes;
  }
}

void pad_out(void* const* args) {
  Ends g(args);
  const PadCase& c = current_case;
  LocalTensor<int16_t> tile(TPosition::VECIN, 0, 2048);
  DataCopy(tile, g.in, 2048);
  DataCopyPad(g.out, tile, DataCopyExtParams{c.blocks, c.bytes, c.src_stride, c.dst_stride, 0});
}

TEST(Copy, PadOutWritesExactlyTheBytes) {
  const auto in_values = counting(2048);
  for (const PadCase& c : std::vector<PadCase>{
           {1, 2, 0, 0, false, 0, 0}, {4, 26, 1, 6, false, 0, 0}, {7, 34, 0, 2, false, 0, 0}}) {
    auto in = in_values;
    std::vector<int16_t> out(1024, -1), expected(1024, -1);
    current_case = c;
    ASSERT_TRUE(run<pad_out>({in.data(), out.data()}).ok());
    const size_t pitch = (c.bytes + 31) / 32 * 16 + 16 * c.src_stride;
    for (size_t b = 0; b < c.blocks; ++b) {
      std::copy_n(in.data() + b * pitch, c.bytes / 2,
                  expected.data() + b * (c.bytes + c.dst_stride) / 2);
    }
    EXPECT_EQ(out, expected) << c.bytes;
  }
}

constexpr uint32_t kRows = 21, kColumns = 37, kRowsUp = 32, kColumnsUp = 48;

void nd_to_nz(void* const* args) {
  Ends g(args);
  LocalTensor<int16_t> l1(TPosition::A1, 0, kRowsUp * kColumnsUp);
  DataCopy(l1, g.in, Nd2NzParams(1, kRows, kColumns, 0, kColumns, kRowsUp, 1, 0));
  std::memcpy(args[1], reinterpret_cast<const void*>(l1.GetPhyAddr()), kRowsUp * kColumnsUp * 2);
}

TEST(Copy, Nd2NzFollowsTheIndexFormula) {
  auto in = counting(kRows * kColumns);
  std::vector<int16_t> out(kRowsUp * kColumnsUp);
  LaunchSetup setup;
  setup.task_type = OPK_TASK_AIC_ONLY;
  ASSERT_TRUE(run<nd_to_nz>({in.data(), out.data()}, setup).ok());
  for (uint32_t r = 0; r < kRows; ++r) {
    for (uint32_t c = 0; c < kColumnsUp; ++c) {
      const int16_t expected = c < kColumns ? in[r * kColumns + c] : 0;
      ASSERT_EQ(out[(c / 16 * kRowsUp + r) * 16 + c % 16], expected) << r << "," << c;
    }
  }
}

void nz_to_nd(void* const* args) {
  Ends g(args);
  LocalTensor<int16_t> ub(TPosition::VECIN, 0, kRowsUp * kColumnsUp);
  DataCopy(ub, g.in, kRowsUp * kColumnsUp);
  DataCopy(g.out, ub, Nz2NdParamsFull(1, kRows, kColumns, 0, kRowsUp, kColumns, 0));
}

TEST(Copy, Nz2NdIsTheReverse) {
  auto in = counting(kRowsUp * kColumnsUp);
  std::vector<int16_t> out(kRows * kColumns);
  ASSERT_TRUE(run<nz_to_nd>({in.data(), out.data()}).ok());
  for (uint32_t r = 0; r < kRows; ++r) {
    for (uint32_t c = 0; c < kColumns; ++c) {
      ASSERT_EQ(out[r * kColumns + c], in[(c / 16 * kRowsUp + r) * 16 + c % 16]);
    }
  }
}

template <KernelBody body>
Fault only_fault(size_t in_elements, size_t out_elements, bool in_writable = false) {
  static std::vector<int16_t> in, out;
  in.assign(in_elements, 1);
  out.assign(out_elements, 0);
  LaunchSetup setup;
  setup.gm = {{reinterpret_cast<uint8_t*>(in.data()), in_elements * 2, "x", in_writable},
              {reinterpret_cast<uint8_t*>(out.data()), out_elements * 2, "z", true}};
  Strict strict;
  setup.observer = &strict;
  LaunchReport report = run<body>({in.data(), out.data()}, setup);
  return report.faults.size() == 1 ? report.faults[0] : Fault{};
}

void misaligned(void* const* args) {
  Ends g(args);
  DataCopy(LocalTensor<int16_t>(TPosition::VECIN, 2, 64), g.in, 16);
}
TEST(Copy, RefusesMisalignedLocalAddresses) {
  const Fault fault = only_fault<misaligned>(64, 64);
  EXPECT_EQ(fault.code, "EK1003");
  EXPECT_EQ(fault.message,
            "DataCopy: destination starts at byte 2 of UB, which is not a multiple of 32");
}

void behind_ub(void* const* args) {
  Ends g(args);
  DataCopy(LocalTensor<int16_t>(TPosition::VECIN, 196576, 4096), g.in, 32);
}
TEST(Copy, RefusesWhatReachesBehindTheMemory) {
  const Fault fault = only_fault<behind_ub>(64, 64);
  EXPECT_EQ(fault.code, "EK1001");
  EXPECT_THAT(fault.message, HasSubstr("from byte 196576 to 196640 of UB, which has 196608 bytes"));
}

void behind_tensor(void* const* args) {
  Ends g(args);
  DataCopy(LocalTensor<int16_t>(TPosition::VECIN, 0, 16), g.in, 32);
}
TEST(Copy, RefusesWhatReachesBehindTheTensor) {
  const Fault fault = only_fault<behind_tensor>(64, 64);
  EXPECT_EQ(fault.code, "EK1002");
  EXPECT_THAT(fault.message, HasSubstr("needs 64 bytes in UB, but its tensor has 32"));
}

void behind_gm(void* const* args) {
  Ends g(args);
  DataCopy(LocalTensor<int16_t>(TPosition::VECIN, 0, 64), g.in[48], 32);
}
TEST(Copy, RefusesReadsBehindAGmTensorByName) {
  const Fault fault = only_fault<behind_gm>(64, 64);
  EXPECT_EQ(fault.code, "EK1004");
  EXPECT_THAT(fault.message,
              HasSubstr("reads bytes 96 to 160 of GM tensor 'x', which has 128 bytes"));
  EXPECT_THAT(fault.action, HasSubstr("DataCopyPad"));
}

void before_gm(void* const* args) {
  Ends g(args);
  const int32_t index = -2;
  DataCopy(LocalTensor<int16_t>(TPosition::VECIN, 0, 64), g.in[static_cast<uint64_t>(index)], 32);
}
TEST(Copy, RefusesReadsBeforeAGmTensorByName) {
  const Fault fault = only_fault<before_gm>(64, 64);
  EXPECT_EQ(fault.code, "EK1004");
  EXPECT_THAT(fault.message, HasSubstr("reads 64 bytes from 4 bytes before GM tensor 'x' on"));
  EXPECT_THAT(fault.action, HasSubstr("negative"));
}

// An index that wrapped in 32 bits: far away from every tensor.
void far_behind_gm(void* const* args) {
  Ends g(args);
  DataCopy(LocalTensor<int16_t>(TPosition::VECIN, 0, 64), g.in[~uint32_t{0}], 32);
}
TEST(Copy, WildAddressesAreNamedAfterTheTensorTheyCameFrom) {
  const Fault fault = only_fault<far_behind_gm>(64, 64);
  EXPECT_EQ(fault.code, "EK1004");
  EXPECT_THAT(fault.message, HasSubstr("reads bytes 8589934590 to 8589934654 of GM tensor 'x'"));
}

void never_assigned(void* const* args) {
  Ends g(args);
  LocalTensor<int16_t> local;
  DataCopy(local, g.in, 32);
}
void never_set(void* const*) {
  GlobalTensor<int16_t> gm;
  DataCopy(LocalTensor<int16_t>(TPosition::VECIN, 0, 64), gm, 32);
}
void part_never_assigned(void* const*) {
  LocalTensor<int16_t> local;
  Adds(local[64], LocalTensor<int16_t>(TPosition::VECIN, 0, 64), static_cast<int16_t>(1), 64);
}
TEST(Copy, VectorCallsRefuseTensorsThatNothingGaveMemoryTo) {
  const Fault fault = only_fault<part_never_assigned>(64, 64);
  EXPECT_EQ(fault.code, "EK1002");
  EXPECT_THAT(fault.message, HasSubstr("is a LocalTensor that was never assigned"));
}
TEST(Copy, RefusesTensorsThatNothingGaveMemoryTo) {
  const Fault local = only_fault<never_assigned>(64, 64);
  EXPECT_EQ(local.code, "EK1002");
  EXPECT_THAT(local.message, HasSubstr("is a LocalTensor that was never assigned"));
  const Fault global = only_fault<never_set>(64, 64);
  EXPECT_EQ(global.code, "EK1004");
  EXPECT_THAT(global.message,
              HasSubstr("is a GlobalTensor that no SetGlobalBuffer was called for"));
}

void pads_behind_gm(void* const* args) {
  Ends g(args);
  DataCopyPad(LocalTensor<int16_t>(TPosition::VECIN, 0, 64), g.in[48],
              DataCopyExtParams(1, 64, 0, 0, 0), DataCopyPadExtParams<int16_t>(false, 0, 0, 0));
}
TEST(Copy, CuresAreNotWhatIsThereAlready) {
  const Fault fault = only_fault<pads_behind_gm>(64, 64);
  EXPECT_EQ(fault.code, "EK1004");
  EXPECT_THAT(fault.action, HasSubstr("shorten blockLen"));
}

void wraps(void* const* args) {
  GlobalTensor<int16_t> all;
  all.SetGlobalBuffer(static_cast<int16_t*>(args[0]), 35000);
  DataCopyPad(LocalTensor<int16_t>(TPosition::VECIN, 0, 35008), all,
              DataCopyParams(1, static_cast<uint16_t>(70000), 0, 0), DataCopyPadParams());
}
void loads_tile_and_tail(void* const* args) {
  GlobalTensor<int16_t> all;
  all.SetGlobalBuffer(static_cast<int16_t*>(args[0]), 35000);
  const LocalTensor<int16_t> local(TPosition::VECIN, 0, 35008);
  DataCopyPad(local, all, DataCopyParams(4, 16384, 0, 0), DataCopyPadParams());
  DataCopyPad(local[32768], all[32768], DataCopyParams(1, 4464, 0, 0), DataCopyPadParams());
}
TEST(Copy, TellsOfLengthsThatWrappedIn16Bits) {
  std::vector<int16_t> in(35000), out(64);
  const LaunchReport wrapped = run<wraps>({in.data(), out.data()});
  ASSERT_EQ(wrapped.warnings.size(), 1u);
  EXPECT_EQ(wrapped.warnings[0].code, "EK1015");
  EXPECT_THAT(wrapped.warnings[0].message, HasSubstr("moves 4464 of 70000 bytes"));
  EXPECT_TRUE((run<loads_tile_and_tail>({in.data(), out.data()}).warnings.empty()));
}

void into_input(void* const* args) {
  Ends g(args);
  DataCopy(g.in, LocalTensor<int16_t>(TPosition::VECIN, 0, 64), 16);
}
TEST(Copy, RefusesWritesIntoInputs) {
  const Fault fault = only_fault<into_input>(64, 64);
  EXPECT_EQ(fault.code, "EK1006");
  EXPECT_THAT(fault.message, HasSubstr("writes into input 'x'"));
}

void no_l1(void* const* args) {
  Ends g(args);
  DataCopy(LocalTensor<int16_t>(TPosition::A1, 0, 64), g.in, 16);
}
TEST(Copy, RefusesMemoriesThatTheCoreLacks) {
  const Fault fault = only_fault<no_l1>(64, 64);
  EXPECT_EQ(fault.code, "EK1005");
  EXPECT_THAT(fault.message, HasSubstr("lies in L1, which this core does not have"));
}

}  // namespace
}  // namespace opkit::core::test
