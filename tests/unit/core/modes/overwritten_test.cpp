// Whether a launch reads bytes of a tensor after it has written them, when an output lies where an
// input lies.
#include "opkit/core/modes/overwritten.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/dry.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using testing::HasSubstr;

constexpr uint32_t kTile = 64, kBlocks = 4;  // floats of a block
constexpr uint64_t kBytes = kTile * kBlocks * sizeof(float);

struct Tensors {
  GlobalTensor<float> x, z;
  explicit Tensors(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kTile * kBlocks);
    z.SetGlobalBuffer(static_cast<float*>(args[1]), kTile * kBlocks);
  }
};

// Doubles `count` floats at `from` into z at `to`.
void double_tile(const Tensors& t, TQue<TPosition::VECIN, 1>& in, TQue<TPosition::VECOUT, 1>& out,
                 uint32_t from, uint32_t to, uint32_t count) {
  LocalTensor<float> x = in.AllocTensor<float>();
  DataCopy(x, t.x[from], count);
  in.EnQue(x);
  x = in.DeQue<float>();
  LocalTensor<float> z = out.AllocTensor<float>();
  Add(z, x, x, static_cast<int32_t>(count));
  out.EnQue(z);
  in.FreeTensor(x);
  z = out.DeQue<float>();
  DataCopy(t.z[to], z, count);
  out.FreeTensor(z);
}

// Every block doubles its tile in parts of 16, `rounds` times; what it reads lies `shift` further
// where that is in the tensor.
template <int32_t shift, uint32_t rounds>
void doubled(void* const* args) {
  const Tensors t(args);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, kTile * sizeof(float));
  pipe.InitBuffer(out, 1, kTile * sizeof(float));
  const auto start = static_cast<uint32_t>(GetBlockIdx()) * kTile;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (uint32_t to = start; to < start + kTile; to += 16) {
      const uint32_t from = to + static_cast<uint32_t>(shift);
      double_tile(t, in, out, from < kTile * kBlocks ? from : to, to, 16);
    }
  }
}

void added(void* const* args) {
  SetAtomicAdd<float>();
  doubled<0, 1>(args);
  SetAtomicNone();
}

// Rows of 8 floats that lie 16 apart, from the even ones to the odd ones.
void even_rows_to_odd(void* const* args) {
  if (GetBlockIdx() != 0) return;
  const Tensors t(args);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, kTile * sizeof(float));
  LocalTensor<float> rows = buffer.Get<float>();
  for (uint32_t half = 0; half < 2; ++half) {
    DataCopy(rows, t.x[half * kTile], DataCopyParams{4, 1, 1, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopy(t.z[half * kTile + 8], rows, DataCopyParams{4, 1, 0, 1});
    PipeBarrier<PIPE_ALL>();
  }
}

void one_value(void* const* args) {
  if (GetBlockIdx() != 0) return;
  Tensors t(args);
  t.z.SetValue(0, t.x.GetValue(0));
}

// x and z at one address, or apart, without data.
template <KernelBody body>
LaunchReport launch(Observer& observer, bool apart = false) {
  std::vector<float> x(kTile * kBlocks, 1.0f), z(kTile * kBlocks);
  float* const output = apart ? z.data() : x.data();
  const GmRange input{reinterpret_cast<uint8_t*>(x.data()), kBytes, "x", true, true};
  GmRange result{reinterpret_cast<uint8_t*>(output), kBytes, "z", true, true};
  result.output = true;
  Dry without_data(observer);
  LaunchSetup setup;
  setup.blocks = kBlocks;
  setup.gm = {input, result};
  setup.observer = &without_data;
  return run<body>({x.data(), output}, setup);
}

// Why they cannot lie at one address, or empty.
template <KernelBody body>
std::string why(uint64_t most = 1000, bool apart = false) {
  Overwritten overwritten(most);
  const LaunchReport report = launch<body>(overwritten, apart);
  EXPECT_EQ(report.ok(), overwritten.why().empty());
  if (!report.ok()) {
    EXPECT_EQ(report.faults[0].code, "EK1604");
    EXPECT_EQ(report.faults[0].message, "no longer watched: " + overwritten.why());
    EXPECT_EQ(report.faults[0].action, "give the output memory of its own");
  }
  return overwritten.why();
}

TEST(Overwritten, NothingIsWhenEachByteIsReadFirst) {
  EXPECT_EQ((why<doubled<0, 1>>()), "");
  EXPECT_EQ(why<even_rows_to_odd>(), "") << "rows that lie between what was written";
}

TEST(Overwritten, BytesAreThatAreReadAgain) {
  const std::string again = "bytes of it are read after they were written";
  EXPECT_EQ((why<doubled<0, 2>>()), again);
  EXPECT_EQ((why<doubled<-16, 1>>()), again);
}

// A block that reads ahead reads what the next block writes, here later, elsewhere earlier.
TEST(Overwritten, OrdersOfCoresAreCheckedsAffair) {
  EXPECT_EQ((why<doubled<16, 1>>()), "");
  Checked checked;
  const LaunchReport report = launch<doubled<16, 1>>(checked);
  const CheckedReport found = checked.take_report(report);
  ASSERT_GT(found.errors(), 0u);
  EXPECT_EQ(found.findings[0].code, "EK1511");
  Checked innocent;
  EXPECT_EQ(innocent.take_report(launch<doubled<0, 1>>(innocent)).errors(), 0u);
}

TEST(Overwritten, SumsNeedTheirOwnMemory) { EXPECT_EQ(why<added>(), "it is added to"); }

TEST(Overwritten, IsOfTensorsThatShareTheirMemory) {
  EXPECT_EQ((why<doubled<0, 2>>(1000, true)), "");
}

TEST(Overwritten, GivesUpAfterSoManyPieces) {
  EXPECT_EQ((why<doubled<0, 1>>(10)), "it is touched in too many pieces");
}

TEST(Overwritten, SeesTheScalarUnit) { EXPECT_EQ(why<one_value>(), ""); }

}  // namespace
}  // namespace opkit::core::test
