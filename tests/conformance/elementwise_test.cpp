#include <gtest/gtest.h>

#include "tests/unit/core/kernel_run.h"

namespace {

using namespace AscendC;

void chain(void* const* args) {
  LocalTensor<float> a(TPosition::VECIN, 0, 104), b(TPosition::VECIN, 1024, 104);
  LocalTensor<float> c(TPosition::VECIN, 2048, 104);
  LocalTensor<half> h(TPosition::VECIN, 4096, 104);
  GlobalTensor<float> x, y, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]));
  y.SetGlobalBuffer(static_cast<float*>(args[1]));
  z.SetGlobalBuffer(static_cast<float*>(args[2]));
  const DataCopyExtParams row{1, 400, 0, 0, 0};
  DataCopyPad(a, x, row, DataCopyPadExtParams<float>{false, 0, 0, 0});
  DataCopyPad(b, y, row, DataCopyPadExtParams<float>{false, 0, 0, 0});
  Add(c, a, b, 99);
  Muls(c, c, 2.0f, 99);
  Relu(c, c, 99);
  Cast(h, c, RoundMode::CAST_RINT, 99);
  Adds(h, h, static_cast<half>(1.0f), 99);
  Cast(c, h, RoundMode::CAST_NONE, 99);
  DataCopyPad(z, c, row);
}

TEST(Elementwise, ChainsThroughHalf) {
  std::vector<float> x(100), y(100, -32.0f), z(100, -1.0f);
  for (int i = 0; i < 100; ++i) x[i] = static_cast<float>(i);
  ASSERT_TRUE(opkit::core::test::run<chain>({x.data(), y.data(), z.data()}).ok());
  for (int i = 0; i < 99; ++i) EXPECT_EQ(z[i], i < 32 ? 1.0f : 2.0f * (i - 32) + 1.0f) << i;
}

}  // namespace
