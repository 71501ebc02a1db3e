// L1 into the bias table and the Fixpipe buffer. Pages "DataCopy（L1ToBiasTable Buffer数据搬运）":
// blockLen and dstGap count 64 bytes; "DataCopy（L1ToFixpipe-Buffer数据搬运）": 128 bytes, and gaps
// run from start to start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/checked.h"
#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

DataCopyParams params;

// args: 512 floats in, the whole bias table out.
void bias(void* const* args) {
  const LocalTensor<float> l1(TPosition::C1, 0, 512), table(TPosition::C2, 0, 256);
  put_raw(l1, args[0], 2048);
  fill_raw(table, 0, 1024);
  DataCopy(table, l1, params);
  take_raw(args[1], table, 1024);
}

std::vector<float> bias_table(const std::vector<float>& in, const DataCopyParams& p) {
  auto source = in;
  std::vector<float> out(256);
  params = p;
  EXPECT_TRUE(run<bias>({source.data(), out.data()}, on_cube_core()).ok());
  return out;
}

TEST(BiasTable, LengthsAndGapsCountTheirUnits) {
  const auto in = noise<float>(512, 1);
  const auto whole = bias_table(in, DataCopyParams(1, 16, 0, 0));
  EXPECT_EQ(whole, std::vector<float>(in.begin(), in.begin() + 256));
  // Sources 64 + 32 bytes apart, destinations 64 + 2 * 64.
  const auto parts = bias_table(in, DataCopyParams(3, 1, 1, 2));
  std::vector<float> expected(256);
  for (uint32_t b = 0; b < 3; ++b)
    for (uint32_t i = 0; i < 16; ++i) expected[b * 48 + i] = in[b * 24 + i];
  EXPECT_EQ(parts, expected);
}

void widened(void* const* args) {
  const LocalTensor<half> l1(TPosition::C1, 0, 256);
  const LocalTensor<float> table(TPosition::C2, 0, 256);
  put_raw(l1, args[0], 512);
  fill_raw(table, 0, 1024);
  DataCopy(table, l1, DataCopyParams(2, 1, 0, 1));
  take_raw(args[1], table, 1024);
}
TEST(BiasTable, HalvesWidenOnTheWay) {
  auto in = noise<half>(256, 2);
  std::vector<float> out(256), expected(256);
  ASSERT_TRUE(run<widened>({in.data(), out.data()}, on_cube_core()).ok());
  for (uint32_t i = 0; i < 64; ++i) expected[i + i / 32 * 16] = static_cast<float>(in[i]);
  EXPECT_EQ(out, expected);
}

// args: 256 words in, the first 2 KiB of the Fixpipe buffer out.
void words(void* const* args) {
  const LocalTensor<uint64_t> l1(TPosition::A1, 0, 256), table(TPosition::C2PIPE2GM, 0, 256);
  put_raw(l1, args[0], 2048);
  fill_raw(table, 0, 2048);
  DataCopy(table, l1, params);
  take_raw(args[1], table, 2048);
}

TEST(FixpipeBuffer, LengthsAndDistancesCountTheirUnits) {
  auto in = noise<uint64_t>(256, 3);
  std::vector<uint64_t> out(256), expected(256);
  params = DataCopyParams(1, 16, 0, 0);
  ASSERT_TRUE(run<words>({in.data(), out.data()}, on_cube_core()).ok());
  EXPECT_EQ(out, in);
  params = DataCopyParams(3, 1, 5, 2);  // sources 160 bytes apart, destinations 256
  ASSERT_TRUE(run<words>({in.data(), out.data()}, on_cube_core()).ok());
  for (uint32_t b = 0; b < 3; ++b)
    for (uint32_t i = 0; i < 16; ++i) expected[b * 32 + i] = in[b * 20 + i];
  EXPECT_EQ(out, expected);
}

void crooked(void* const*) {
  const LocalTensor<uint64_t> l1(TPosition::A1, 0, 16), table(TPosition::C2PIPE2GM, 64, 16);
  DataCopy(table, l1, DataCopyParams(1, 1, 0, 0));
}
TEST(FixpipeBuffer, StartsAtMultiplesOf128) {
  const LaunchReport report = run<crooked>({}, on_cube_core());
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1003");
}

// The page on paths puts the copy on FIX, the page of the instruction on MTE1. args: words, result.
template <HardEvent before, bool after>
void dequantise(void* const* args) {
  const LocalTensor<uint64_t> l1(TPosition::A1, 0, 16), table(TPosition::C2PIPE2GM, 0, 16);
  const LocalTensor<int32_t> c(TPosition::CO1, 0, 256);
  GlobalTensor<uint64_t> scales;
  GlobalTensor<half> out;
  scales.SetGlobalBuffer(static_cast<uint64_t*>(args[0]));
  out.SetGlobalBuffer(static_cast<half*>(args[1]));
  fill_raw(c, 1, 1024);
  DataCopy(l1, scales, 16);
  SetFlag<before>(0);
  WaitFlag<before>(0);
  DataCopy(table, l1, DataCopyParams(1, 1, 0, 0));
  if constexpr (after) {
    SetFlag<HardEvent::MTE1_FIX>(0);
    WaitFlag<HardEvent::MTE1_FIX>(0);
  }
  SetFixPipeConfig(table);
  SetFixpipeNz2ndFlag(1, 0, 0);
  DataCopy(out, c, DataCopyCO12DstParams(16, 16, 16, 16, QuantMode_t::VDEQF16, 0, false, true));
}

template <KernelBody body>
void expect_accepted() {
  uint64_t scales[16];
  for (uint32_t i = 0; i < 16; ++i) {
    const float scale = 1.0f / 1024 / static_cast<float>(1 + i);
    uint32_t bits;
    std::memcpy(&bits, &scale, 4);
    scales[i] = bits;
  }
  std::vector<half> expected(256), out(256);
  ASSERT_TRUE(run<body>({scales, expected.data()}, on_cube_core()).ok());
  Checked checked;
  LaunchSetup setup = on_cube_core();
  setup.observer = &checked;
  setup.gm = {{reinterpret_cast<uint8_t*>(scales), sizeof scales, "scales", false, true},
              {reinterpret_cast<uint8_t*>(out.data()), 512, "out", true}};
  const LaunchReport report = run<body>({scales, out.data()}, setup);
  const CheckedReport found = checked.take_report(report);
  EXPECT_TRUE(found.findings.empty()) << to_text(found, {});
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = OPK_TASK_AIC_ONLY;
  kernel.aic = entry<body>;
  Machine machine(soc_910b(), 1);
  void* args[] = {scales, out.data()};
  for (uint64_t seed = 1; seed < 6; ++seed) {
    std::fill(out.begin(), out.end(), half(0.0f));
    LaunchRequest request;
    request.kernel = &kernel;
    request.args = args;
    request.schedule_seed = seed;
    ASSERT_TRUE(machine.launch(request).ok());
    EXPECT_EQ(std::memcmp(out.data(), expected.data(), 512), 0) << seed;
  }
}

TEST(FixpipeBuffer, EitherPipeMayBeThatOfTheCopy) {
  expect_accepted<dequantise<HardEvent::MTE2_FIX, false>>();
  expect_accepted<dequantise<HardEvent::MTE2_MTE1, true>>();
  expect_accepted<dequantise<HardEvent::MTE2_MTE1, false>>();
}

}  // namespace
}  // namespace opkit::core::test
