// What a report calls things by: queues by the variable that the source has for them.
#include "faulty.h"
#include "opkit/base/debug/source_line.h"
#include "opkit_test_paths.h"

using namespace AscendC;
using ::testing::HasSubstr;

namespace faults {
namespace {

void forgets_the_second_queue(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> first, weights;
  pipe.InitBuffer(first, 2, 256);
  pipe.InitBuffer(weights, 2, 256);
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x, kElements);
  LocalTensor<float> tile = weights.AllocTensor<float>();
  DataCopy(tile, gx, 64);
  weights.EnQue(tile);
}

// The file where it lies now, whatever the compiler was told.
std::string line_of(const void* pc) {
  static opkit::debug::SourceLines lines;
  const std::string line = lines.text(pc);
  return OPKIT_SOURCE_DIR "/tests/faults/" + line.substr(line.rfind('/') + 1);
}

TEST(Names, QueuesGoByTheirVariable) {
  const std::string text = to_text(check<forgets_the_second_queue>(), line_of);
  EXPECT_THAT(text, HasSubstr("of queue 2 'weights' (VECIN) was queued"));
}

}  // namespace
}  // namespace faults
