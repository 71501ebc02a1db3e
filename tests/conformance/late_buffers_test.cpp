// Buffers behind the end of a memory, of which no byte is touched there.
#include <gmock/gmock.h>

#include "opkit/include/kernel_operator.h"
#include "tests/conformance/blocks.h"
#include "tests/conformance/elementwise.h"
#include "tests/conformance/ramps.h"

namespace conformance {
namespace {

using namespace AscendC;

// A pipe on the chip hands out addresses: what counts is the bytes that a kernel touches.
TEST(LateBuffers, ABufferMayEndBehindItsMemory) {
  const auto after = run_blocks<int32_t>(ramp(128), [](int32_t* gm) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, last;
    pipe.InitBuffer(first, 131072);
    pipe.InitBuffer(last, 100000);  // 231072 of 196608 bytes
    LocalTensor<int32_t> x = last.Get<int32_t>(64);
    DataCopy(x, global(gm), 64);
    PipeBarrier<PIPE_ALL>();
    Adds(x, x, 3, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global(gm + 64), x, 64);
  });
  EXPECT_EQ(after, expected_halves(128, [](int32_t x) { return x + 3; }));
}

}  // namespace
}  // namespace conformance
