// What L0A and L0B hold is right for whoever looks, although Fast mode keeps loaded fractals in
// another form and makes their bytes only when somebody asks.
#include <gtest/gtest.h>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kElements = 1024;  // counts elements of 2 bytes: four fractals

template <HardEvent event>
void order() {
  SetFlag<event>(0);
  WaitFlag<event>(0);
}

struct Case {
  bool right = false, transpose = false, by_address = false;
};
Case now;

// args: four fractals for L1, what is then found in L0.
template <typename T>
void load_and_look(void* const* args) {
  LocalTensor<T> l1(TPosition::A1, 0, kElements);
  LocalTensor<T> l0(now.right ? TPosition::B2 : TPosition::A2, 0, kElements);
  GlobalTensor<T> in;
  in.SetGlobalBuffer(static_cast<T*>(args[0]));
  DataCopy(l1, in, kElements);
  order<HardEvent::MTE2_MTE1>();
  LoadData(l0, l1, LoadData2DParams(0, 4, 1, 0, 0, now.transpose, 0));
  PipeBarrier<PIPE_ALL>();
  auto* out = static_cast<T*>(args[1]);
  if (now.by_address) {
    take_raw(out, l0, kElements * sizeof(T));
  } else {
    for (uint32_t i = 0; i < kElements; ++i) out[i] = l0.GetValue(i);
  }
}

template <typename T>
void look_everywhere() {
  // Every kind of half and bfloat16: NaN with payloads, inf, subnormal numbers.
  const auto bits = noise<uint16_t>(kElements, 11);
  for (const bool right : {false, true}) {
    for (const bool transpose : {false, true}) {
      for (const bool by_address : {false, true}) {
        now = {right, transpose, by_address};
        std::vector<uint16_t> in = bits, out(kElements), expected(kElements);
        for (uint32_t i = 0; i < 256; ++i) in[i] &= 0xbfff;  // a fractal without NaN
        for (uint32_t i = 0; i < kElements; ++i) {
          const uint32_t at = i % 256, from = transpose ? at % 16 * 16 + at / 16 : at;
          expected[i] = in[i / 256 * 256 + from];
        }
        ASSERT_TRUE((run<load_and_look<T>>({in.data(), out.data()}, on_cube_core()).ok()));
        EXPECT_EQ(out, expected) << right << transpose << by_address;
      }
    }
  }
}

TEST(L0Contents, HalvesAreThereForWhoeverLooks) { look_everywhere<half>(); }
TEST(L0Contents, Bfloat16IsThereForWhoeverLooks) { look_everywhere<bfloat16_t>(); }

// args: a square of 16 x 16 floats as two fractals for L1, what is then found in L0B.
void load_floats(void* const* args) {
  LocalTensor<float> l1(TPosition::A1, 0, 256), l0(TPosition::B2, 0, 256);
  GlobalTensor<float> in;
  in.SetGlobalBuffer(static_cast<float*>(args[0]));
  DataCopy(l1, in, 256);
  order<HardEvent::MTE2_MTE1>();
  LoadDataWithTranspose(l0, l1, LoadData2dTransposeParams(0, 1, 1, 0, 0));
  PipeBarrier<PIPE_ALL>();
  if (now.transpose) l0.SetValue(17, -1.0f);
  for (uint32_t i = 0; i < 256; ++i) static_cast<float*>(args[1])[i] = l0.GetValue(i);
}

TEST(L0Contents, FloatsAreThereAndMayBeChanged) {
  auto in = noise<float>(256, 12);
  for (const bool change : {false, true}) {
    now.transpose = change;
    std::vector<float> out(256);
    ASSERT_TRUE(run<load_floats>({in.data(), out.data()}, on_cube_core()).ok());
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t k = i / 128 * 8 + i % 8, n = i % 128 / 8;
      const float expected = change && i == 17 ? -1.0f : in[n / 8 * 128 + k * 8 + n % 8];
      ASSERT_EQ(out[i], expected) << i;
    }
  }
}

// args: two fractals for L1, C. Loaded as one type, multiplied as another.
template <typename Loaded, typename Multiplied>
void load_and_multiply(void* const* args) {
  LocalTensor<Loaded> l1(TPosition::A1, 0, 512), a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
  LocalTensor<float> c(TPosition::CO1, 0, 256);
  GlobalTensor<Loaded> in;
  in.SetGlobalBuffer(static_cast<Loaded*>(args[0]));
  DataCopy(l1, in, 512);
  order<HardEvent::MTE2_MTE1>();
  LoadData(a, l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  LoadData(b, l1, LoadData2DParams(1, 1, 1, 0, 0, true, 0));
  order<HardEvent::MTE1_M>();
  Mmad(c, a.template ReinterpretCast<Multiplied>(), b.template ReinterpretCast<Multiplied>(),
       MmadParams(16, 16, 16, 0, false, true));
  take_raw(args[1], c, 1024);
}

TEST(L0Contents, MayBeMultipliedAsAnotherType) {
  auto in = noise<uint16_t>(512, 13);
  for (uint16_t& x : in) x &= 0xbfff;
  std::vector<uint32_t> halves(256), as_halves(256), brain(256), as_brain(256);
  ASSERT_TRUE(
      (run<load_and_multiply<half, half>>({in.data(), halves.data()}, on_cube_core()).ok()));
  ASSERT_TRUE(
      (run<load_and_multiply<bfloat16_t, half>>({in.data(), as_halves.data()}, on_cube_core())
           .ok()));
  ASSERT_TRUE(
      (run<load_and_multiply<bfloat16_t, bfloat16_t>>({in.data(), brain.data()}, on_cube_core())
           .ok()));
  ASSERT_TRUE((
      run<load_and_multiply<half, bfloat16_t>>({in.data(), as_brain.data()}, on_cube_core()).ok()));
  EXPECT_EQ(halves, as_halves);
  EXPECT_EQ(brain, as_brain);
  EXPECT_NE(halves, brain);
}

}  // namespace
}  // namespace opkit::core::test
