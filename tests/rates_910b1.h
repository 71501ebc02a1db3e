// The figures of Ascend910B1, on which the published series was measured.
#ifndef TESTS_RATES_910B1_H_
#define TESTS_RATES_910B1_H_

#include "opkit/call/trace/rates.h"

inline const opkit::core::TimingRates& rates_910b1() {
  static const opkit::core::TimingRates rates =
      opkit::trace::rates_of(*opkit::find_soc("Ascend910B1").value().spec).value();
  return rates;
}

#endif  // TESTS_RATES_910B1_H_
