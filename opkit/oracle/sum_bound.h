// What is known of a sum while a kernel adds it up: how its rounding errors are bounded.
#ifndef OPKIT_ORACLE_SUM_BOUND_H_
#define OPKIT_ORACLE_SUM_BOUND_H_

#include <optional>

#include "opkit/oracle/bounded.h"

namespace opkit::oracle {

struct Sum {
  reference::RefTensor magnitudes;  // holds the sums of |terms|
  reference::RefTensor drift;       // what the operands' intervals add
  reference::RefTensor finite;      // magnitudes of the finite terms; empty: all are
  // Is the power of two that all terms are multiples of, when they are exact.
  std::optional<int> grid;
  double terms = 1;
  double further = 0;   // roundings of each result behind the sum
  bool scaled = false;  // the result is the sum divided by the number of terms

  double finite_at(int64_t i) const;
};

// Returns what n roundings of relative error `unit` make of 1, at most.
double gamma_of(double n, double unit);

// Bounds element i, whose sum is `value` in the oracle.
Interval sum_interval(const Sum& sum, double value, int64_t i, const Working& working);

// Returns the exponent of the largest power of two that every element is a multiple of; nothing
// when an element is uncertain or not finite.
std::optional<int> grid_of(const Bounded& tensor);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_SUM_BOUND_H_
