// DataCopy with the change from rows to fractals, against the documented index formula.
#include <gtest/gtest.h>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kBytes = 64 * 1024;
Nd2NzParams params;

// args: rows in GM, what is then found in L1, where untouched bytes are 0x5a.
template <typename T>
void change(void* const* args) {
  LocalTensor<T> l1(TPosition::A1, 0, kBytes / sizeof(T));
  fill_raw(l1, 0x5a, kBytes);
  GlobalTensor<T> in;
  in.SetGlobalBuffer(static_cast<T*>(args[0]));
  DataCopy(l1, in, params);
  take_raw(args[1], l1, kBytes);
}

template <typename T>
void compare(const Nd2NzParams& p) {
  params = p;
  auto in = noise<T>(kBytes / sizeof(T), 3);
  std::vector<T> out(in.size()), expected(in.size());
  std::memset(static_cast<void*>(expected.data()), 0x5a, kBytes);
  constexpr uint32_t c0 = 32 / sizeof(T);
  for (uint32_t m = 0; m < p.ndNum; ++m)
    for (uint32_t r = 0; r < p.nValue; ++r)
      for (uint32_t c = 0; c < up(p.dValue, c0); ++c)
        expected[m * p.dstNzMatrixStride + c / c0 * p.dstNzC0Stride * c0 + r * p.dstNzNStride * c0 +
                 c % c0] = c < p.dValue ? in[m * p.srcNdMatrixStride + r * p.srcDValue + c] : T(0);
  ASSERT_TRUE((run<change<T>>({in.data(), out.data()}, on_cube_core()).ok()));
  EXPECT_EQ(std::memcmp(out.data(), expected.data(), kBytes), 0)
      << p.nValue << "x" << p.dValue << " of " << sizeof(T) << " bytes";
}

template <typename T>
void all() {
  for (const uint16_t rows : {1, 2, 15, 16, 33}) {
    for (const uint16_t columns : {1, 7, 32, 50, 96}) {
      const auto c0_pitch = static_cast<uint16_t>(up(rows, 16));
      compare<T>(Nd2NzParams(1, rows, columns, 0, 100, c0_pitch, 1, 0));
      compare<T>(Nd2NzParams(1, rows, columns, 0, 100, static_cast<uint16_t>(2 * c0_pitch), 2, 0));
    }
  }
  compare<T>(Nd2NzParams(3, 16, 48, 16 * 64, 64, 16, 1, 16 * 64));
}

TEST(Nd2Nz, OfBytes) { all<int8_t>(); }
TEST(Nd2Nz, OfHalves) { all<int16_t>(); }
TEST(Nd2Nz, OfWords) { all<int32_t>(); }

}  // namespace
}  // namespace opkit::core::test
