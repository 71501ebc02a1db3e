// EK1311 and what follows it: values that leave the range of their type.
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

opkit::core::CheckedOptions numerics() {
  opkit::core::CheckedOptions options;
  options.numerics = true;
  return options;
}

TEST(NumericFaults, AreReportedOnRequestOnly) { EXPECT_CLEAN(check<sum_overflows<true>>()); }

}  // namespace

Family numeric_faults() {
  return {
      VECTOR_FAULT("EK1311", exp_of_much, "float").with(numerics()),
      VECTOR_FAULT("EK1311", sum_overflows, "byte 36").with(numerics()),
      VECTOR_FAULT("EK1311", sum_of_two_tensors_overflows, "float").with(numerics()),
  };
}

}  // namespace faults
