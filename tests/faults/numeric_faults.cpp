// EK1311, EK1313, EK1314: values that leave the range of their type, sums that lose their terms.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1311 -------------------------------------------------------------------------------------

template <bool kFault>
void exp_of_much(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  t.x.SetValue(0, 1.0f);
  Duplicate(t.x, 1.0f, kTile);
  t.x.SetValue(7, kFault ? 100.0f : 10.0f);
  Exp(t.z, t.x, kTile);  // FAULT: exp_of_much
}

template <bool kFault>
void sum_overflows(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  t.x.SetValue(9, kFault ? 3.0e38f : 1.0f);
  Add(t.z, t.x, t.x, kTile);  // FAULT: sum_overflows
}

template <bool kFault>
void sum_of_two_tensors_overflows(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  Duplicate(t.y, 1.0f, kTile);
  t.x.SetValue(1, kFault ? 2.0e38f : 2.0f);
  t.y.SetValue(1, kFault ? 2.0e38f : 2.0f);
  Add(t.z, t.x, t.y, kTile);  // FAULT: sum_of_two_tensors_overflows
  Add(t.z, t.z, t.x, kTile);
}

// --- EK1313: sums in half -----------------------------------------------------------------------

struct Halves {
  LocalTensor<half> a{TPosition::VECCALC, 0, 8192}, b{TPosition::VECCALC, 16384, 8192},
      c{TPosition::VECCALC, 32768, 8192};
};

template <bool kFault>
void counts_in_half(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Halves t;
  Duplicate(t.a, half(kFault ? 2048.0f : 1024.0f), 128);
  Duplicate(t.b, half(1.0f), 128);
  Add(t.a, t.a, t.b, 128);  // FAULT: counts_in_half
}

template <bool kFault>
void accumulates_small_products(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Halves t;
  Duplicate(t.a, half(100.0f), 128);
  Duplicate(t.b, half(kFault ? 0.01f : 1.0f), 128);
  Axpy(t.a, t.b, half(0.5f), 128);  // FAULT: accumulates_small_products
}

template <bool kFault>
void sums_many_halves(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Halves t;
  Duplicate(t.a, half(kFault ? 0.06f : 1.0f), 8192);
  t.a.SetValue(0, half(kFault ? 20000.0f : 1.0f));
  ReduceSum(t.b, t.a, t.c, 8192);  // FAULT: sums_many_halves
}

// --- EK1314: overflow of half -------------------------------------------------------------------

template <bool kFault>
void exponential_in_half(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Halves t;
  Duplicate(t.a, half(kFault ? 12.0f : 9.0f), 128);
  Exp(t.b, t.a, 128);  // FAULT: exponential_in_half
}

template <bool kFault>
void narrows_what_does_not_fit(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Halves t;
  LocalTensor<float> wide(TPosition::VECCALC, 65536, 128);
  Duplicate(wide, 1000.0f, 128);
  wide.SetValue(5, kFault ? 70000.0f : 60000.0f);
  Cast(t.b, wide, RoundMode::CAST_RINT, 128);  // FAULT: narrows_what_does_not_fit
}

template <bool kFault>
void squares_in_half_under_a_mask(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Halves t;
  Duplicate(t.a, half(2.0f), 256);
  Duplicate(t.b, half(0.0f), 256);
  t.a.SetValue(3, half(300.0f));
  const uint64_t odd[2] = {0xAAAAAAAAAAAAAAAAu, 0}, even[2] = {0x5555555555555555u, 0};
  const BinaryRepeatParams dense(1, 1, 1, 8, 8, 8);
  Mul(t.b, t.a, t.a, kFault ? odd : even, 2, dense);  // FAULT: squares_in_half_under_a_mask
}

opkit::core::CheckedOptions numerics() {
  opkit::core::CheckedOptions options;
  options.numerics = true;
  return options;
}

TEST(NumericFaults, AreReportedOnRequestOnly) { EXPECT_CLEAN(check<sum_overflows<true>>()); }

}  // namespace

Family numeric_faults() {
  return {
      VECTOR_FAULT("EK1313", counts_in_half, "128 of 128 terms").with(numerics()),
      VECTOR_FAULT("EK1313", accumulates_small_products, "accumulator of half").with(numerics()),
      VECTOR_FAULT("EK1313", sums_many_halves, "sums 8192 halves").with(numerics()),
      VECTOR_FAULT("EK1314", exponential_in_half, "overflows half").with(numerics()),
      VECTOR_FAULT("EK1314", narrows_what_does_not_fit, "byte 10").with(numerics()),
      VECTOR_FAULT("EK1314", squares_in_half_under_a_mask, "byte 6").with(numerics()),
      VECTOR_FAULT("EK1311", exp_of_much, "float").with(numerics()),
      VECTOR_FAULT("EK1311", sum_overflows, "byte 36").with(numerics()),
      VECTOR_FAULT("EK1311", sum_of_two_tensors_overflows, "float").with(numerics()),
  };
}

}  // namespace faults
